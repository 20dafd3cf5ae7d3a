import { expect, test } from 'vitest';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { addReady, change } from '../testing/upload.fixture.ts';
import { UploadStore } from '../uploads/upload-store.ts';
import { LibraryStore } from './library-store.ts';
import { tagsBeginningWith } from './library-tags.ts';

let database: TestDatabase;
let uploads: UploadStore;
databaseForEachTest((opened) => {
  database = opened;
  uploads = new UploadStore(database.db);
});

const note = (digit: string, tags: string[]): void =>
  new LibraryStore(database.db, database.journal).noteRecord({
    workspaceId: 'lab',
    md5: digit.repeat(32),
    record: recordWith({ tags }),
  });

test('tags are suggested by their beginning or that of their value, the most used first', () => {
  note('a', ['family:emotet', 'emo-kid', 'apt']);
  note('b', ['family:emotet', 'source:mail']);
  note('c', ['APT ', 'apt']);
  note('d', ['apt']);
  expect(tagsBeginningWith(database.db.sql, '')).toEqual(['apt', 'family:emotet', 'emo-kid', 'source:mail']);
  expect(tagsBeginningWith(database.db.sql, ' EMO')).toEqual(['family:emotet', 'emo-kid']);
  expect([
    tagsBeginningWith(database.db.sql, 'family:'),
    tagsBeginningWith(database.db.sql, 'mail'),
    tagsBeginningWith(database.db.sql, 'otet'),
    tagsBeginningWith(database.db.sql, '%'),
  ]).toEqual([['family:emotet'], ['source:mail'], [], []]);
});

test('tags given by a person are known too, also after their draft is gone', () => {
  const id = addReady(uploads, 1);
  note('a', ['case:1']);
  for (const tag of ['case:7', 'case:7', 'case:8']) change(uploads, { kind: 'files', ids: [id] }, { addTags: [tag] });
  [...uploads.removeInSteps('lab', { kind: 'all' })].flat();
  expect(tagsBeginningWith(database.db.sql, 'case')).toEqual(['case:7', 'case:1', 'case:8']);
});

test('a tag on no record is no longer suggested, and an invalid tag never', () => {
  note('a', ['old', 'tlp:red', 'a,b', '', 'x'.repeat(200), '\uD800']);
  expect(tagsBeginningWith(database.db.sql, '')).toEqual(['old']);
  note('a', ['new']);
  expect(tagsBeginningWith(database.db.sql, '')).toEqual(['new']);
});

test('at most twenty tags are suggested', () => {
  note(
    'a',
    Array.from({ length: 60 }, (_, index) => `tag-${index}`),
  );
  expect(
    [tagsBeginningWith(database.db.sql, ''), tagsBeginningWith(database.db.sql, 'tag')].map((tags) => tags.length),
  ).toEqual([20, 20]);
});
