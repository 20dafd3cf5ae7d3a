import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Names that are long, run from right to left, try to look like another, or are none. */
const names = [
  `${'a-very-long-name-of-a-sample-'.repeat(11)}.exe`.slice(-300),
  'فاتورة_الشهر_الماضي.exe',
  'invoice_\u202Efdp.exe',
  'חשבונית 2026.docm',
  '请款单-二〇二六年.xlsx',
  'no',
  'W'.repeat(300),
  'a b\tc\nd.bin',
];
const manyTags = Array.from({ length: 40 }, (_, at) => `family:cluster-of-thirty-days-${at}`);

/**
 * Stocks a new data directory with ten thousand samples. Those seen last have what is hard to draw: such names, every
 * TLP, forty tags, large numbers.
 */
export async function stockOddLibrary(data: string): Promise<void> {
  await promisify(execFile)(
    process.execPath,
    ['electron/bench.ts', 'stock-library', '--data', data, '--samples', '10000'],
    { cwd: root },
  );
  const sql = new DatabaseSync(join(data, 'vitrine.db'));
  try {
    const change = sql.prepare(
      `UPDATE sample SET name = ?, tlp = ?, tags = ?, hits = ?, size_bytes = ?, comments = ?, last_seen = ?
        WHERE id = ?`,
    );
    names.forEach((name, at) => {
      const tags = at % 2 === 0 ? `,${manyTags.join(',')},` : `,${'one:'.repeat(60)}tag,`;
      change.run(
        name,
        at % 6 === 5 ? null : at % 6,
        tags,
        at * 1234,
        4_294_967_295 * (at + 1),
        at * 321,
        `2026-11-18T14:${10 + at}:00.000Z`,
        at + 1,
      );
    });
  } finally {
    sql.close();
  }
}
