import { hash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { eicar, filesHolding } from '../../vault/eicar.fixture.ts';
import { bytesOf, createTestBundles, fileOf, requestFor, type TestBundles, workspaceId } from './bundles.fixture.ts';

/** Two computers that no network joins: each test has samples of its own. */
let theirs: TestBundles;
let ours: TestBundles;
beforeAll(async () => {
  [theirs, ours] = await Promise.all([createTestBundles(), createTestBundles()]);
});
afterAll(() => Promise.all([theirs.close(), ours.close()]));

const comment = (id: string, content: string) => ({ id, parentId: null, author: 'x', content, created: null });
/** Records are distinguished by when they came. */
const aMillisecond = (): Promise<void> => pause(2);
const failureOf = (failure: object): unknown => expect.objectContaining({ failure });
const journalOf = (setup: TestBundles, sha256: string): string[] =>
  setup.stores.library
    .history(sha256)
    .filter(({ operation }) => operation === 'bundle')
    .map(({ outcome }) => outcome)
    .toReversed();

test(
  'a bundle carries samples with all their data to another computer, and every hash matches',
  { timeout: 60_000 },
  async () => {
    const contents = [
      Buffer.alloc(0),
      randomBytes(40),
      randomBytes(70_000),
      randomBytes(3 * 2 ** 20),
      randomBytes(9 * 2 ** 20),
      eicar,
    ];
    const sha256s: string[] = [];
    for (const bytes of contents) sha256s.push(await theirs.keep(bytes));
    const [first = ''] = sha256s;
    const md5 = hash('md5', contents[0] ?? '');
    const [known = ''] = theirs.know(1);
    theirs.stores.library.changeSamples([first], {
      add: ['packed', 'urgent'],
      remove: [],
      tlp: 'amber',
      note: 'what we saw',
    });
    theirs.stores.library.recordLookup({
      workspaceId,
      md5,
      record: recordWith({
        md5,
        name: 'evil.exe',
        tags: ['rat'],
        comments: [comment('1', 'look at this')],
        listsComments: true,
      }),
      outcome: 'found',
    });
    const alone = 'a'.repeat(32);
    theirs.stores.library.recordLookup({
      workspaceId,
      md5: alone,
      record: recordWith({ md5: alone, name: 'only a name' }),
      outcome: 'found',
    });

    const path = await theirs.written([...sha256s, known, alone]);
    expect(await filesHolding(theirs.base, eicar)).toEqual([]);
    const facts = await ours.looked(path);
    const bytes = contents.reduce((sum, { length }) => sum + length, 0);
    const { fingerprint } = await theirs.bundles.signer();
    expect(facts).toEqual({
      created: expect.any(String),
      title: 'a title',
      parts: { samples: true, notes: true, threads: true, rules: false },
      signer: { fingerprint, name: 'Ada', standing: 'new', isNamesake: false },
      samples: 8,
      withBytes: 6,
      bytes,
      changes: {
        samples: { new: 8, same: 0, contradicting: 0, newBytes: bytes, bytes },
        tags: { new: 2 },
        notes: { new: 1, same: 0, added: 0 },
        tlps: { stricter: 1, same: 0 },
      },
      workspaces: [
        {
          workspaceId,
          records: { new: 2, newer: 0, same: 0, older: 0, contradicting: 0 },
          comments: { new: 1, same: 0 },
          rules: null,
        },
      ],
    });
    expect(ours.stores.library.find(first)).toBeNull();

    const job = await ours.ended(ours.bundles.import(ours.bundles.opening?.id ?? '', workspaceId).id);
    expect(job).toMatchObject({ state: 'done', items: 8, counts: { done: 8 }, workspaceId, failure: null });
    expect(ours.bundles.opening).toMatchObject({ state: 'imported', job: job.id });
    for (const [index, sha256] of sha256s.entries()) {
      expect(await bytesOf(ours.vault.read(sha256))).toEqual(contents[index]);
      expect(ours.stores.library.find(sha256)).toMatchObject({
        sha256,
        sha1: hash('sha1', contents[index] ?? ''),
        md5: hash('md5', contents[index] ?? ''),
        sizeBytes: contents[index]?.length,
        inVault: true,
      });
    }
    expect(ours.stores.library.sample(first)).toMatchObject({
      row: {
        tags: ['packed', 'urgent'],
        serviceTags: ['rat'],
        tlp: 'amber',
        name: 'evil.exe',
        comments: 1,
        hasNote: true,
        vault: 'held',
      },
      note: { text: 'what we saw' },
    });
    expect(ours.stores.comments.thread(workspaceId, md5).comments).toMatchObject([
      { id: expect.stringMatching(/^bundle-/), content: 'look at this' },
    ]);
    expect(ours.stores.library.sample(known)?.row).toMatchObject({ sha256: known, vault: 'none' });
    expect(ours.stores.library.sample(alone)?.row).toMatchObject({ sha256: null, name: 'only a name' });
    expect(await filesHolding(ours.base, eicar)).toEqual([]);
    expect([journalOf(theirs, first), journalOf(ours, first)]).toEqual([['done'], ['done']]);
    expect(ours.stores.library.history(first).find(({ operation }) => operation === 'bundle')?.detail).toMatchObject({
      from: fingerprint,
      job: job.id,
    });

    expect(await ours.looked(path)).toMatchObject({
      signer: { standing: 'known' },
      changes: {
        samples: { new: 0, same: 8, contradicting: 0, newBytes: 0 },
        tags: { new: 0 },
        notes: { new: 0, same: 1, added: 0 },
        tlps: { stricter: 0, same: 1 },
      },
      workspaces: [
        { records: { new: 0, newer: 0, same: 2, older: 0, contradicting: 0 }, comments: { new: 0, same: 1 } },
      ],
    });
    const before = ours.stores.library.sample(first);
    expect(await ours.ended(ours.bundles.import(ours.bundles.opening?.id ?? '', workspaceId).id)).toMatchObject({
      state: 'done',
      counts: { done: 0, 'already-here': 8 },
    });
    expect(ours.stores.library.sample(first)).toEqual(before);
    expect(journalOf(ours, first)).toEqual(['done', 'already-here']);
  },
);

test('local data is never lost: newer record, both notes, all tags and comments, the stricter TLP', async () => {
  const [mine, newer] = [randomBytes(30), randomBytes(30)];
  const [sha256, other] = [await theirs.keep(mine), await theirs.keep(newer)];
  await ours.keep(mine);
  const [md5, md5Newer] = [hash('md5', mine), hash('md5', newer)];
  const reported = (setup: TestBundles, of: string, name: string, comments: ReturnType<typeof comment>[]): unknown =>
    setup.stores.library.recordLookup({
      workspaceId,
      md5: of,
      record: recordWith({ md5: of, name, comments, listsComments: true }),
      outcome: 'found',
    });
  reported(ours, md5Newer, 'older here', [comment('2', 'only ours')]);
  reported(theirs, md5, 'older there', [comment('1', 'both'), comment('2', 'only theirs')]);
  await aMillisecond();
  reported(theirs, md5Newer, 'newer there', [comment('1', 'theirs')]);
  reported(ours, md5, 'newer here', [comment('1', 'both'), comment('3', 'only ours')]);
  theirs.stores.library.changeSamples([sha256], {
    add: ['theirs', 'both'],
    remove: [],
    tlp: 'red',
    note: 'their words',
  });
  theirs.stores.library.changeSamples([other], { add: [], remove: [], tlp: 'green' });
  ours.stores.library.changeSamples([sha256], { add: ['ours', 'both'], remove: [], tlp: 'green', note: 'our words' });

  const path = await theirs.written([sha256, other]);
  const { changes, workspaces, signer } = await ours.looked(path);
  expect(changes).toMatchObject({
    samples: { new: 0, same: 2, contradicting: 0, newBytes: 30, bytes: 60 },
    tags: { new: 1 },
    notes: { new: 0, same: 0, added: 1 },
    tlps: { stricter: 2, same: 0 },
  });
  expect(workspaces).toMatchObject([
    { records: { new: 0, newer: 1, same: 0, older: 1, contradicting: 0 }, comments: { new: 2, same: 1 } },
  ]);
  expect(await ours.takenIn(path)).toMatchObject({ counts: { done: 2 } });
  const found = ours.stores.library.sample(sha256);
  expect(found).toMatchObject({
    row: { name: 'newer here', tags: ['both', 'ours', 'theirs'], tlp: 'red', comments: 3 },
  });
  expect(found?.note?.text).toBe(`our words\n\nFrom Ada (key ${signer.fingerprint.slice(0, 16)}):\n\ntheir words`);
  expect(ours.stores.library.sample(other)).toMatchObject({ row: { name: 'newer there', comments: 2, tlp: 'green' } });
  await ours.takenIn(path);
  expect(ours.stores.library.sample(sha256)?.note?.text).toBe(found?.note?.text);

  ours.stores.library.changeSamples([other], { add: [], remove: [], tlp: 'red' });
  await ours.takenIn(path);
  expect(ours.stores.library.sample(other)?.row.tlp).toBe('red');
});

test('missing or modified bytes are counted and named, and the rest of the sample is exported', async () => {
  const sha256s = await Promise.all(
    [randomBytes(300_000), randomBytes(300_000), randomBytes(10)].map((bytes) => theirs.keep(bytes)),
  );
  const [gone = '', altered = ''] = sha256s;
  await theirs.vault.remove(gone);
  const path = join(theirs.base, 'data', 'vault', altered.slice(0, 2), altered);
  const container = await readFile(path);
  container[150_000] = (container[150_000] ?? 0) ^ 1;
  await writeFile(path, container);
  const job = await theirs.ended((await theirs.bundles.start(requestFor(sha256s), theirs.folder)).id);
  expect(job).toMatchObject({
    state: 'done',
    counts: { done: 1, failed: 2 },
    notices: expect.arrayContaining([
      { kind: 'not-in-vault', sha256: gone },
      { kind: 'vault-damaged', sha256: altered },
    ]),
  });
  expect(journalOf(theirs, altered)).toEqual(['vault-damaged', 'done']);
  const bundle = join(theirs.folder, job.task.kind === 'bundle' ? (job.task.result ?? '') : '');
  expect(await ours.looked(bundle)).toMatchObject({ samples: 3, withBytes: 1, bytes: 10 });
  expect(await ours.takenIn(bundle)).toMatchObject({ counts: { done: 3 } });
  expect([await ours.vault.has(altered), await ours.vault.has(sha256s[2] ?? '')]).toEqual([false, true]);
  expect(ours.stores.library.find(altered)).toMatchObject({ inVault: false });
});

test('a bundle holds only the requested parts', async () => {
  const bytes = randomBytes(20);
  const sha256 = await theirs.keep(bytes);
  const md5 = hash('md5', bytes);
  theirs.stores.library.changeSamples([sha256], { add: ['t'], remove: [], note: 'a secret' });
  theirs.stores.library.recordLookup({
    workspaceId,
    md5,
    record: recordWith({ md5, name: 'n', comments: [comment('1', 'c')] }),
    outcome: 'found',
  });
  const facts = await ours.looked(
    await theirs.written([sha256], { parts: { samples: false, notes: false, threads: false, rules: false } }),
  );
  expect(facts).toMatchObject({
    withBytes: 0,
    changes: { notes: { new: 0 }, tags: { new: 1 }, samples: { bytes: 0 } },
    workspaces: [{ records: { new: 1 }, comments: { new: 0 } }],
  });
});

test('a bundle carries received rules unchanged, and they become a package to install', async () => {
  const bytes = randomBytes(2_500_000);
  const { sha256, sizeBytes } = await theirs.packages.receive(
    workspaceId,
    (async function* () {
      yield bytes;
    })(),
    { atMostBytes: 2 ** 30 },
  );
  theirs.stores.packages.recordFile(workspaceId, {
    sha256,
    sizeBytes,
    version: '1.4',
    group: null,
    published: null,
    source: 'file',
    received: new Date().toISOString(),
    contents: { files: 1, rules: 1, broken: 0 },
    variables: [],
    isRelaxed: false,
    failure: null,
    warnings: [],
    remoteId: null,
    broken: [],
    engineWarnings: [],
    tokens: [],
  });
  theirs.stores.packages.activate(workspaceId, sha256);
  const [known = ''] = theirs.know(1);
  const path = await theirs.written([known], { parts: { samples: true, notes: false, threads: true, rules: true } });
  const job = expect.any(Number);
  expect(theirs.stores.library.history(known).find(({ operation }) => operation === 'bundle')?.detail).toMatchObject({
    to: 'folder',
    title: 'a title',
    parts: 'samples, threads, rules',
    job,
  });
  const filter = { operations: ['export' as const], workspaceId, find: '', from: null, before: null };
  const rows = await theirs.stores.journalReader.list({ filter, offset: 0, limit: 9 });
  expect(rows.lines.map(({ row }) => row)).toMatchObject([
    {
      outcome: 'done',
      detail: { of: 'rules', version: '1.4', package: sha256, to: 'folder', form: 'bundle', title: 'a title', job },
    },
  ]);
  expect((await ours.looked(path)).workspaces[0]?.rules).toEqual({ version: '1.4', state: 'new' });
  await ours.takenIn(path);
  expect(ours.brought.get('1.4')).toEqual(bytes);
  await expect(
    ours.bundles.start(
      requestFor(ours.know(1), { parts: { samples: true, notes: true, threads: true, rules: true } }),
      ours.folder,
    ),
  ).rejects.toThrow(failureOf({ kind: 'no-package' }));
});

test('a browser gets the same bundle, and the journal has each sample before it leaves', async () => {
  const sha256s = [
    await theirs.keep(randomBytes(2 ** 20)),
    await theirs.keep(randomBytes(2 ** 20)),
    await theirs.keep(randomBytes(2 ** 20)),
  ];
  const offer = await theirs.bundles.prepare(requestFor(sha256s));
  expect(offer).toMatchObject({ kind: 'browser', fileName: expect.stringMatching(/^\d{8}T\d{6}Z_3\.vitrine-bundle$/) });
  const pieces: Uint8Array[] = [];
  for await (const piece of theirs.offered.at(-1)?.() ?? []) {
    pieces.push(new Uint8Array(piece));
    if (pieces.length === 4) expect(journalOf(theirs, sha256s[0] ?? '')).toEqual(['done']);
  }
  const path = await fileOf(ours, Buffer.concat(pieces));
  expect(await ours.looked(path)).toMatchObject({ samples: 3, withBytes: 3 });

  await theirs.bundles.prepare(requestFor(sha256s));
  for await (const piece of theirs.offered.at(-1)?.() ?? []) if (piece.length > 1000) break;
  expect(journalOf(theirs, sha256s[0] ?? '')).toEqual(['done', 'done', 'aborted']);
});

test('a bundle’s changes are listed for each workspace', async () => {
  const bytes = randomBytes(20);
  const [sha256, md5] = [await theirs.keep(bytes), hash('md5', bytes)];
  const record = recordWith({ md5, name: 'n', comments: [comment('1', 'c')], listsComments: true });
  theirs.stores.library.recordLookup({ workspaceId, md5, record, outcome: 'found' });
  ours.stores.library.recordLookup({ workspaceId: 'team', md5, record, outcome: 'found' });
  ours.workspaces.add('team');
  onTestFinished(() => void ours.workspaces.delete('team'));
  expect((await ours.looked(await theirs.written([sha256]))).workspaces).toEqual([
    {
      workspaceId,
      records: { new: 1, newer: 0, same: 0, older: 0, contradicting: 0 },
      comments: { new: 1, same: 0 },
      rules: null,
    },
    {
      workspaceId: 'team',
      records: { new: 0, newer: 0, same: 1, older: 0, contradicting: 0 },
      comments: { new: 0, same: 1 },
      rules: null,
    },
  ]);
});

test('a sample forgotten while its bundle was written is not in the bundle’s journal', async () => {
  const [kept = '', forgotten = ''] = theirs.know(2);
  const job = theirs.bundles.start(requestFor([kept, forgotten]), theirs.folder);
  const { id } = await job;
  theirs.stores.library.forget([forgotten], 'all');
  expect(await theirs.ended(id)).toMatchObject({ state: 'done', counts: { done: 1, unknown: 1 } });
  expect([journalOf(theirs, kept), journalOf(theirs, forgotten)]).toEqual([['done'], []]);
});

test('a new key under a name known with another key differs from other new keys', async () => {
  const path = await theirs.written(theirs.know(1), { author: 'CERT North' });
  expect((await ours.looked(path)).signer).toMatchObject({ isNamesake: false });
  await ours.takenIn(path);
  const third = await createTestBundles();
  onTestFinished(() => third.close());
  const signerOf = async (author: string) => (await ours.looked(await third.written(third.know(1), { author }))).signer;
  expect(await signerOf('cert\u200b  NORTH')).toMatchObject({ standing: 'new', isNamesake: true });
  expect(await signerOf('CERT South')).toMatchObject({ standing: 'new', isNamesake: false });
});

test('a bundle names the data of a sample over its limits, and exports the rest', async () => {
  const [known = '', many = ''] = theirs.know(2);
  const tags = Array.from({ length: 1001 }, (_, at) => `tag-${at}`);
  theirs.stores.library.changeSamples([many], { add: tags, remove: [] });
  const job = await theirs.ended((await theirs.bundles.start(requestFor([known, many]), theirs.folder)).id);
  expect(job).toMatchObject({ counts: { done: 1, failed: 1 }, notices: [{ kind: 'bundle-cut', hash: many }] });
  expect(journalOf(theirs, many)).toEqual(['bundle-cut', 'done']);
  const path = join(theirs.folder, job.task.kind === 'bundle' ? (job.task.result ?? '') : '');
  expect((await ours.looked(path)).changes.tags).toEqual({ new: 1000 });
});

test.each(['addCounted', 'begin'] as const)(
  'an import that cannot begin (%s), as on a full disk, leaves the bundle ready for import',
  async (step) => {
    await ours.looked(await ours.written([await ours.keep(Buffer.from('a sample'))]));
    const full = { kind: 'disk-full' as const, path: ours.base };
    vi.spyOn(ours.jobs, step).mockImplementationOnce(() => fail(full));
    expect(() => ours.bundles.import(ours.bundles.opening?.id ?? '', workspaceId)).toThrow(failureOf(full));
    expect(ours.bundles.opening).toMatchObject({ state: 'ready', job: null });
    expect(await ours.ended(ours.bundles.import(ours.bundles.opening?.id ?? '', workspaceId).id)).toMatchObject({
      state: 'done',
    });
  },
);
