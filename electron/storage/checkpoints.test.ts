import { existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pagesBeforeOwnCheckpoint } from './checkpoints.ts';
import { openDatabase } from './database.ts';
import { makeTestFolder, type TestFolder } from './desk.fixture.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

const rounds = 4;
const commits = 1000;

test('once the database is closed nobody in the process has it open, and whoever is next has all of it', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const db = openDatabase(folder.path);
    expect(db.sql.prepare('SELECT count(*) AS kept FROM setting').get()).toEqual({ kept: round * commits });
    const put = db.sql.prepare('INSERT INTO setting VALUES (?, ?)');
    for (let at = 0; at < commits; at += 1) {
      db.transaction(() => put.run(`${round}/${at}`, '"x"'.repeat(10_000)), 'soon');
      await setImmediate();
    }
    db.close();
    // The last connection takes the log away.
    expect(existsSync(`${db.path}-wal`)).toBe(false);
  }
});

const bytesAPage = 4096;
const saltAt = 16;

/** Another one each time that it is written from its beginning (https://sqlite.org/fileformat2.html#walformat). */
async function saltOf(log: string): Promise<number> {
  const file = await open(log);
  const { buffer } = await file.read({ buffer: Buffer.alloc(4), position: saltAt });
  await file.close();
  return buffer.readUInt32BE();
}

test('a long log that is written to without end begins anew before SQLite’s own checkpoint would come to it', async () => {
  const db = openDatabase(folder.path);
  const put = db.sql.prepare('INSERT OR REPLACE INTO setting VALUES (?, ?)');
  const log = `${db.path}-wal`;
  db.transaction(() => put.run('first', '"x"'), 'soon');
  const salt = await saltOf(log);
  while ((await saltOf(log)) === salt) {
    db.transaction(() => put.run('large', '"x"'.repeat(100_000)), 'soon');
    await setTimeout(2);
  }
  expect((await stat(log)).size).toBeLessThan(pagesBeforeOwnCheckpoint * bytesAPage);
  db.close();
});
