import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import { openDatabase } from './database.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

const rounds = 4;
const commits = 1000;

test('a closed database is open nowhere in the process, and the next opener has all of its data', async () => {
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
