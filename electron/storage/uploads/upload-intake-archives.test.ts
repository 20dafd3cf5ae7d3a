import { expect, test } from 'vitest';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import {
  addArchive,
  addReady,
  change,
  hashesOf,
  newFile,
  openedAs,
  remove,
  stagedIdOf,
} from '../testing/upload.fixture.ts';
import { UploadStore } from './upload-store.ts';

let database: TestDatabase;
let uploads: UploadStore;
databaseForEachTest((opened) => {
  database = opened;
  uploads = new UploadStore(database.db);
});

const limits = { files: 10, bytes: 1000 };
const files = (workspaceId = 'lab'): UploadFile[] => uploads.window(workspaceId, 0, 1000).files;
const names = (): string[] => files().map(({ name }) => name);

test('members appear below their archive, with its tags, TLP and tick at the time of their arrival', () => {
  const archive = addArchive(uploads, 1);
  const after = addReady(uploads, 2);
  change(uploads, { kind: 'files', ids: [archive] }, { addTags: ['case:7'], tlp: 'green', virusTotal: true });
  const [member = 0, refused = 0] = uploads.add('lab', [
    newFile(3, { parentId: archive }),
    newFile(4, { parentId: archive, stagedId: null, failure: { kind: 'archive-password', name: 'x' } }),
  ]);
  uploads.setArchive(archive, openedAs('open', 2));
  expect(files().map(({ id }) => id)).toEqual([archive, member, refused, after]);
  expect(files()[1]).toMatchObject({
    parentId: archive,
    tags: ['case:7'],
    tlp: 'green',
    isTicked: true,
    virusTotal: false,
  });
  expect(files()[0]).toMatchObject({ isTicked: false, archive: { state: 'open', members: 2, failure: null } });
  change(uploads, { kind: 'files', ids: [archive] }, { isTicked: true });
  uploads.setArchive(archive, openedAs('open', 2));
  expect(files()[0]).toMatchObject({ isTicked: true });
});

test.each([true, false])(
  'a tick of an archive being opened applies to all members, also those already extracted; ticked: %s',
  (isTicked) => {
    const archive = addArchive(uploads, 1);
    change(uploads, { kind: 'files', ids: [archive] }, { isTicked: !isTicked });
    const [own = 0, another = 0] = uploads.add('lab', [
      newFile(3, { parentId: archive, hashes: hashesOf(3) }),
      newFile(4, { hashes: hashesOf(4), isTicked: !isTicked }),
    ]);
    uploads.add(
      'lab',
      Array.from({ length: 600 }, (_, index) => newFile(index + 10, { parentId: archive })),
    );
    change(uploads, { kind: 'files', ids: [own] }, { tlp: 'green' });
    change(uploads, { kind: 'files', ids: [archive] }, { isTicked });
    uploads.add('lab', [newFile(5, { parentId: archive, hashes: hashesOf(5) })]);
    change(uploads, { kind: 'files', ids: [own] }, { isTicked: !isTicked });
    uploads.setArchive(archive, openedAs('open', 602));
    const ticks = new Map(files().map((file) => [file.id, file.isTicked]));
    expect([ticks.get(archive), ticks.get(own), ticks.get(another)]).toEqual([false, !isTicked, !isTicked]);
    expect(
      files()
        .filter((file) => file.parentId === archive && file.id !== own)
        .map((file) => file.isTicked),
    ).toEqual(Array.from({ length: 601 }, () => isTicked));
  },
);

test('an archive that yields nothing stays ticked', () => {
  const archive = addArchive(uploads, 1);
  uploads.add('lab', [newFile(3, { parentId: archive, failure: { kind: 'archive-password', name: 'x' } })]);
  uploads.setArchive(archive, openedAs('open', 1));
  expect(files()[0]).toMatchObject({ isTicked: true });
});

test('a locked archive is opened when reset to opening, and its members can be removed', () => {
  const archive = addArchive(uploads, 1);
  uploads.setArchive(archive, openedAs('locked', 0));
  expect(uploads.toOpen(9)).toEqual([]);
  uploads.setArchive(archive, openedAs('opening', 0));
  expect(uploads.toOpen(9).map(({ id }) => id)).toEqual([archive]);
  uploads.add('lab', [newFile(2, { parentId: archive, hashes: hashesOf(5) }), newFile(3, { parentId: archive })]);
  const copy = addReady(uploads, 5);
  expect(uploads.get(copy)?.state).toBe('same');
  expect(uploads.removeMembers(archive).toSorted()).toEqual([stagedIdOf(2), stagedIdOf(3)]);
  expect(names()).toEqual(['archive.zip', 'file-5']);
  expect(uploads.get(copy)?.state).toBe('ready');
});

test('an archive in an archive, and a copy of one, are not opened', () => {
  const archive = addArchive(uploads, 1);
  const [member = 0] = uploads.add('lab', [newFile(2, { parentId: archive, hashes: hashesOf(2) })]);
  const copy = addArchive(uploads, 1);
  uploads.looked([{ id: member, mime: 'application/zip', strip: null, isZip: true }]);
  expect(uploads.toOpen(9).map(({ id }) => id)).toEqual([archive]);
  remove(uploads, { kind: 'files', ids: [archive] });
  uploads.looked(uploads.toLook(9).map(({ id }) => ({ id, mime: 'application/zip', strip: null, isZip: true })));
  expect(uploads.toOpen(9).map(({ id }) => id)).toEqual([copy]);
});

test('members are removed with their archive, and no file of another draft is', () => {
  const archive = addArchive(uploads, 1);
  uploads.add('lab', [newFile(2, { parentId: archive }), newFile(3, { parentId: archive })]);
  addReady(uploads, 4);
  const other = addReady(uploads, 5, {}, 'w-1');
  expect(remove(uploads, { kind: 'files', ids: [archive, other, 999] }).toSorted()).toEqual([1, 2, 3].map(stagedIdOf));
  expect(names()).toEqual(['file-4']);
  expect(uploads.get(other)).not.toBeNull();
  change(uploads, { kind: 'all' }, { isTicked: false });
  expect(remove(uploads, { kind: 'ticked' })).toEqual([]);
  expect(remove(uploads, { kind: 'all' })).toEqual([stagedIdOf(4)]);
  expect(() => uploads.add('lab', [newFile(6, { parentId: archive })])).toThrow(
    expect.objectContaining({ failure: { kind: 'upload-file-missing', id: archive } }),
  );
});

test('a file that may still be an archive delays sending', () => {
  const [id = 0] = uploads.add('lab', [newFile(1, { hashes: hashesOf(1) })]);
  expect(uploads.draft('lab', limits).busy).toBe(1);
  uploads.looked([{ id, mime: null, strip: null, isZip: false }]);
  expect(uploads.draft('lab', limits).busy).toBe(0);
});
