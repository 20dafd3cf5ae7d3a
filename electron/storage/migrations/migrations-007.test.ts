import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { phraseExpression } from '../database/search-expression.ts';
import { IndexUpkeep } from '../library/library-index.ts';
import { LibraryStore } from '../library/library-store.ts';
import {
  makeTestFolder,
  openTestDatabase,
  recordWith,
  type TestDatabase,
  type TestFolder,
} from '../testing/database.fixture.ts';
import { foundByWords } from '../testing/found-by-words.fixture.ts';
import { scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { migrate, migrations } from './migrations.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

const time = '2030-01-01T00:00:00.000Z';

/** A database of version 6 with so many samples, whose two tags version 5 put in side by side. */
function stocked(count: number): TestDatabase {
  const sql = new DatabaseSync(join(folder.path, 'vitrine.db'), { enableForeignKeyConstraints: true });
  migrate(sql, migrations.slice(0, 6));
  for (let number = 1; number <= count; number++) {
    const { md5 } = scanHashesOf(number);
    sql
      .prepare('INSERT INTO sample (md5, sha256, first_seen, last_seen) VALUES (?, ?, ?, ?)')
      .run(md5, sha256Of(number), time, time);
    sql
      .prepare('INSERT INTO record (workspace_id, md5, read_at, body) VALUES (?, ?, ?, ?)')
      .run('lab', md5, time, JSON.stringify(recordWith({ tags: ['alpha', 'beta'] })));
    sql
      .prepare('INSERT INTO sample_text (rowid, name, hashes, tags, comments, threat) VALUES (?, ?, ?, ?, ?, ?)')
      .run(number, '', md5, 'alpha\nbeta', '', '');
  }
  sql.close();
  return openTestDatabase(folder.path);
}

/** How many samples have the two tags side by side, as if they were one. */
const besides = (db: Database): number =>
  db
    .query(z.object({ samples: z.number() }), 'SELECT count(*) AS samples FROM sample_text WHERE sample_text MATCH ?')
    .get(phraseExpression('alpha beta'))?.samples ?? 0;

test('words of an older version are indexed again, and no phrase spans two values', () => {
  const { db } = stocked(5);
  expect(besides(db)).toBe(5);
  const upkeep = new IndexUpkeep(db);
  expect([upkeep.step(3), besides(db)]).toEqual([true, 2]);
  expect([
    new IndexUpkeep(db).step(3),
    besides(db),
    foundByWords(db, 'alpha').length,
    foundByWords(db, scanHashesOf(1).md5).length,
  ]).toEqual([true, 0, 5, 1]);
  // What records state is read again after that.
  expect([upkeep.step(3), upkeep.step(3)]).toEqual([false, false]);
  db.close();
});

test('a row added since is left alone, and a new database has nothing to do', () => {
  const { db, journal } = stocked(0);
  new LibraryStore(db, journal).noteRecord({
    workspaceId: 'lab',
    md5: scanHashesOf(1).md5,
    record: recordWith({ tags: ['alpha', 'beta'] }),
  });
  expect(new IndexUpkeep(db).step(100)).toBe(false);
  expect([besides(db), foundByWords(db, 'alpha').length]).toEqual([0, 1]);
  db.close();
});
