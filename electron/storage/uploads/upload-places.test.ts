import { expect, test } from 'vitest';
import type { Failure } from '../../../shared/failure.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { hashesOf, newFile } from '../testing/upload.fixture.ts';
import { UploadStore } from './upload-store.ts';

let database: TestDatabase;
let uploads: UploadStore;
databaseForEachTest((opened) => {
  database = opened;
  uploads = new UploadStore(database.db);
});

const gone: Failure = { kind: 'file-gone', name: 'x' };
const failed = (number: number, failure: Failure, cameByItself = true): number => {
  const [id = 0] = uploads.add('lab', [newFile(number, { hashes: hashesOf(number), cameByItself, isTicked: false })]);
  uploads.failed(id, failure);
  return id;
};
const lost = (): number[] => [...uploads.places.lost()].flat().map(({ id }) => id);

test('only unreadable automatically added files are searched for', () => {
  const ids = [
    failed(1, gone),
    failed(2, { kind: 'file-changed', name: 'x' }),
    failed(3, { kind: 'file-unreadable', name: 'x', code: 'EIO' }),
  ];
  failed(4, gone, false);
  failed(5, { kind: 'two-samples-one-md5', md5: hashesOf(5).md5, sha256s: [] });
  expect(lost()).toEqual(ids);
  for (const id of ids) uploads.foundAgain(id);
  expect(lost()).toEqual([]);
  expect(uploads.toLook(9).map(({ id }) => id)).toEqual(ids);
  expect(uploads.get(ids[0] ?? 0)).toMatchObject({ state: 'ready', failure: null, presence: 'held', isTicked: false });
});

test('a file found again becomes a copy of one a person added meanwhile', () => {
  const id = failed(1, gone);
  const [own = 0] = uploads.add('lab', [newFile(1, { hashes: hashesOf(1) })]);
  uploads.foundAgain(id);
  expect([uploads.get(id), uploads.get(own)]).toMatchObject([
    { state: 'same', sameAs: own, failure: null },
    { state: 'ready', isTicked: true },
  ]);
});

test('a row with a damaged failure does not stop others from being found', () => {
  const [damaged, id] = [failed(1, gone), failed(2, gone)];
  database.db.command("UPDATE upload_file SET failure = '{' WHERE id = ?").run(damaged);
  expect(lost()).toEqual([id]);
});

test('many files are found a page at a time', () => {
  const ids = Array.from({ length: 251 }, (_, index) => failed(index + 1, gone));
  expect([...uploads.places.lost()].map((page) => page.length)).toEqual([250, 1]);
  expect(lost()).toEqual(ids);
});
