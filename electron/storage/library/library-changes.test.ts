import { expect, test } from 'vitest';
import { z } from 'zod';
import { longestNote } from '../../../shared/domain/library.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { ScanStore } from '../scans/scan-store.ts';
import { WorkspaceStore } from '../settings/workspace-store.ts';
import { watchLibrary } from '../stores.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { foundByWords } from '../testing/found-by-words.fixture.ts';
import {
  beginScan,
  noteOf as scanNoteOf,
  resultOf,
  scanFile,
  scanHashesOf,
  sha256Of,
} from '../testing/scan.fixture.ts';
import { addReady } from '../testing/upload.fixture.ts';
import { UploadStore } from '../uploads/upload-store.ts';
import { LibraryStore } from './library-store.ts';

let database: TestDatabase;
let library: LibraryStore;
databaseForEachTest((opened) => {
  database = opened;
  library = new LibraryStore(database.db, database.journal);
});

const keep = (number: number): unknown =>
  library.recordDownload({
    workspaceId: 'lab',
    md5: scanHashesOf(number).md5,
    hashes: scanHashesOf(number),
    sizeBytes: number,
    outcome: 'done',
  });
const reported = (number: number, facts: Parameters<typeof recordWith>[0], workspaceId = 'lab'): void =>
  library.noteRecord({ workspaceId, md5: scanHashesOf(number).md5, record: recordWith(facts) });
const noteOf = (number: number): string | undefined => library.sample(sha256Of(number))?.note?.text;
const rowOf = (number: number) => library.sample(sha256Of(number))?.row;
const noted = (word: string): string[] =>
  database.db
    .query(
      z.object({ sha256: z.string() }),
      'SELECT sha256 FROM note_text JOIN sample_own ON sample_own.id = note_text.rowid WHERE note_text MATCH ?',
    )
    .all(word)
    .map(({ sha256 }) => sha256);
const unchanged = { add: [], remove: [] };

test('tags, a TLP and a note are set on several samples at once, and the number changed is returned', () => {
  for (const number of [1, 2]) keep(number);
  reported(3, { name: 'by its MD5.exe' });
  const change = { add: ['case:7'], remove: [], tlp: 'green' as const, note: 'Seen in March.' };
  expect(
    library.changeSamples([sha256Of(1), scanHashesOf(2).md5, sha256Of(1), scanHashesOf(3).md5, sha256Of(99)], change),
  ).toEqual({ changed: 2, leftOut: 2 });
  for (const number of [1, 2])
    expect(rowOf(number)).toMatchObject({ tags: ['case:7'], serviceTags: [], tlp: 'green', hasNote: true });
  expect(library.sample(scanHashesOf(3).md5)?.row).toMatchObject({
    hash: scanHashesOf(3).md5,
    name: 'by its MD5.exe',
    tags: [],
    tlp: null,
    hasNote: false,
  });
  expect(library.changeSamples([sha256Of(1)], { add: ['case:7'], remove: ['none'], tlp: 'green', note: ' ' })).toEqual({
    changed: 0,
    leftOut: 0,
  });
  expect(library.changeSamples([sha256Of(1), sha256Of(2)], { ...unchanged, tlp: null })).toEqual({
    changed: 2,
    leftOut: 0,
  });
  expect(rowOf(1)).toMatchObject({ tags: ['case:7'], tlp: null, hasNote: true });
});

test('a TLP is undone only where the local value is still the undone one', () => {
  for (const number of [1, 2, 3]) keep(number);
  const hashes = [1, 2, 3].map(sha256Of);
  library.changeSamples(hashes, { ...unchanged, tlp: 'green' });
  library.changeSamples([sha256Of(2)], { ...unchanged, tlp: 'red' });
  library.changeSamples([sha256Of(3)], { ...unchanged, tlp: null });
  expect(
    library.changeSamples(hashes, { add: ['with it'], remove: [], tlp: 'amber', note: 'and this', whereTlp: 'green' }),
  ).toEqual({ changed: 1, leftOut: 0 });
  expect([1, 2, 3].map((number) => [rowOf(number)?.tlp, rowOf(number)?.tags, noteOf(number)])).toEqual([
    ['amber', ['with it'], 'and this'],
    ['red', [], undefined],
    [null, [], undefined],
  ]);
  expect(library.changeSamples(hashes, { ...unchanged, tlp: 'clear', whereTlp: null })).toEqual({
    changed: 1,
    leftOut: 0,
  });
  expect(rowOf(3)?.tlp).toBe('clear');
});

test('a text is appended below the existing note after an empty line, as long as there is space', () => {
  for (const number of [1, 2]) keep(number);
  library.setNote(sha256Of(1), 'Erste Notiz');
  library.changeSamples([sha256Of(1), sha256Of(2)], { ...unchanged, note: 'packer' });
  expect([noteOf(1), noteOf(2)]).toEqual(['Erste Notiz\n\npacker', 'packer']);
  expect(
    library.changeSamples([sha256Of(1), sha256Of(2)], {
      ...unchanged,
      add: ['full'],
      note: 'x'.repeat(longestNote - 10),
    }),
  ).toEqual({ changed: 1, leftOut: 1 });
  expect([noteOf(1), rowOf(1)?.tags, rowOf(2)?.tags]).toEqual(['Erste Notiz\n\npacker', [], ['full']]);
});

test('a text whose addition is uncertain is there once, with the tags added along', () => {
  for (const number of [1, 2, 3]) keep(number);
  library.setNote(sha256Of(1), 'Erste Notiz');
  library.setNote(sha256Of(3), 'packer of its own');
  const hashes = [1, 2, 3].map(sha256Of);
  library.changeSamples(hashes, { ...unchanged, note: 'packer' });
  expect(library.changeSamples(hashes, { ...unchanged, add: ['seen'], note: 'packer', again: true })).toEqual({
    changed: 3,
    leftOut: 0,
  });
  expect(library.changeSamples(hashes, { ...unchanged, note: 'packer', again: true })).toEqual({
    changed: 3,
    leftOut: 0,
  });
  expect([1, 2, 3].map((number) => [noteOf(number), rowOf(number)?.tags])).toEqual([
    ['Erste Notiz\n\npacker', ['seen']],
    ['packer', ['seen']],
    ['packer of its own\n\npacker', ['seen']],
  ]);
  // No part of another word or line is the text; one that was not done is done then.
  library.setNote(sha256Of(1), 'an unpacker');
  expect([library.changeSamples([sha256Of(1)], { ...unchanged, note: 'packer', again: true }), noteOf(1)]).toEqual([
    { changed: 1, leftOut: 0 },
    'an unpacker\n\npacker',
  ]);
});

test('a note is found by its words until it is replaced or removed', () => {
  keep(1);
  library.setNote(sha256Of(1), 'A packer');
  expect([noted('packer'), rowOf(1)?.hasNote]).toEqual([[sha256Of(1)], true]);
  library.setNote(sha256Of(1), 'A loader');
  expect([noted('packer'), noted('loader')]).toEqual([[], [sha256Of(1)]]);
  library.setNote(sha256Of(1), '');
  expect([noted('loader'), rowOf(1)?.hasNote, library.sample(sha256Of(1))?.note]).toEqual([[], false, null]);
  expect(database.db.query(z.object({ id: z.number() }), 'SELECT id FROM sample_own').all()).toEqual([]);
});

test('all TLPs of a sample are listed with their sources, the strictest first', () => {
  keep(1);
  // Before anything stricter is said: an upload heeds it.
  addReady(new UploadStore(database.db), 1, { hashes: scanHashesOf(1), tlp: 'amber' });
  reported(1, { tags: ['TLP:green', 'tlp:nonsense'] });
  reported(1, { tags: ['tlp:white', 'tlp:green'] }, 'w-1');
  library.changeSamples([sha256Of(1)], { ...unchanged, tlp: 'amber+strict' });
  new ScanStore(database.db).addFiles(beginScan(new SqliteJobStore(database.db), 'scan', 1), [
    scanFile(1, { tlp: 'green' }),
  ]);
  expect(library.sample(sha256Of(1))?.tlps).toEqual([
    { level: 'amber+strict', source: 'own' },
    { level: 'amber', source: 'upload' },
    { level: 'green', source: 'scan' },
    { level: 'green', source: 'tag' },
    { level: 'clear', source: 'tag' },
  ]);
  expect([rowOf(1)?.tlp, library.tlpOf({ md5: scanHashesOf(1).md5, sha256: sha256Of(1) })]).toEqual([
    'amber+strict',
    'amber+strict',
  ]);
});

test('a sample is returned with the record of each workspace, the newest first', () => {
  reported(1, { name: 'old.exe', sha256: sha256Of(1) });
  database.db.command("UPDATE record SET read_at = '2000-01-01T00:00:00.000Z'").run();
  reported(1, { name: 'new.exe', tags: ['Theirs, too'] }, 'w-1');
  expect(library.sample(sha256Of(1))).toMatchObject({
    row: { name: 'new.exe', tags: [], serviceTags: ['theirs', 'too'], vault: 'none' },
    note: null,
    tlps: [],
    records: [
      { workspaceId: 'w-1', record: { name: 'new.exe' } },
      { workspaceId: 'lab', readAt: '2000-01-01T00:00:00.000Z', record: { name: 'old.exe' } },
    ],
  });
  expect([library.sample(scanHashesOf(1).md5)?.row.hash, library.sample(sha256Of(2))]).toEqual([sha256Of(1), null]);
  reported(1, {
    comments: [{ id: '1', parentId: null, author: null, content: 'long', created: null }],
    listsComments: true,
  });
  expect(library.sample(sha256Of(1))).toMatchObject({
    row: { comments: 1 },
    records: [{ record: { comments: [], listsComments: true } }, {}],
  });
  expect(library.record('lab', scanHashesOf(1).md5)?.comments).toHaveLength(1);
});

test('previews are kept and set the type of their row', () => {
  for (const number of [1, 2]) keep(number);
  reported(1, { mime: 'text/plain' });
  library.keepPreviews([
    { sha256: sha256Of(1), type: 'application/x-dosexec', strip: '100'.repeat(64) },
    { sha256: sha256Of(2), type: null, strip: null },
  ]);
  library.keepPreviews([{ sha256: sha256Of(1), type: null, strip: null }]);
  reported(1, { mime: 'text/html' });
  expect(rowOf(1)?.type).toBe('application/x-dosexec');
  expect(library.previewsOf([sha256Of(1), sha256Of(2), sha256Of(3)])).toEqual(
    expect.arrayContaining([
      { sha256: sha256Of(1), type: 'application/x-dosexec', strip: '100'.repeat(64) },
      { sha256: sha256Of(2), type: null, strip: null },
    ]),
  );
  database.db.command("UPDATE sample_look SET strip = 'of tomorrow'").run();
  expect(library.previewsOf([sha256Of(1)])).toEqual([]);
});

test('data added by a person and another workspace survives the removal of the source workspace', () => {
  const workspaces = new WorkspaceStore(database.db, database.journal);
  database.db.command("INSERT INTO workspace (id, body) VALUES ('w-1', '{}')").run();
  library.recordUploads([
    { workspaceId: 'lab', md5: scanHashesOf(1).md5, hashes: scanHashesOf(1), sizeBytes: 10, outcome: 'done' },
  ]);
  for (const number of [1, 2, 3, 4, 5])
    reported(number, { sha256: sha256Of(number), name: 'theirs.exe', tags: ['theirs'] }, 'w-1');
  library.changeSamples([sha256Of(1)], { add: ['mine'], remove: [], tlp: 'red', note: 'packer' });
  library.changeSamples([sha256Of(2)], { add: ['mine'], remove: [] });
  library.setNote(sha256Of(3), 'packer');
  new ScanStore(database.db).record(beginScan(new SqliteJobStore(database.db), 'scan', 4), [
    scanNoteOf(4, resultOf('local', ['A'])),
  ]);
  workspaces.remove('w-1', { forgetLibrary: true });
  expect([1, 2, 3, 4, 5].map((number) => library.find(sha256Of(number)) !== null)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(rowOf(1)).toMatchObject({ name: null, tags: ['mine'], serviceTags: [], tlp: 'red', hasNote: true });
  expect([noted('packer').toSorted(), rowOf(4)?.hits]).toEqual([[sha256Of(1), sha256Of(3)].toSorted(), 1]);
  expect([foundByWords(database.db, 'theirs').length, foundByWords(database.db, 'mine').length]).toEqual([0, 2]);
});

test('a row named by two of its hashes is changed once', () => {
  keep(1);
  expect(
    library.changeSamples([sha256Of(1), scanHashesOf(1).md5, scanHashesOf(1).sha1], {
      add: [],
      remove: [],
      note: 'once',
    }),
  ).toEqual({ changed: 1, leftOut: 0 });
  expect(noteOf(1)).toBe('once');
});

test('nothing lasting is stored for bytes unknown to the library', () => {
  library.setNote(sha256Of(1), 'of nothing');
  library.keepPreviews([{ sha256: sha256Of(1), type: 'pe', strip: null }]);
  expect([noted('nothing'), library.previewsOf([sha256Of(1)])]).toEqual([[], []]);
});

test('a scan file given again with another TLP takes exactly that TLP', () => {
  keep(1);
  const [scans, job] = [new ScanStore(database.db), beginScan(new SqliteJobStore(database.db), 'scan', 1)];
  for (const tlp of ['red', 'green', 'amber'] as const) {
    scans.addFiles(job, [scanFile(1, { tlp })]);
    expect(rowOf(1)?.tlp).toBe(tlp);
  }
  scans.addFiles(job, [scanFile(2, { tlp: 'amber', position: 1 })]);
  expect(rowOf(1)?.tlp).toBe(null);
});

test('words of samples and notes changed together are indexed at once, not sample by sample', () => {
  const segments = (index: string): number =>
    database.db
      .query(z.object({ segments: z.number() }), `SELECT count(DISTINCT segid) AS segments FROM ${index}_idx`)
      .get()?.segments ?? 0;
  // With whom rows have triggers, as in the program.
  watchLibrary(database.db, () => {});
  for (const number of [1, 2, 3]) keep(number);
  const before = [segments('sample_text'), segments('note_text')] as const;
  library.changeSamples([1, 2, 3].map(sha256Of), { add: ['case:7'], remove: [], note: 'A packer' });
  expect([segments('sample_text') - before[0], segments('note_text') - before[1]]).toEqual([1, 1]);
  expect([foundByWords(database.db, 'case').length, noted('packer').length]).toEqual([3, 3]);
});

test('words of a sample removed in the step of their arrival are not left behind', () => {
  database.db.transaction(() => {
    keep(1);
    database.db.command('DELETE FROM sample').run();
  });
  expect(
    database.db.sql.prepare(`SELECT rowid FROM sample_text WHERE sample_text MATCH '${scanHashesOf(1).md5}'`).all(),
  ).toEqual([]);
});
