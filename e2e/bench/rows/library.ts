import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import { latestFirst, type LibrarySort } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { startProgram } from '../../program.ts';
import { runEntry } from '../child.ts';
import { type HostCalls, openHostCalls } from '../host-calls.ts';
import { median, type Row, type RowSettings } from '../row.ts';

interface Asked {
  query: string;
  sort: LibrarySort;
  /** The condition as a person would write it who has the database alone. */
  where: string;
  order: string;
}

const rowsAWindow = 200;
const byTime = { sort: latestFirst, order: 'last_seen DESC, id DESC' };
const withWords = (words: string): string => `id IN (SELECT rowid FROM sample_text WHERE sample_text MATCH '${words}')`;
const packed = `${withWords('tags : packed')} AND instr(tags, ',packed,') > 0`;
const family = (name: string): string =>
  `${withWords(`tags : "family ${name}"`)} AND instr(tags, ',family:${name},') > 0`;
const either = `((${family('f1')}) OR (${family('f2')}) OR ${withWords('invoice*')})`;
const stated = (condition: string): string =>
  `id IN (SELECT sample_id FROM known_value JOIN sample_value ON value_id = known_value.id WHERE ${condition})`;
const signed = stated("field = 'signer' AND value GLOB '*corp*'");
const signedOrNot = `type LIKE 'pe%' AND (${signed} OR NOT (${packed}))`;
const asked: readonly Asked[] = [
  { query: '', where: 'true', ...byTime },
  { query: 'invoice', where: withWords('invoice*'), ...byTime },
  { query: 'tag:packed', where: packed, ...byTime },
  { query: 'size:>1MB', where: 'size_bytes > 1000000', ...byTime },
  { query: '-tag:packed', where: `NOT (${packed})`, ...byTime },
  { query: 'tag:packed OR size:>1MB', where: `((${packed}) OR size_bytes > 1000000)`, ...byTime },
  { query: 'tag:family:f1 OR tag:family:f2 OR invoice', where: either, ...byTime },
  { query: 'type:pe (signer:*corp* OR NOT tag:packed)', where: signedOrNot, ...byTime },
  { query: 'imphash:00*', where: stated("field = 'imphash' AND value GLOB '00*'"), ...byTime },
  { query: 'signer:"acme corp"', where: stated("field = 'signer' AND value = 'acme corp'"), ...byTime },
  { query: 'sandbox:found', where: stated("field = 'sandbox' AND value = 'found'"), ...byTime },
  {
    query: 'date:2023-12..2024-01 -sandbox:found',
    where: `${stated("field = 'date' AND value >= '2023-12-01' AND value < '2024-02-01'")}
      AND NOT ${stated("field = 'sandbox' AND value = 'found'")}`,
    ...byTime,
  },
  { query: 'severity:bad', where: 'severity = 2', ...byTime },
  { query: '', where: 'true', sort: { by: 'name', descending: false }, order: 'name IS NULL, name COLLATE NOCASE, id' },
];

/**
 * From the call of a page to its reply, over HTTP, of a host that was just started; the sum over the queries, each with
 * a list of its own every time.
 */
export const library1m: Row = {
  name: 'library-1m',
  reference:
    `count(*) and the first ${rowsAWindow} rows of the same queries over a million samples, ` +
    'on a connection that stays open',
  limit:
    'The reference is SQLite’s own time for the same rows. Vitrine adds a request to a thread, JSON, output ' +
    'validation, and HTTP.',
  aim: 1.2,
  must: 1.5,
  residentMustMiB: null,
  async measure(settings) {
    const data = await stockedLibrary(settings);
    const program = startProgram('electron/web.ts', [
      '--port',
      '0',
      '--data',
      data,
      '--exports',
      settings.folder,
      '--no-open',
    ]);
    const sql = new DatabaseSync(join(data, 'vitrine.db'), { readOnly: true });
    try {
      const [link] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
      return { ratio: await ratioOf(await openHostCalls(link), sql, settings.quick ? 1 : 5), residentMiB: null };
    } finally {
      sql.close();
      await program.stop();
    }
  },
};

/** @returns the data directory, whose library holds a million samples */
export async function stockedLibrary({ folder, quick }: RowSettings): Promise<string> {
  const data = join(folder, 'data');
  await mkdir(data);
  await runEntry('build/page.ts', []);
  await runEntry('electron/bench.ts', [
    'stock-library',
    '--data',
    data,
    '--samples',
    String(quick ? 200_000 : 1_000_000),
  ]);
  return data;
}

/** The first of each is not counted: it starts threads, and reads the file for the first time. */
async function ratioOf(call: HostCalls, sql: DatabaseSync, counts: number): Promise<number> {
  // Space for the rows that are read, as the host has it.
  sql.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY');
  const ratios: number[] = [];
  for (let count = 0; count <= counts; count += 1) {
    let [ours, theirs] = [0, 0];
    for (const one of asked) {
      const [listed, selected] = [await timed(() => list(call, one, count)), await timed(() => select(sql, one))];
      if (listed.found !== selected.found)
        throw new Error(`"${one.query}" finds ${listed.found}, and ${selected.found} are to be found`);
      ours += listed.ms;
      theirs += selected.ms;
    }
    if (count > 0) ratios.push(ours / theirs);
  }
  return median(ratios);
}

async function timed(work: () => Promise<string> | string): Promise<{ ms: number; found: string }> {
  const begun = performance.now();
  const found = await work();
  return { ms: performance.now() - begun, found };
}

/** @returns how many there are, and the first of them */
async function list(call: HostCalls, { query, sort }: Asked, moment: number): Promise<string> {
  const { rows, total } = await call('library.list', {
    terms: termsOf(query),
    sort,
    moment: String(moment),
    offset: 0,
    limit: rowsAWindow,
  });
  return `${total}, ${rows[0]?.hash}`;
}

function termsOf(query: string): QueryTerm[] {
  const read = readLibraryQuery(query, new Date());
  if (read.kind === 'problem') throw new Error(`${query}: ${read.problem.reason}`);
  return read.terms;
}

const totalRow = z.object({ total: z.number() });
const hashRow = z.object({ sha256: z.string() });

/** The same of the reference. */
function select(sql: DatabaseSync, { where, order }: Asked): string {
  const { total } = totalRow.parse(sql.prepare(`SELECT count(*) AS total FROM sample WHERE ${where}`).get());
  const rows = sql
    .prepare(
      `SELECT *, (SELECT group_concat(tag) FROM sample_tag WHERE sample_tag.sha256 = sample.sha256) FROM sample
        WHERE ${where} ORDER BY ${order} LIMIT ${rowsAWindow}`,
    )
    .all();
  return `${total}, ${hashRow.parse(rows[0]).sha256}`;
}
