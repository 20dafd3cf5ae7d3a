import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { forbidsThirdParties, tlpLevels } from '../../../shared/domain/tag.ts';
import { mostDraftFiles, type UploadFile } from '../../../shared/domain/upload.ts';
import { tagsBeginningWith } from '../library/library-tags.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { addReady, change, hashesOf, isSendable, newFile, remove, stagedIdOf } from '../testing/upload.fixture.ts';
import { statementsOf } from '../testing/written-statements.fixture.ts';
import { UploadStore } from './upload-store.ts';

let database: TestDatabase;
let uploads: UploadStore;
const reopen = databaseForEachTest((opened) => {
  database = opened;
  uploads = new UploadStore(database.db);
});

const limits = { files: 10, bytes: 1000 };
const files = (workspaceId = 'lab'): UploadFile[] => uploads.window(workspaceId, 0, 1000).files;
const names = (): string[] => files().map(({ name }) => name);
const states = (): unknown[] => files().map(({ state, sameAs }) => (sameAs === null ? state : [state, sameAs]));

test('a draft is read back as stored, also after the database is reopened', () => {
  const failure = { kind: 'archive-unsupported', name: 'x', feature: 'y' } as const;
  const [one = 0, two = 0] = uploads.add('lab', [newFile(1, { path: 'a/b' }), newFile(2, { failure, stagedId: null })]);
  uploads.setComment('lab', 'from the mail gateway');
  reopen();
  const file: UploadFile = {
    id: one,
    parentId: null,
    name: 'file-1',
    path: 'a/b',
    sizeBytes: 10,
    md5: null,
    sha1: null,
    sha256: null,
    mime: null,
    strip: null,
    state: 'hashing',
    sameAs: null,
    failure: null,
    archive: null,
    remarks: [],
    isTicked: true,
    tags: [],
    tlp: null,
    virusTotal: false,
    sandbox: false,
    presence: 'unasked',
    presenceFailure: null,
  };
  expect(uploads.window('lab', 0, 10)).toEqual({
    files: [file, { ...file, id: two, name: 'file-2', path: '', sizeBytes: 20, state: 'unreadable', failure }],
    total: 2,
  });
  expect(uploads.get(one)).toEqual({
    ...file,
    workspaceId: 'lab',
    jobId: null,
    stagedId: stagedIdOf(1),
    place: { kind: 'container' },
    maySent: false,
    wasRefused: false,
    nameEncoding: null,
  });
  expect(uploads.draft('lab', limits)).toMatchObject({
    files: 2,
    bytes: 30,
    comment: 'from the mail gateway',
    busy: 1,
  });
  expect([...uploads.everyStaged()]).toEqual([{ stagedId: stagedIdOf(1), place: { kind: 'container' } }]);
  expect(uploads.window('w-1', 0, 10)).toEqual({ files: [], total: 0 });
});

test('an addition that exceeds the draft limit adds nothing', () => {
  uploads.add('lab', [newFile(1)]);
  database.db
    .command(
      `INSERT INTO upload_file (workspace_id, name, path, size_bytes, state, is_ticked, tags)
    WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ${mostDraftFiles - 1})
      SELECT 'lab', 'x', '', 1, 'empty', 0, '[]' FROM n`,
    )
    .run();
  const tooLarge = expect.objectContaining({ failure: { kind: 'draft-too-large', limit: mostDraftFiles } });
  expect(() => uploads.add('lab', [newFile(2), newFile(3)])).toThrow(tooLarge);
  expect(uploads.add('lab', [newFile(2)])).toHaveLength(1);
  expect(() => uploads.add('lab', [newFile(3)])).toThrow(tooLarge);
});

test('files to hash are returned by size, in the order in which they came', () => {
  const [large, small, largest, empty] = uploads.add(
    'lab',
    [5, 2, 9, 0].map((number) => newFile(number)),
  );
  const idsOf = (found: readonly { id: number }[]): number[] => found.map(({ id }) => id);
  expect(idsOf(uploads.toHash(9, { upTo: 20 }))).toEqual([small, empty]);
  expect(idsOf(uploads.toHash(1, { above: 20 }))).toEqual([large]);
  expect(idsOf(uploads.toHash(9, { above: 20 }))).toEqual([large, largest]);
});

test('a file is hashed, then inspected, then checked at the service', () => {
  const [id = 0] = uploads.add('lab', [newFile(1)]);
  expect(uploads.toHash(9).map((file) => file.id)).toEqual([id]);
  expect([uploads.toLook(9), uploads.workspacesToAsk(), uploads.toAsk('lab', 9)]).toEqual([[], [], []]);
  uploads.hashed([
    { id, hashes: hashesOf(1), sizeBytes: 7 },
    { id: 999, hashes: hashesOf(2), sizeBytes: 7 },
  ]);
  expect(uploads.get(id)).toMatchObject({ ...hashesOf(1), sizeBytes: 7, state: 'ready' });
  expect(uploads.toLook(9).map((file) => file.id)).toEqual([id]);
  uploads.looked([{ id, mime: 'application/x-dosexec', strip: '0ff', isZip: false }]);
  expect([uploads.toHash(9), uploads.toLook(9), uploads.toOpen(9)]).toEqual([[], [], []]);
  expect(uploads.toAsk('lab', 9).map((file) => file.id)).toEqual([id]);
  uploads.answered([{ id, presence: 'unanswered', failure: { kind: 'cancelled' } }]);
  expect(uploads.get(id)).toMatchObject({
    mime: 'application/x-dosexec',
    strip: '0ff',
    presence: 'unanswered',
    presenceFailure: { kind: 'cancelled' },
  });
  expect(uploads.workspacesToAsk()).toEqual([]);
  expect(uploads.askAgain('lab')).toBe(1);
  expect(uploads.get(id)).toMatchObject({ presence: 'unasked', presenceFailure: null });
});

test('every workspace with files to check is named once', () => {
  for (const [index, workspaceId] of ['w-2', 'lab', 'w-1', 'lab'].entries())
    addReady(uploads, index + 1, {}, workspaceId);
  expect(uploads.workspacesToAsk()).toEqual(['lab', 'w-1', 'w-2']);
});

test('an empty file is recognised, and never equal to another', () => {
  const ids = uploads.add('lab', [newFile(1), newFile(2)]);
  uploads.hashed(ids.map((id) => ({ id, hashes: hashesOf(0), sizeBytes: 0 })));
  expect(states()).toEqual(['empty', 'empty']);
  expect(files().map(({ isTicked }) => isTicked)).toEqual([false, false]);
  expect([uploads.toLook(9), uploads.toAsk('lab', 9)]).toEqual([[], []]);
});

test('a second SHA-256 under one MD5 is refused with the reason', () => {
  addReady(uploads, 1);
  const forged = { ...hashesOf(1), sha256: 'f'.repeat(64) };
  const [id = 0] = uploads.add('lab', [newFile(2, { hashes: forged })]);
  expect(uploads.get(id)).toMatchObject({
    state: 'unreadable',
    failure: { kind: 'two-samples-one-md5', md5: forged.md5, sha256s: [hashesOf(1).sha256, forged.sha256] },
  });
  addReady(uploads, 1, {}, 'w-1');
  expect(files('w-1')).toMatchObject([{ state: 'ready' }]);
});

test('of equal files, a person’s first one is ready, else the first automatic one, which stays unticked', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('hashed'), at: fc.nat(9), bytes: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('failed'), at: fc.nat(9) }),
    fc.record({ kind: fc.constant('removed'), at: fc.nat(9) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      remove(uploads, { kind: 'all' });
      const ids = uploads.add(
        'lab',
        Array.from({ length: 10 }, (_, index) =>
          newFile(index + 1, index < 5 ? { cameByItself: true, isTicked: false } : {}),
        ),
      );
      const cameByItself = ({ id }: { id: number }): boolean => ids.indexOf(id) < 5;
      const bytesOf = new Map<number, number>();
      for (const one of steps) {
        const id = ids[one.at] ?? 0;
        if (one.kind === 'failed') uploads.failed(id, { kind: 'interrupted' });
        else if (one.kind === 'removed') remove(uploads, { kind: 'files', ids: [id] });
        else if ('bytes' in one && uploads.get(id)?.state === 'hashing') {
          uploads.hashed([{ id, hashes: hashesOf(one.bytes), sizeBytes: 1 }]);
          bytesOf.set(id, one.bytes);
        }
      }
      const live = files()
        .filter(({ state }) => state === 'ready' || state === 'same')
        .toSorted((a, b) => Number(cameByItself(a)) - Number(cameByItself(b)));
      for (const file of live) {
        const first = live.find(({ id }) => bytesOf.get(id) === bytesOf.get(file.id))?.id;
        expect([file.state, file.sameAs]).toEqual(first === file.id ? ['ready', null] : ['same', first]);
      }
      for (const file of files().filter(cameByItself)) expect([file.isTicked, file.presence]).toEqual([false, 'held']);
      expect(uploads.toAsk('lab', 99).filter(cameByItself)).toEqual([]);
    }),
  );
});

test('a copy is not ticked, and is inspected and ticked when the ticked file that it is the same as is removed', () => {
  const first = addReady(uploads, 1);
  const second = addReady(uploads, 1);
  expect(states()).toEqual(['ready', ['same', first]]);
  expect(files().map(({ isTicked }) => isTicked)).toEqual([true, false]);
  expect(remove(uploads, { kind: 'files', ids: [first] })).toEqual([stagedIdOf(1)]);
  expect(states()).toEqual(['ready']);
  expect(uploads.toLook(9)).toMatchObject([{ id: second, isTicked: true }]);
});

test('a copy stays unticked when the file that it is the same as was not ticked and is removed', () => {
  const first = addReady(uploads, 1);
  addReady(uploads, 1);
  change(uploads, { kind: 'files', ids: [first] }, { isTicked: false });
  remove(uploads, { kind: 'files', ids: [first] });
  expect(files()).toMatchObject([{ state: 'ready', isTicked: false }]);
});

test('a change affects its selection in all steps, and no file added meanwhile', () => {
  const ids = uploads.add(
    'lab',
    Array.from({ length: 600 }, (_, index) => newFile(index + 1)),
  );
  change(uploads, { kind: 'files', ids: ids.slice(0, 100) }, { isTicked: false });
  const steps = uploads.changeInSteps('lab', { kind: 'ticked' }, { isTicked: false, addTags: ['x'] });
  const first = steps.next();
  uploads.add('lab', [newFile(601)]);
  const changed = [first.value, ...steps].reduce((sum, step) => sum + (step?.changed ?? 0), 0);
  expect(changed).toBe(500);
  expect(files().map(({ isTicked, tags }) => [isTicked, tags.length])).toEqual([
    ...ids.map((_, index) => [false, index < 100 ? 0 : 1]),
    [true, 0],
  ]);
});

test('a change counts the changed and the refused files', () => {
  const [open, closed] = [addReady(uploads, 1), addReady(uploads, 2)];
  expect(change(uploads, { kind: 'files', ids: [closed] }, { virusTotal: true, tlp: 'amber' })).toEqual({
    changed: 1,
    refused: 1,
  });
  expect(change(uploads, { kind: 'all' }, { virusTotal: true, sandbox: true })).toEqual({ changed: 1, refused: 2 });
  expect(change(uploads, { kind: 'files', ids: [open] }, { tlp: 'red' })).toEqual({ changed: 1, refused: 0 });
  expect(files()).toMatchObject([
    { virusTotal: false, sandbox: false, tlp: 'red' },
    { virusTotal: false, sandbox: false, tlp: 'amber' },
  ]);
  expect(change(uploads, { kind: 'all' }, { addTags: ['b', 'a'], removeTags: ['c'] })).toEqual({
    changed: 2,
    refused: 0,
  });
  expect(change(uploads, { kind: 'all' }, { addTags: ['c', 'a'], removeTags: ['b'] })).toEqual({
    changed: 2,
    refused: 0,
  });
  expect(files()[0]?.tags).toEqual(['a', 'c']);
  expect(change(uploads, { kind: 'all' }, { addTags: ['c'], isTicked: true })).toEqual({ changed: 0, refused: 0 });
});

test('a file closed to third parties never has a flag, and totals match the files, after any change', () => {
  const some = fc.record(
    {
      isTicked: fc.boolean(),
      tlp: fc.option(fc.constantFrom(...tlpLevels)),
      virusTotal: fc.boolean(),
      sandbox: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const target = fc.oneof(
    fc.constant({ kind: 'all' } as const),
    fc.constant({ kind: 'ticked' } as const),
    fc.array(fc.nat(11), { minLength: 1 }).map((at) => ({ kind: 'files' as const, at })),
  );
  const answer = fc.constantFrom('new', 'there', 'unanswered', null);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(target, some), { maxLength: 8 }),
      fc.array(answer, { minLength: 12, maxLength: 12 }),
      (changes, answers) => {
        remove(uploads, { kind: 'all' });
        const ids = uploads.add(
          'lab',
          Array.from({ length: 12 }, (_, index) => newFile(index + 1)),
        );
        uploads.hashed(
          ids.slice(0, 10).map((id, index) => ({ id, hashes: hashesOf(1 + (index % 8)), sizeBytes: index })),
        );
        uploads.looked(ids.map((id) => ({ id, mime: null, strip: null, isZip: id === ids[4] })));
        for (const [index, presence] of answers.entries())
          if (presence) uploads.answered([{ id: ids[index] ?? 0, presence, failure: null }]);
        for (const [one, what] of changes)
          change(uploads, one.kind === 'files' ? { kind: 'files', ids: one.at.map((at) => ids[at] ?? 0) } : one, what);
        const all = files();
        const sum = (is: (file: UploadFile) => boolean) => ({
          files: all.filter(is).length,
          bytes: all.filter(is).reduce((bytes, file) => bytes + file.sizeBytes, 0),
        });
        for (const { tlp, virusTotal, sandbox } of all)
          if (forbidsThirdParties(tlp)) expect([virusTotal, sandbox]).toEqual([false, false]);
        const isThere = ({ state, presence }: UploadFile): boolean => state === 'ready' && presence === 'there';
        const receiving = (flag: 'virusTotal' | 'sandbox') =>
          all.filter((file) => isSendable(file) && file[flag]).map(({ name }) => name);
        expect(uploads.draft('lab', { files: 1, bytes: 1 })).toMatchObject({
          ...sum(() => true),
          toSend: sum(isSendable),
          there: sum(isThere),
          leftOut: sum((file) => !isSendable(file) && !isThere(file)),
          busy: sum(
            (file) =>
              file.isTicked &&
              (file.state === 'hashing' || (file.state === 'ready' && file.archive?.state === 'opening')),
          ).files,
          ticked: sum((file) => file.isTicked).files,
          tickedSamples: sum(({ isTicked, state }) => isTicked && (state === 'ready' || state === 'hashing')).files,
          unasked: sum(({ state, presence }) => state === 'ready' && presence === 'unasked').files,
          unanswered: sum(({ state, presence }) => state === 'ready' && presence === 'unanswered').files,
          requests: sum(isSendable).files,
          virusTotal: { files: receiving('virusTotal').length, names: receiving('virusTotal') },
          sandbox: { files: receiving('sandbox').length, names: receiving('sandbox') },
          closed: sum((file) => isSendable(file) && forbidsThirdParties(file.tlp)).files,
        });
      },
    ),
  );
});

test('an automatically added file is checked while it is ticked, and not again after a failed answer', () => {
  const [id = 0] = uploads.add('lab', [newFile(1, { hashes: hashesOf(1), cameByItself: true, isTicked: false })]);
  const tick = (isTicked: boolean) => change(uploads, { kind: 'all' }, { isTicked });
  const asked = () => {
    const { unasked, held: shut } = uploads.draft('lab', limits);
    return [
      uploads.get(id)?.presence,
      uploads.toAsk('lab', 9).length,
      uploads.workspacesToAsk(),
      uploads.isToAsk(id),
      unasked,
      shut,
    ];
  };
  const [held, open] = [
    ['held', 0, [], false, 0, 1],
    ['unasked', 1, ['lab'], true, 1, 0],
  ];
  expect(asked()).toEqual(held);
  tick(true);
  expect(asked()).toEqual(open);
  tick(false);
  expect(asked()).toEqual(held);
  tick(true);
  uploads.answered([{ id, presence: 'unanswered', failure: { kind: 'cancelled' } }]);
  tick(false);
  expect([uploads.askAgain('lab'), uploads.draft('lab', limits).unanswered]).toEqual([0, 0]);
  tick(true);
  expect([uploads.draft('lab', limits).unanswered, uploads.askAgain('lab')]).toEqual([1, 1]);
  expect(asked()).toEqual(open);
});

test('automatically added files are left unchanged when the others are ticked', () => {
  uploads.add(
    'lab',
    [1, 2].map((number) => newFile(number, { hashes: hashesOf(number), cameByItself: number === 1, isTicked: false })),
  );
  change(uploads, { kind: 'not-held' }, { isTicked: true });
  expect(files()).toMatchObject([
    { isTicked: false, presence: 'held' },
    { isTicked: true, presence: 'unasked' },
  ]);
});

test('a selection up to a confirmed file includes all up to it, and none added meanwhile', () => {
  const held = (number: number): number =>
    uploads.add('lab', [newFile(number, { hashes: hashesOf(number), cameByItself: true, isTicked: false })])[0] ?? 0;
  expect(uploads.draft('lab', limits).newest).toBe(0);
  const asked = held(1);
  uploads.add('other', [newFile(2)]);
  expect(uploads.draft('lab', limits)).toMatchObject({ files: 1, held: 1, newest: asked });
  held(3);
  change(uploads, { kind: 'all', upTo: asked }, { isTicked: true });
  expect(files()).toMatchObject([
    { id: asked, isTicked: true },
    { isTicked: false, presence: 'held' },
  ]);
});

test('a draft without files and comment was never saved', () => {
  expect(uploads.draft('lab', limits).saved).toBeNull();
  addReady(uploads, 1);
  expect(uploads.draft('lab', limits).saved).toMatch(/^\d{4}-.*Z$/);
  remove(uploads, { kind: 'all' });
  expect(uploads.draft('lab', limits).saved).toBeNull();
});

test.each([
  ["failure = '{'"],
  ["tags = '['"],
  ["tlp = 'purple'"],
  ["presence_failure = '{}'"],
  ["strip = 'x'"],
  ["state = 'nonsense'"],
  ["md5 = 'x'"],
  ["archive_state = 'x'"],
])('a row damaged in %s is shown as unreadable, and does not stop the list', (damage) => {
  const id = addReady(uploads, 1);
  addReady(uploads, 2);
  database.db.command(`UPDATE upload_file SET ${damage} WHERE id = ?`).run(id);
  expect(files()).toMatchObject([
    { id, state: 'unreadable', failure: { kind: 'file-unreadable', name: 'file-1' } },
    { state: 'ready' },
  ]);
  expect([...uploads.everyStaged()]).toHaveLength(2);
  remove(uploads, { kind: 'files', ids: [id] });
  expect(names()).toEqual(['file-2']);
});

test('a change does not repair a row with unreadable tags or TLP', () => {
  const ids = [addReady(uploads, 1), addReady(uploads, 2)];
  database.db.command("UPDATE upload_file SET tags = '[' WHERE id = ?").run(ids[0] ?? 0);
  database.db.command("UPDATE upload_file SET tlp = 'purple' WHERE id = ?").run(ids[1] ?? 0);
  expect(change(uploads, { kind: 'all' }, { addTags: ['x'], tlp: 'clear' })).toEqual({ changed: 0, refused: 0 });
  expect(files().map(({ state }) => state)).toEqual(['unreadable', 'unreadable']);
});

/** A hundred thousand rows must cost what ten cost: see `statement.test.ts`. */
test('every statement finds its files by an index', () => {
  const texts = statementsOf(database.db, () => {
    new UploadStore(database.db);
    expect(tagsBeginningWith(database.db.sql, 'x')).toEqual([]);
  });
  expect(texts.length).toBeGreaterThan(30);
  for (const text of texts) {
    const plan = database.db
      .query(z.object({ detail: z.string() }), `EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => detail);
    expect([
      text,
      plan.filter((detail) =>
        /^SCAN (upload_file|archive|other|member|known_tag)\b(?! USING (COVERING )?INDEX)/.test(detail),
      ),
    ]).toEqual([text, []]);
    if (/ORDER BY (id|group_id)/.test(text))
      expect([text, plan.filter((detail) => detail.includes('TEMP B-TREE'))]).toEqual([text, []]);
  }
});
