import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { foundByWords } from '../testing/found-by-words.fixture.ts';
import { LibraryStore } from './library-store.ts';

let database: TestDatabase;
let library: LibraryStore;
databaseForEachTest((opened) => {
  database = opened;
  library = new LibraryStore(database.db, database.journal);
});

const md5 = 'a'.repeat(32);
const otherMd5 = 'b'.repeat(32);
const sha256 = 'c'.repeat(64);
const otherSha256 = 'd'.repeat(64);
const sha1 = 'e'.repeat(40);

const lookUp = (asked: string, facts: Partial<SampleRecord>, workspaceId = 'lab') =>
  library.recordLookup({ workspaceId, md5: asked, record: recordWith(facts), outcome: 'found' });
const download = (of: string, bytes: string, outcome = 'done'): void =>
  library.recordDownload({
    workspaceId: 'lab',
    md5: of,
    hashes: { md5: of, sha1, sha256: bytes },
    sizeBytes: 100,
    outcome,
  });

test('a look-up is kept with its record and journalled', () => {
  expect(lookUp(md5, { name: 'a.exe', sizeBytes: 7, unknown: { extra: [1, { deep: null }] } })).toMatchObject({
    md5,
    sha1: null,
    sha256: null,
    sizeBytes: 7,
    inVault: false,
  });
  expect(library.record('lab', md5)).toEqual(
    recordWith({ name: 'a.exe', sizeBytes: 7, unknown: { extra: [1, { deep: null }] } }),
  );
  expect(library.record('w-1', md5)).toBeNull();
  expect(library.history(md5)).toEqual([
    expect.objectContaining({ operation: 'look-up', workspaceId: 'lab', hash: md5, outcome: 'found' }),
  ]);
  lookUp(md5, { name: 'b.exe' });
  expect(library.record('lab', md5)?.name).toBe('b.exe');
  expect(library.nameOf(md5)).toBe('b.exe');
});

test('the name and SHA-256 of a record are returned without reading its thread', () => {
  lookUp(md5, { name: 'a.exe', sha256 });
  database.db.sql.exec(`UPDATE record SET body = '{"cut'`);
  expect([library.record('lab', md5), library.recorded('lab', md5), library.recorded('w-1', md5)]).toEqual([
    null,
    { name: 'a.exe', sha256 },
    null,
  ]);
});

test('a sample names the others with its MD5, by their SHA-256 or by the MD5 itself', () => {
  lookUp(md5, { sha256 });
  expect(library.sample(sha256)?.sameMd5).toEqual([]);
  lookUp(md5, { sha256: otherSha256 }, 'w-1');
  lookUp(otherMd5, { sha256: 'f'.repeat(64) });
  expect(library.sample(sha256)?.sameMd5).toEqual([otherSha256]);
  expect(library.sample(otherSha256)?.sameMd5).toEqual([sha256]);
});

test('a failed look-up is journalled and adds no data', () => {
  expect(
    library.recordLookup({ workspaceId: 'lab', md5, record: null, outcome: 'unknown-hash', detail: { attempt: 1 } }),
  ).toBeNull();
  expect(library.find(md5)).toBeNull();
  expect(library.history(md5)).toEqual([expect.objectContaining({ outcome: 'unknown-hash', detail: { attempt: 1 } })]);
});

test('a change and its journal row are stored together or not at all', () => {
  database.db.sql.exec("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT raise(ABORT, 'no room'); END");
  expect(() => lookUp(md5, { name: 'a.exe' })).toThrow('no room');
  expect(() => download(md5, sha256)).toThrow('no room');
  expect(library.find(md5)).toBeNull();
  expect(library.record('lab', md5)).toBeNull();
  expect(foundByWords(database.db, 'a.exe')).toEqual([]);
  expect(library.count()).toEqual({ samples: 0, inVault: 0, vaultBytes: 0 });
});

test('a download makes the sample known by all its hashes', () => {
  lookUp(md5, { name: 'a.exe', sizeBytes: 7 });
  download(md5, sha256);
  expect(library.find(sha256)).toMatchObject({ md5, sha1, sha256, sizeBytes: 100, inVault: true });
  for (const hash of [md5, sha1, sha256]) expect(library.find(hash)).toMatchObject({ sha256 });
  expect([library.md5Of(sha1), library.md5Of(sha256), library.md5Of(md5), library.md5Of(otherSha256)]).toEqual([
    md5,
    md5,
    md5,
    null,
  ]);
  expect(library.count()).toEqual({ samples: 1, inVault: 1, vaultBytes: 100 });
  expect(library.history(sha256).map(({ operation }) => operation)).toEqual(['download', 'look-up']);
});

test('a download without kept bytes is journalled and changes nothing', () => {
  lookUp(md5, {});
  const before = library.find(md5);
  library.recordDownload({ workspaceId: 'lab', md5, hashes: null, sizeBytes: null, outcome: 'wrong-bytes' });
  expect(library.find(md5)).toEqual(before);
  expect(library.history(md5)[0]).toMatchObject({ operation: 'download', outcome: 'wrong-bytes' });
});

test('one MD5 with two SHA-256 is two samples, and the one seen last is shown', () => {
  download(md5, sha256);
  download(md5, otherSha256, 'two-samples-one-md5');
  expect(library.sha256sOfMd5(md5).toSorted()).toEqual([sha256, otherSha256]);
  expect(library.count()).toEqual({ samples: 2, inVault: 2, vaultBytes: 200 });
  expect(library.find(sha256)).toMatchObject({ md5, sha256 });
  lookUp(md5, {});
  expect(library.count().samples).toBe(2);
});

test('records with different SHA-256 claims make different samples, and no claim adds no second sample', () => {
  lookUp(md5, { sha256 }, 'w-1');
  lookUp(md5, { sha256: otherSha256 }, 'w-2');
  expect(library.count().samples).toBe(2);
  expect(library.sha256sOfMd5(md5)).toEqual([]);
  expect(library.md5Of(otherSha256)).toBe(md5);
  download(md5, sha256);
  expect(library.sha256sOfMd5(md5)).toEqual([sha256]);
});

test('a service cannot give one sample the SHA-256 of another', () => {
  download(otherMd5, sha256);
  expect(lookUp(md5, { sha256, name: 'impostor' })).toMatchObject({ md5, sha256: null, inVault: false });
  expect(library.find(sha256)).toMatchObject({ md5: otherMd5, inVault: true });
  expect(library.nameOf(sha256)).toBeNull();
});

test('a claim disproved by the bytes is withdrawn, and its sample keeps its MD5', () => {
  lookUp(md5, { sha256, sha1, sizeBytes: 5, name: 'claims too much' });
  download(otherMd5, sha256);
  expect(library.find(sha256)).toMatchObject({ md5: otherMd5, inVault: true });
  expect(library.find(md5)).toMatchObject({ md5, sha256: null, sha1: null, sizeBytes: null });
  expect(library.count().samples).toBe(2);
});

test('no record changes values computed from the bytes', () => {
  download(md5, sha256);
  expect(lookUp(md5, { sha256, sha1: 'f'.repeat(40), sizeBytes: 1 })).toMatchObject({
    sha1,
    sizeBytes: 100,
    inVault: true,
  });
  expect(lookUp(md5, { sha256: null, sha1: 'f'.repeat(40) })).toMatchObject({ sha1, sha256 });
});

test('a sample removed from the vault stays in the library', () => {
  download(md5, sha256);
  library.forget([sha256], 'bytes');
  library.forget([otherSha256], 'bytes');
  expect(library.find(sha256)).toMatchObject({ inVault: false, sizeBytes: 100 });
  expect(library.count()).toEqual({ samples: 1, inVault: 0, vaultBytes: 0 });
  expect(library.sha256sOfMd5(md5)).toEqual([sha256]);
});

test('a missing or altered copy does not count until it is downloaded again or found whole', () => {
  download(md5, sha256);
  for (const damage of ['missing', 'altered'] as const) {
    library.setDamage(sha256, damage);
    expect(library.find(sha256)).toMatchObject({ inVault: false });
    expect(library.sample(sha256)?.row.vault).toBe(damage);
    if (damage === 'missing') download(md5, sha256);
    else library.foundInVault([{ hashes: { md5, sha1, sha256 }, sizeBytes: 100 }]);
    expect(library.find(sha256)).toMatchObject({ inVault: true });
  }
});

test('bytes found in the vault become known, and the journal records their recovery', () => {
  library.foundInVault([{ hashes: { md5, sha1, sha256 }, sizeBytes: 100 }]);
  expect(library.find(md5)).toMatchObject({ sha256, sizeBytes: 100, inVault: true });
  expect(library.count()).toEqual({ samples: 1, inVault: 1, vaultBytes: 100 });
  expect(library.history(sha256)).toMatchObject([{ operation: 'forget', outcome: 'brought-back', hash: sha256 }]);
});

test('a file to be sent is known by its hashes and not in the vault', () => {
  const hashes = { md5, sha1, sha256 };
  library.recordUploads([
    { workspaceId: 'lab', md5, hashes, sizeBytes: 7, outcome: 'done', detail: { job: 3 } },
    { workspaceId: 'lab', md5: otherMd5, hashes: null, sizeBytes: null, outcome: 'file-gone' },
  ]);
  expect(library.find(sha256)).toMatchObject({ md5, sha1, sizeBytes: 7, inVault: false });
  expect(library.find(otherMd5)).toBeNull();
  expect(library.history(md5)).toMatchObject([
    { operation: 'upload', workspaceId: 'lab', hash: md5, outcome: 'done', detail: { job: 3, sha256 } },
  ]);
  expect(library.history(otherMd5)).toMatchObject([{ operation: 'upload', outcome: 'file-gone', detail: {} }]);
  expect(library.sha256sOfMd5(md5)).toEqual([sha256]);
  download(md5, sha256);
  library.recordUploads([{ workspaceId: 'lab', md5, hashes, sizeBytes: 100, outcome: 'already-here' }]);
  expect(library.find(sha256)).toMatchObject({ inVault: true });
  expect(library.count()).toEqual({ samples: 1, inVault: 1, vaultBytes: 100 });
});

test('uploads and their journal rows are stored together or not at all', () => {
  database.db.sql.exec("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT raise(ABORT, 'no room'); END");
  expect(() =>
    library.recordUploads([{ workspaceId: 'lab', md5, hashes: { md5, sha1, sha256 }, sizeBytes: 7, outcome: 'done' }]),
  ).toThrow('no room');
  expect(library.find(md5)).toBeNull();
});

test('an incidental record is kept without a journal row', () => {
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ name: 'a.exe', tags: ['x'] }) });
  expect(library.record('lab', md5)?.name).toBe('a.exe');
  expect(foundByWords(database.db, 'a.exe')).toHaveLength(1);
  expect(library.history(md5)).toEqual([]);
});

test('an export is in the history of its sample by every hash', () => {
  download(md5, sha256);
  library.recordExport({ sha256, outcome: 'done', detail: { to: 'folder' } });
  expect(library.history(md5)[0]).toMatchObject({
    operation: 'export',
    workspaceId: null,
    hash: sha256,
    detail: { to: 'folder' },
  });
});

test('samples are found by the first letters of any of their words, newest first', () => {
  lookUp(md5, { name: 'Rechnung für März.exe', threat: 'Trojan.GenericKD', tags: ['family:emotet', 'tlp:amber'] });
  lookUp(otherMd5, {
    name: 'invoice.pdf',
    comments: [{ id: '1', parentId: null, author: null, content: 'drops emotet', created: null }],
  });
  const found = (text: string): unknown[] => foundByWords(database.db, text).map((sample) => sample.md5);
  expect(found('emotet')).toEqual([otherMd5, md5]);
  expect(found('EMOT')).toEqual([otherMd5, md5]);
  expect(found('family:emotet')).toEqual([md5]);
  expect(found('emotet marz')).toEqual([md5]);
  expect(found('generickd')).toEqual([md5]);
  expect(found('bbbbb')).toEqual([otherMd5]);
  expect(found(otherMd5.toUpperCase())).toEqual([otherMd5]);
  expect(found('nothing like it')).toEqual([]);
});

test('the words of a replaced record are no longer found', () => {
  lookUp(md5, { name: 'before.exe' });
  lookUp(md5, { name: 'after.exe' });
  expect(foundByWords(database.db, 'before')).toEqual([]);
  expect(foundByWords(database.db, 'after')).toHaveLength(1);
});

test('no search text makes the search fail', () => {
  lookUp(md5, { name: 'a "quoted" NEAR(name) OR * AND NOT -x', tags: ['{col}:x^2'] });
  for (const text of [
    '"',
    '"""',
    '*',
    'NEAR(',
    'AND',
    'a AND',
    'name:',
    '{name hashes}:x',
    '^a',
    'a + b',
    '\u0000',
    'x\u0000y',
    "';--",
    '()',
    ' '.repeat(9_999),
    'x'.repeat(99_999),
  ])
    foundByWords(database.db, text);
  fc.assert(
    fc.property(fc.string({ unit: anyUnit }), (text) => void foundByWords(database.db, text)),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          '"',
          '*',
          'NEAR',
          '(',
          ')',
          'AND',
          'OR',
          'NOT',
          ':',
          '^',
          '-',
          '+',
          'name',
          ' ',
          '\\',
          "'",
          ',',
        ),
        { maxLength: 12 },
      ),
      (parts) => void foundByWords(database.db, parts.join('')),
    ),
  );
  expect(foundByWords(database.db, 'quoted near')).toHaveLength(1);
});

test('any record of a service is kept and returned unchanged', () => {
  const text = fc.string({ unit: anyUnit, maxLength: 200 });
  fc.assert(
    fc.property(text, fc.array(text), text, fc.jsonValue(), (name, tags, content, extra) => {
      const record = recordWith({
        name,
        tags,
        comments: [{ id: name, parentId: null, author: null, content, created: null }],
        unknown: { extra: z.json().parse(JSON.parse(JSON.stringify(extra))) },
      });
      library.recordLookup({ workspaceId: 'lab', md5, record, outcome: 'found' });
      expect(library.record('lab', md5)).toEqual(record);
    }),
  );
  expect(database.journal.verify().broken).toBeNull();
});

test('a record damaged on the disk counts as missing', () => {
  lookUp(md5, { name: 'a.exe' });
  database.db.sql.exec(`UPDATE record SET body = '{"cut'`);
  expect(library.record('lab', md5)).toBeNull();
  expect(library.find(md5)).not.toBeNull();
  lookUp(md5, { name: 'b.exe' });
  expect(library.record('lab', md5)?.name).toBe('b.exe');
});

test('an invalid hash is unknown everywhere', () => {
  for (const text of ['', 'x', "' OR 1=1", 'a'.repeat(33)])
    expect([library.find(text), library.md5Of(text), library.history(text)]).toEqual([null, null, []]);
});

test('the counts match the rows and no SHA-256 is there twice, after any changes', () => {
  const digit = fc.constantFrom('1', '2', '3');
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('look-up'),
      md5: digit,
      sha256: fc.option(digit),
      workspaceId: fc.constantFrom('lab', 'w-1'),
    }),
    fc.record({ kind: fc.constant('download'), md5: digit, sha256: digit }),
    fc.record({ kind: fc.constant('forget'), sha256: digit }),
  );
  const rowsCounted = database.db.query(
    z.object({ samples: z.number(), inVault: z.number(), vaultBytes: z.number() }),
    `SELECT count(*) AS samples, ifnull(sum(in_vault), 0) AS inVault,
      ifnull(sum(in_vault * size_bytes), 0) AS vaultBytes FROM sample`,
  );
  const proven = new Map<string, string>();
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      for (const one of steps) {
        if ('md5' in one && one.kind === 'look-up')
          lookUp(one.md5.repeat(32), { sha256: one.sha256?.repeat(64) ?? null });
        // Bytes have one MD5: what was once hashed is never hashed to another.
        else if ('md5' in one && one.sha256)
          download(
            (proven.get(one.sha256) ?? proven.set(one.sha256, one.md5).get(one.sha256) ?? '').repeat(32),
            one.sha256.repeat(64),
          );
        else if (one.sha256) library.forget([one.sha256.repeat(64)], 'bytes');
      }
      expect(library.count()).toEqual(rowsCounted.get());
      for (const [bytes, of] of proven) expect(library.find(bytes.repeat(64))?.md5).toBe(of.repeat(32));
    }),
  );
});
