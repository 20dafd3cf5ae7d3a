import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CommentStore } from './comments/comment-store.ts';
import { SqliteJobStore } from './jobs/job-store.ts';
import { LibraryStore } from './library/library-store.ts';
import { SavedViewStore } from './library/saved-view-store.ts';
import { ScanStore } from './scans/scan-store.ts';
import { watchLibrary } from './stores.ts';
import { databaseForEachTest } from './testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from './testing/database.fixture.ts';
import { beginScan, noteOf, resultOf, scanHashesOf, sha256Of } from './testing/scan.fixture.ts';
import { addReady, change } from './testing/upload.fixture.ts';
import { UploadStore } from './uploads/upload-store.ts';

let database: TestDatabase;
let library: LibraryStore;
let reported = 0;
databaseForEachTest((opened) => {
  database = opened;
  library = new LibraryStore(database.db, database.journal);
  const { sha256, ...others } = scanHashesOf(1);
  library.recordDownload({
    workspaceId: 'lab',
    md5: others.md5,
    hashes: { ...others, sha256 },
    sizeBytes: 10,
    outcome: 'done',
  });
  watchLibrary(database.db, () => void (reported += 1));
  reported = 0;
});

const { md5, sha1, sha256 } = scanHashesOf(1);
const scan = (rules: string[]): void =>
  new ScanStore(database.db).record(beginScan(new SqliteJobStore(database.db), 'hunt', 1), [
    noteOf(1, resultOf('local', rules)),
  ]);

function uploadWithTlp(): void {
  const uploads = new UploadStore(database.db);
  const id = addReady(uploads, 1, { hashes: { md5, sha1, sha256 } });
  change(uploads, { kind: 'files', ids: [id] }, { tlp: 'red' });
}

test.each<[string, () => unknown]>([
  [
    'a sample that is new',
    () => library.noteRecord({ workspaceId: 'lab', md5: 'f'.repeat(32), record: recordWith({ name: 'x' }) }),
  ],
  ['a record', () => library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ tags: ['theirs'] }) })],
  [
    'a comment that is sent',
    () => new CommentStore(database.db, database.journal).begin('lab', md5, { text: 'mine', parentId: null }),
  ],
  ['hits of a hunt', () => scan(['A'])],
  ['the TLP of a file in a draft', uploadWithTlp],
  ['the look of a sample', () => library.keepPreviews([{ sha256, type: 'pe', strip: null }])],
  ['damage', () => library.setDamage(sha256, 'missing')],
  ['own tags', () => library.changeSamples([sha256], { add: ['mine'], remove: [] })],
  ['a sample that is forgotten', () => library.forget([sha256], 'all')],
])('the watch of the library reports %s', async (_, act) => {
  act();
  expect(reported).toBe(0);
  await nextTurn();
  expect(reported).toBe(1);
});

test('the watch of the library reports a lost hit and ignores unrelated changes', async () => {
  scan(['A']);
  await nextTurn();
  new SavedViewStore(database.db).save({
    id: null,
    name: 'Mine',
    query: '',
    sort: { by: 'name', descending: false },
    columns: null,
  });
  library.sample(sha256Of(1));
  await nextTurn();
  expect(reported).toBe(1);
  scan([]);
  await nextTurn();
  expect(reported).toBe(2);
});
