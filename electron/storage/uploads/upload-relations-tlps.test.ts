import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forbidsThirdParties, type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { LibraryStore } from '../library/library-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import {
  addArchive,
  addReady,
  change,
  hashesOf,
  isSendable,
  newFile,
  openedAs,
  remove,
  send,
} from '../testing/upload.fixture.ts';
import { UploadStore } from './upload-store.ts';

let database: TestDatabase;
let uploads: UploadStore;
databaseForEachTest((opened) => {
  database = opened;
  uploads = new UploadStore(database.db);
});

const all = { kind: 'all' } as const;
const just = (...ids: number[]) => ({ kind: 'files' as const, ids });
const bothFlags = { virusTotal: true, sandbox: true };
const newJob = (): number =>
  new SqliteJobStore(database.db).create({ task: { kind: 'upload' }, workspaceId: 'lab', created: '' });
const labels = ({ tlp, virusTotal, sandbox }: Pick<UploadFile, 'tlp' | 'virusTotal' | 'sandbox'>): unknown[] => [
  tlp,
  virusTotal,
  sandbox,
];
const labelsOf = (id: number): unknown[] => labels(uploads.get(id) ?? { tlp: null, virusTotal: false, sandbox: false });

/** Opened, with one member of the bytes 100, 101, … each. @returns the archive, and then its members */
function addOpened(members: number): [number, ...number[]] {
  const archive = addArchive(uploads, 99);
  const ids = uploads.add(
    'lab',
    Array.from({ length: members }, (_, index) =>
      newFile(100 + index, { parentId: archive, hashes: hashesOf(100 + index) }),
    ),
  );
  uploads.setArchive(archive, openedAs('open', members));
  return [archive, ...ids];
}

describe('the library data about the bytes of a file', () => {
  const [{ md5, sha1, sha256 }, own] = [hashesOf(7), { add: [], remove: [] }];
  const library = (): LibraryStore => new LibraryStore(database.db, database.journal);
  const know = (level: TlpLevel | null): unknown => {
    library().recordDownload({ workspaceId: 'lab', md5, hashes: { md5, sha1, sha256 }, sizeBytes: 7, outcome: 'done' });
    return library().changeSamples([sha256], { ...own, tlp: level });
  };

  test.each(tlpLevels)('closes the file as soon as it is hashed: TLP:%s', (level) => {
    know(level);
    const id = addReady(uploads, 7);
    expect(uploads.get(id)?.tlp).toBe(level);
    change(uploads, just(id), bothFlags);
    expect(labelsOf(id)).toEqual([level, !forbidsThirdParties(level), !forbidsThirdParties(level)]);
  });

  test('blocks flags on a file that a person rated laxer, and overrides that TLP when sending', () => {
    know('red');
    const id = addReady(uploads, 7);
    change(uploads, just(id), { tlp: 'clear' });
    expect(change(uploads, just(id), bothFlags)).toMatchObject({ refused: 2 });
    const job = newJob();
    send(uploads, job);
    expect(uploads.filesOfJob(job, [sha256]).map(labels)).toEqual([['red', false, false]]);
  });

  test('applies when it arrives only after the file was reviewed', () => {
    const id = addReady(uploads, 7);
    change(uploads, just(id), bothFlags);
    know('amber');
    const job = newJob();
    send(uploads, job);
    expect(uploads.filesOfJob(job, [sha256]).map(labels)).toEqual([['amber', false, false]]);
  });

  test('closes files that left the draft earlier, once their request is due, and no other file', () => {
    const id = addReady(uploads, 7);
    change(uploads, just(id), bothFlags);
    send(uploads, newJob());
    const other = addReady(uploads, 8);
    change(uploads, just(other), bothFlags);
    know('green');
    expect([...uploads.guarded([id])]).toEqual([[id, { tlp: 'green', ...bothFlags }]]);
    know('red');
    expect(labelsOf(id)).toEqual(['green', true, true]);
    expect([...uploads.guarded([id])]).toEqual([[id, { tlp: 'red', virusTotal: false, sandbox: false }]]);
    know(null);
    expect([...uploads.guarded([id, 4711])]).toEqual([[id, { tlp: 'red', virusTotal: false, sandbox: false }]]);
    expect([labelsOf(id), labelsOf(other)]).toEqual([
      ['red', false, false],
      [null, true, true],
    ]);
  });

  test('closes the archive around a member, too, and leaves a stricter file unchanged', () => {
    know('red');
    const [archive] = addOpened(0);
    const member = uploads.add('lab', [newFile(7, { parentId: archive, hashes: hashesOf(7) })]);
    change(uploads, just(archive), bothFlags);
    expect([labelsOf(archive), labelsOf(member[0] ?? 0)]).toEqual([
      [null, false, false],
      ['red', false, false],
    ]);
    know('green');
    expect(labelsOf(member[0] ?? 0)).toEqual(['red', false, false]);
  });
});

test('a TLP of a copy applies to the file that is sent and clears its flags', () => {
  const [first, copy, other] = [addReady(uploads, 1), addReady(uploads, 1), addReady(uploads, 2)];
  change(uploads, all, bothFlags);
  expect(change(uploads, just(copy), { tlp: 'red' })).toEqual({ changed: 2, refused: 0 });
  expect([first, copy, other].map(labelsOf)).toEqual([
    ['red', false, false],
    ['red', false, false],
    [null, true, true],
  ]);
  expect(change(uploads, { kind: 'ticked' }, { virusTotal: true })).toEqual({ changed: 0, refused: 1 });
});

test('a stricter TLP stays, and equal files can be lowered together', () => {
  const [first, copy] = [addReady(uploads, 1), addReady(uploads, 1)];
  change(uploads, just(first), { tlp: 'red' });
  change(uploads, just(copy), { tlp: 'clear' });
  expect([labelsOf(first)[0], labelsOf(copy)[0]]).toEqual(['red', 'clear']);
  expect(change(uploads, just(copy), { virusTotal: true })).toEqual({ changed: 0, refused: 1 });
  change(uploads, all, { tlp: 'green', virusTotal: true });
  expect([first, copy].map(labelsOf)).toEqual([
    ['green', true, false],
    ['green', true, false],
  ]);
});

test.each([
  [0, 1],
  [1, 0],
])('files found to be equal take the strictest TLP, hashed in the order %i, %i', (...order) => {
  const ids = uploads.add('lab', [newFile(1), newFile(1)]);
  change(uploads, just(ids[0] ?? 0), { tlp: 'green', ...bothFlags });
  change(uploads, just(ids[1] ?? 0), { tlp: 'amber' });
  for (const at of order) uploads.hashed([{ id: ids[at] ?? 0, hashes: hashesOf(1), sizeBytes: 1 }]);
  expect(ids.map(labelsOf)).toEqual([
    ['amber', false, false],
    ['amber', false, false],
  ]);
});

test('members with a laxer TLP take that of their archive, in steps, and with their copies', () => {
  const copy = addReady(uploads, 105);
  const [archive, red = 0, ...rest] = addOpened(600);
  change(uploads, just(red), { tlp: 'red' });
  change(uploads, all, bothFlags);
  change(uploads, just(archive), { tlp: 'amber' });
  expect([labelsOf(red), labelsOf(archive), labelsOf(copy)]).toEqual([
    ['red', false, false],
    ['amber', false, false],
    ['amber', false, false],
  ]);
  expect(new Set(rest.map((id) => JSON.stringify(labelsOf(id))))).toEqual(new Set(['["amber",false,false]']));
  change(uploads, just(...rest), { tlp: null });
  expect(change(uploads, just(...rest), { virusTotal: true })).toEqual({ changed: 0, refused: rest.length });
});

test('an archive with a closed member is closed itself, and its other members are not', () => {
  const [archive, closed = 0, open = 0] = addOpened(2);
  change(uploads, all, bothFlags);
  change(uploads, just(closed), { tlp: 'amber+strict' });
  expect([archive, closed, open].map(labelsOf)).toEqual([
    [null, false, false],
    ['amber+strict', false, false],
    [null, true, true],
  ]);
  expect(change(uploads, just(archive, open), { virusTotal: true })).toEqual({ changed: 0, refused: 1 });
});

test('a copy of an archive with a closed member is closed, also when it comes later or replaces it', () => {
  const [early = 0] = uploads.add('lab', [newFile(50)]);
  const [archive, closed = 0] = addOpened(1);
  change(uploads, just(early), bothFlags);
  change(uploads, just(closed), { tlp: 'red' });
  uploads.hashed([{ id: early, hashes: hashesOf(99), sizeBytes: 1 }]);
  expect([labelsOf(early), uploads.get(archive)?.state]).toEqual([[null, false, false], 'same']);
  expect(change(uploads, just(early), bothFlags)).toEqual({ changed: 0, refused: 2 });
});

test('an archive loses its flags when a member is found to be a closed file of the draft', () => {
  change(uploads, just(addReady(uploads, 100)), { tlp: 'red' });
  const archive = addArchive(uploads, 99);
  change(uploads, just(archive), bothFlags);
  const [member = 0] = uploads.add('lab', [newFile(1, { parentId: archive })]);
  uploads.hashed([{ id: member, hashes: hashesOf(100), sizeBytes: 1 }]);
  expect([labelsOf(archive), labelsOf(member)]).toEqual([
    [null, false, false],
    ['red', false, false],
  ]);
});

test('a copy that replaces a member of a closed archive has no flags', () => {
  const first = addReady(uploads, 100);
  const [copy = 0] = uploads.add('lab', [newFile(50)]);
  change(uploads, just(copy), bothFlags);
  const [archive, member = 0] = addOpened(1);
  change(uploads, just(archive), { tlp: 'red' });
  change(uploads, just(first, member), { tlp: 'clear' });
  uploads.hashed([{ id: copy, hashes: hashesOf(100), sizeBytes: 1 }]);
  remove(uploads, just(first));
  expect([uploads.get(copy)?.state, labelsOf(copy)]).toEqual(['ready', ['clear', false, false]]);
});

test('a TLP reaches no other draft and no sent file', () => {
  const [sent, elsewhere] = [addReady(uploads, 1), addReady(uploads, 1, {}, 'w-1')];
  change(uploads, all, bothFlags);
  send(uploads, newJob());
  change(uploads, just(addReady(uploads, 1)), { tlp: 'red' });
  expect([labelsOf(sent), labelsOf(elsewhere)]).toEqual([
    [null, true, true],
    [null, false, false],
  ]);
});

test('a sent file has the strictest TLP of its copies, and no flags of closed files', () => {
  const [first, copy] = [addReady(uploads, 1), addReady(uploads, 1)];
  const [archive, closed = 0, open = 0] = addOpened(2);
  const other = addArchive(uploads, 98);
  const [member = 0] = uploads.add('lab', [newFile(97, { parentId: other, hashes: hashesOf(97) })]);
  change(uploads, just(archive, other), { isTicked: true });
  change(uploads, just(closed), { isTicked: false });
  for (const [id, tlp] of [
    [copy, 'red'],
    [closed, 'amber'],
    [other, 'amber'],
  ] as const)
    database.db.command('UPDATE upload_file SET tlp = ? WHERE id = ?').run(tlp, id);
  uploads.setArchive(other, openedAs('refused', 1));
  database.db.command('UPDATE upload_file SET virus_total = 1, sandbox = 1').run();
  send(uploads, newJob());
  expect([first, archive, open, other, member].map(labelsOf)).toEqual([
    ['red', false, false],
    [null, false, false],
    [null, true, true],
    ['amber', false, false],
    ['amber', false, false],
  ]);
  expect(remove(uploads, all)).toHaveLength(2);
});

test.each(['sent', 'removed'])(
  'an archive stays as closed as its member that is %s, and other members of the upload do not',
  (fate) => {
    const [archive, closed = 0, open = 0, left = 0] = addOpened(3);
    change(uploads, just(closed), { tlp: 'red' });
    change(uploads, just(left), { isTicked: false });
    change(uploads, just(open, left), bothFlags);
    if (fate === 'sent') send(uploads, newJob());
    else remove(uploads, just(closed));
    expect([archive, left].map(labelsOf)).toEqual([
      ['red', false, false],
      ['red', false, false],
    ]);
    if (fate === 'sent') expect(labelsOf(open)).toEqual([null, true, true]);
    expect(change(uploads, just(archive), bothFlags)).toEqual({ changed: 0, refused: 2 });
  },
);

/** By the words of the rule, one file after the other. */
function isShut(file: UploadFile, files: readonly UploadFile[]): boolean {
  const equals = files.filter((other) => other === file || (other.sha256 !== null && other.sha256 === file.sha256));
  const related = equals.flatMap((one) => [
    one,
    ...files.filter(({ id, parentId }) => id === one.parentId || parentId === one.id),
  ]);
  return related.some(({ tlp }) => forbidsThirdParties(tlp));
}

test('no closed file is sent with a flag, for any order of hashing, changes and removals', () => {
  const at = fc.nat(9);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('hashed' as const), at, bytes: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ kind: fc.constant('removed' as const), at }),
    fc.record({ kind: fc.constant('tlp' as const), at, tlp: fc.constantFrom(...tlpLevels, null) }),
    fc.record({ kind: fc.constant('flag' as const), at }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      remove(uploads, all);
      const archives = [addArchive(uploads, 1), addArchive(uploads, 2)];
      const ids = [
        ...archives,
        ...uploads.add(
          'lab',
          [0, 0, 1, 1, null, null, null, null].map((of, index) =>
            newFile(index, { parentId: of === null ? null : (archives[of] ?? null) }),
          ),
        ),
      ];
      for (const one of steps) {
        const id = ids[one.at] ?? 0;
        if (one.kind === 'hashed') uploads.hashed([{ id, hashes: hashesOf(one.bytes), sizeBytes: 1 }]);
        else if (one.kind === 'removed') remove(uploads, just(id));
        else change(uploads, just(id), one.kind === 'tlp' ? { tlp: one.tlp } : bothFlags);
        const files = uploads.window('lab', 0, 99).files;
        for (const file of files)
          if (isSendable(file) && isShut(file, files)) expect([file.virusTotal, file.sandbox]).toEqual([false, false]);
      }
      uploads.looked(uploads.toLook(99).map(({ id }) => ({ id, mime: null, strip: null, isZip: false })));
      for (const id of archives) uploads.setArchive(id, openedAs('refused', 2));
      const before = uploads.window('lab', 0, 99).files;
      const job = newJob();
      const sent = uploads.filesOfJob(
        job,
        send(uploads, job).flatMap(({ sha256 }) => sha256 ?? []),
      );
      for (const { id, virusTotal, sandbox } of sent) {
        const file = before.find((one) => one.id === id);
        if (file && isShut(file, before)) expect([virusTotal, sandbox]).toEqual([false, false]);
      }
    }),
  );
});
