import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { filesHolding } from '../disk.ts';
import { dataOf, type Vitrine, endedJob } from './vitrine.ts';

/** How a file is called that is being written, wherever it lies. */
const unfinished = /\.(?:part|unfinished)$/;

/** No file of a program, wherever it is, holds a sample as it is. */
export async function assertStoredEncrypted(folder: string, live: readonly string[]): Promise<void> {
  assert.deepEqual(await filesHolding(folder, ...live), [], 'files hold live bytes');
}

/** What holds for every open program, whatever happened to it before. */
export async function assertSound(vitrine: Vitrine): Promise<void> {
  const { broken } = await vitrine.call('journal.verify', {});
  assert.equal(broken, null, 'the chain of the journal does not hold');
  for (const place of ['vault/incoming', 'staging'])
    assert.deepEqual(await entriesOf(join(dataOf(vitrine.folder), place)), [], `${place} keeps what nobody finishes`);
  assert.deepEqual(
    (await readdir(dataOf(vitrine.folder), { recursive: true })).filter((path) => unfinished.test(path)),
    [],
    'the data keeps what nobody finishes',
  );
  if ((await vitrine.call('library.count', {})).inVault === 0) return;
  const check = await endedJob(vitrine, (await vitrine.call('storage.check', {})).id);
  assert.equal(check.counts.done, check.items, 'the vault does not hold what the library lists');
}

/** What holds for a closed program. */
export async function assertWhole(folder: string): Promise<void> {
  for (const database of [join(dataOf(folder), 'vitrine.db'), join(dataOf(folder), 'lab', 'lab.db')].filter((path) =>
    existsSync(path),
  )) {
    const sql = new DatabaseSync(database);
    try {
      assert.deepEqual(
        sql
          .prepare('PRAGMA integrity_check')
          .all()
          .map((row) => Object.values(row)[0]),
        ['ok'],
        database,
      );
      assert.deepEqual(sql.prepare('PRAGMA foreign_key_check').all(), [], database);
    } finally {
      sql.close();
    }
  }
}

const entriesOf = async (path: string): Promise<string[]> => (existsSync(path) ? readdir(path) : []);
