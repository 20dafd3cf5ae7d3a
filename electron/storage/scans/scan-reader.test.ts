import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { everyResult, type ScanFilter, type ScanGroup } from '../../../shared/domain/scan.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { LibraryStore } from '../library/library-store.ts';
import { ReadingThread } from '../reading/reading-thread.ts';
import { makeTestFolder, openTestDatabase, type TestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { beginScan, hitOf, noteOf, resultOf, scanFile, scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { fileGroup, huntFour as huntFourFiles, scanEight as scanEightFiles } from '../testing/scanned-files.fixture.ts';
import { MuteStore } from './mute-store.ts';
import { ScanReader } from './scan-reader.ts';
import { ScanStore } from './scan-store.ts';

let folder: TestFolder;
let database: TestDatabase;
let jobs: SqliteJobStore;
let scans: ScanStore;
let mutes: MuteStore;
let thread: ReadingThread;
let reader: ScanReader;
let id: number;
// One thread for all tests: it takes longer to start than they do. Each has a job of its own.
beforeAll(() => {
  folder = makeTestFolder();
  database = openTestDatabase(folder.path);
  jobs = new SqliteJobStore(database.db);
  scans = new ScanStore(database.db);
  mutes = new MuteStore(database.db, database.journal);
  thread = new ReadingThread(database.db.path);
  reader = new ScanReader(thread);
});
beforeEach(() => {
  for (const { id: mute } of mutes.list('lab')) mutes.remove(mute);
});
afterAll(async () => {
  await thread.close();
  database.db.close();
  folder.remove();
});

const mute = (rule: string, number: number | null = null, expires: string | null = null): unknown =>
  mutes.add(
    { workspaceId: 'lab', rule, sample: number === null ? null : sha256Of(number), reason: 'noise', expires },
    null,
  );
const groups = async (by: 'file' | 'rule' | 'family', filter: Partial<ScanFilter> = {}): Promise<ScanGroup[]> =>
  (await reader.groups({ jobId: id, by, filter: { ...everyResult, ...filter }, offset: 0, limit: 100 })).groups;
/** Positions, names of rules, or families. */
const found = async (by: 'file' | 'rule' | 'family', filter: Partial<ScanFilter> = {}): Promise<unknown[]> =>
  (await groups(by, filter)).map((group) =>
    group.by === 'file' ? group.position : group.by === 'rule' ? group.rule : group.family,
  );

const scanEight = (): void => void (id = scanEightFiles({ jobs, scans }));
const huntFour = (): void => void (id = huntFourFiles({ jobs, scans }));

test('files include their sums and first rules, those with hits first', async () => {
  scanEight();
  expect(await groups('file')).toEqual([
    fileGroup(1, { hits: 2, rules: ['Emotet_A', 'Packed'], matches: 4, agreement: 'same' }),
    fileGroup(2, { hits: 3, rules: ['Emotet_B', 'Packed', 'Theirs'], matches: 3, agreement: 'differs' }),
    fileGroup(4, { hits: 1, rules: ['Packed'], matches: 1, state: 'failed', failure: { kind: 'interrupted' } }),
    fileGroup(8, { hits: 1, rules: ['Packed'], matches: 1, looked: [9] }),
    fileGroup(3, { agreement: 'same' }),
    fileGroup(5, { state: 'failed', isNotUnderstood: true }),
    fileGroup(6, { state: 'waiting', looked: [] }),
    fileGroup(7, { state: 'cancelled', looked: [] }),
  ]);
});

test('rules include the files of each side, the most files first', async () => {
  scanEight();
  const none = { by: 'rule', muted: 0, added: 0, lost: 0 };
  expect(await groups('rule')).toEqual([
    { ...none, rule: 'Packed', tags: ['Packer'], family: null, files: 4, matches: 4, service: 4, local: 1 },
    { ...none, rule: 'Emotet_A', tags: ['apt'], family: 'emotet', files: 1, matches: 3, service: 1, local: 1 },
    { ...none, rule: 'Emotet_B', tags: [], family: 'emotet', files: 1, matches: 1, service: 1, local: 1 },
    { ...none, rule: 'Theirs', tags: [], family: null, files: 1, matches: 1, service: 1, local: 0 },
  ]);
});

test('families count a file once, and rules without a family sort last among equal counts', async () => {
  scanEight();
  scans.record(id, [noteOf(1, resultOf('local', ['Emotet_A', 'Emotet_B', 'Packed']))]);
  const none = { by: 'family', muted: 0, added: 0, lost: 0 };
  expect(await groups('family')).toEqual([
    { ...none, family: null, rules: 2, files: 4, matches: 5 },
    { ...none, family: 'emotet', rules: 2, files: 2, matches: 3 },
  ]);
});

test('a window includes the number of all matches', async () => {
  scanEight();
  const window = async (by: 'file' | 'rule' | 'family', offset: number, limit: number): Promise<unknown> => {
    const { groups: some, total } = await reader.groups({ jobId: id, by, filter: everyResult, offset, limit });
    return [some.length, total];
  };
  expect(
    await Promise.all([
      window('file', 6, 5),
      window('file', 99, 5),
      window('rule', 1, 2),
      window('rule', 9, 2),
      window('family', 1, 5),
    ]),
  ).toEqual([
    [2, 8],
    [0, 8],
    [2, 4],
    [0, 4],
    [1, 2],
  ]);
});

test('a summary counts the outcomes of the files', async () => {
  scanEight();
  expect(await reader.summary(id)).toEqual({
    files: 8,
    scanned: 6,
    withHits: 4,
    clean: 1,
    trouble: 2,
    differs: 1,
    rules: 4,
    families: 1,
    hits: 7,
    muted: 0,
    added: 0,
    lost: 0,
  });
});

test.each<[ScanFilter['show'], number[], string[]]>([
  ['all', [1, 2, 4, 8, 3, 5, 6, 7], ['Packed', 'Emotet_A', 'Emotet_B', 'Theirs']],
  ['hits', [1, 2, 4, 8], ['Packed', 'Emotet_A', 'Emotet_B', 'Theirs']],
  ['clean', [3], []],
  ['trouble', [4, 5], ['Packed']],
  ['differs', [2], ['Packed', 'Theirs']],
  ['added', [], []],
  ['muted', [], []],
])('the scan filter %s shows files %j and rules %j', async (show, files, rules) => {
  scanEight();
  expect(await found('file', { show })).toEqual(files);
  expect(await found('rule', { show })).toEqual(rules);
});

test('files are found by rule, family, tag, name or hash, and rules by these and those of their files', async () => {
  scanEight();
  const cases: [string, number[], string[]][] = [
    ['EMOTET_a', [1], ['Emotet_A']],
    ['emotet', [1, 2], ['Emotet_A', 'Emotet_B']],
    ['packER', [1, 2, 4, 8], ['Packed']],
    ['FILE-2', [2], ['Emotet_B', 'Packed', 'Theirs']],
    [sha256Of(3).slice(8, 40), [3], []],
    ['no such thing', [], []],
    ['%', [], []],
    [' file-6 ', [6], []],
  ];
  for (const [find, files, rules] of cases)
    expect([find, await found('file', { find }), await found('rule', { find })]).toEqual([find, files, rules]);
});

test('all conditions apply together to one and the same hit', async () => {
  scanEight();
  expect(await found('file', { rule: 'Packed' })).toEqual([1, 2, 4, 8]);
  expect(await found('file', { rule: 'Packed', show: 'trouble' })).toEqual([4]);
  expect(await found('file', { family: 'emotet', find: 'file-2' })).toEqual([2]);
  expect(await found('file', { rule: 'Emotet_B', show: 'differs' })).toEqual([]);
  expect(await found('file', { rule: 'Packed', show: 'differs' })).toEqual([2]);
  expect(await found('rule', { family: 'emotet' })).toEqual(['Emotet_A', 'Emotet_B']);
  expect(await found('rule', { family: 'emotet', rule: 'Packed' })).toEqual([]);
  expect(await found('family', { rule: 'Emotet_A' })).toEqual(['emotet']);
});

test('a hunt lists files with new hits first, and lost rules', async () => {
  huntFour();
  expect(await found('file')).toEqual([1, 3, 2, 4]);
  expect(await groups('file', { show: 'added' })).toMatchObject([{ position: 1, hits: 2, added: 1, lost: 0 }]);
  expect(await groups('file', { show: 'lost' })).toMatchObject([
    { position: 2, hits: 0, rules: ['Gone'], added: 0, lost: 1 },
  ]);
  expect([
    await found('file', { show: 'clean' }),
    await found('file', { show: 'added', rule: 'Old' }),
    await found('file', { show: 'lost', rule: 'Gone' }),
  ]).toEqual([[2, 4], [], [2]]);
  expect(await groups('rule')).toMatchObject([
    { rule: 'Old', files: 2, added: 0, lost: 0 },
    { rule: 'New', files: 1, added: 1 },
    { rule: 'Gone', files: 0, matches: 0, lost: 1 },
  ]);
  expect([await found('rule', { show: 'added' }), await found('rule', { show: 'lost' })]).toEqual([['New'], ['Gone']]);
  expect(await reader.summary(id)).toEqual({
    files: 4,
    scanned: 4,
    withHits: 2,
    clean: 2,
    trouble: 0,
    differs: 0,
    rules: 2,
    families: 0,
    hits: 3,
    muted: 0,
    added: 1,
    lost: 1,
  });
});

test('a rule muted everywhere is no hit and is listed as muted', async () => {
  scanEight();
  mute('Packed');
  expect(await found('file', { show: 'hits' })).toEqual([1, 2]);
  expect(await found('file', { show: 'clean' })).toEqual([3, 8]);
  expect(await found('file', { show: 'muted' })).toEqual([1, 2, 4, 8]);
  expect((await groups('file'))[0]).toMatchObject({
    position: 1,
    hits: 1,
    rules: ['Emotet_A'],
    matches: 3,
    muted: 1,
    agreement: 'same',
  });
  expect((await groups('rule'))[0]).toMatchObject({ rule: 'Packed', files: 4, muted: 4 });
  expect([await found('rule', { show: 'hits' }), await found('rule', { show: 'muted' })]).toEqual([
    ['Emotet_A', 'Emotet_B', 'Theirs'],
    ['Packed'],
  ]);
  expect(await groups('family')).toMatchObject([
    { family: null, files: 4, muted: 4 },
    { family: 'emotet', files: 2, muted: 0 },
  ]);
  expect(await reader.summary(id)).toMatchObject({ withHits: 2, clean: 2, rules: 3, hits: 3, muted: 4 });
});

test('a rule muted in one sample is a hit in the others', async () => {
  scanEight();
  mute('Packed', 1);
  mute('Emotet_A', 1);
  mute('Packed', 99);
  expect(await found('file', { show: 'hits' })).toEqual([2, 4, 8]);
  expect(await groups('file', { show: 'muted' })).toMatchObject([{ position: 1, hits: 0, rules: [], muted: 2 }]);
  expect(await groups('rule', { rule: 'Packed' })).toMatchObject([{ files: 4, muted: 1 }]);
  expect(await groups('family')).toMatchObject([
    { family: null, files: 4, muted: 1 },
    { family: 'emotet', files: 2, muted: 1 },
  ]);
  expect(await reader.summary(id)).toMatchObject({ withHits: 3, rules: 3, hits: 5, muted: 2 });
  mute('Packed');
  expect(await reader.summary(id)).toMatchObject({ withHits: 1, rules: 2, hits: 2, muted: 5 });
});

test('a mute applies until it ends, and only in its workspace', async () => {
  scanEight();
  mute('Packed', null, '2030-06-01T00:00:00Z');
  mutes.add({ workspaceId: 'w-1', rule: 'Emotet_A', sample: null, reason: 'theirs', expires: null }, null);
  expect((await reader.summary(id, '2030-05-31T23:59:59.999Z')).muted).toBe(4);
  expect((await reader.summary(id, '2030-06-01T00:00:00.000Z')).muted).toBe(0);
});

test('a muted hit is neither new nor lost', async () => {
  huntFour();
  mute('New');
  mute('Gone', 2);
  expect(await reader.summary(id)).toMatchObject({ added: 0, lost: 0, muted: 1 });
  expect([
    await found('file', { show: 'added' }),
    await found('file', { show: 'lost' }),
    await found('rule', { show: 'added' }),
    await found('rule', { show: 'lost' }),
  ]).toEqual([[], [], [], []]);
  expect(await groups('rule')).toMatchObject([
    { rule: 'Old' },
    { rule: 'New', added: 0, muted: 1 },
    { rule: 'Gone', lost: 0 },
  ]);
});

test('a file is returned whole, with its mutes and local tags', async () => {
  scanEight();
  scans.addFiles(id, [scanFile(1, { name: 'given.exe', hashes: scanHashesOf(1) })]);
  const library = new LibraryStore(database.db, database.journal);
  library.recordScans([
    { workspaceId: 'lab', sha256: sha256Of(1), hashes: scanHashesOf(1), sizeBytes: 10, outcome: 'done' },
  ]);
  library.tagSamples([sha256Of(1)], ['case:7'], []);
  mute('Packed');
  expect(await reader.file(id, 1)).toMatchObject({
    position: 1,
    name: 'given.exe',
    md5: scanHashesOf(1).md5,
    sha256: sha256Of(1),
    sizeBytes: 10,
    inVault: false,
    tlp: null,
    tags: ['case:7'],
    results: [
      { side: 'local', engine: 'wasm' },
      { side: 'service', engine: null },
    ],
    muted: [{ rule: 'Packed', reason: 'noise', expires: null }],
    added: [],
    lost: [],
  });
  expect((await reader.file(id, 5)).results[1]).toMatchObject({ state: 'not-understood', raw: '?', hits: [] });
  await expect(reader.file(id, 9)).rejects.toMatchObject({
    failure: { kind: 'scan-file-missing', job: id, position: 9 },
  });
});

test('many files come in the requested order with their paths, and fewer when these are long', async () => {
  scanEight();
  const place = { kind: 'in-place', path: '/tmp/one', sizeBytes: 10, changedMs: 1 };
  scans.addFiles(id, [
    scanFile(1, {
      stagedId: 'f'.repeat(32),
      place,
      also: [
        { name: 'two', path: '/tmp/two' },
        { name: 'copied', path: null },
      ],
    }),
  ]);
  const files = await reader.files(id, [5, 1]);
  expect(files.map(({ position }) => position)).toEqual([5, 1]);
  expect(files.map(({ paths }) => paths)).toEqual([[], ['/tmp/one', '/tmp/two']]);
  expect(files[0]?.results[1]).toMatchObject({ state: 'not-understood', raw: null });
  await expect(reader.files(id, [1, 9])).rejects.toMatchObject({
    failure: { kind: 'scan-file-missing', job: id, position: 9 },
  });
  scans.record(
    id,
    [2, 3].map((position) => noteOf(position, resultOf('local', [], { hits: [hitOf('Emotet_A', 15_000)] }))),
  );
  expect((await reader.files(id, [2, 3, 1])).map(({ position }) => position)).toEqual([2]);
  expect((await reader.files(id, [3, 1])).map(({ position }) => position)).toEqual([3, 1]);
});

test('a result with unreadable hits does not count as no hits', async () => {
  scanEight();
  database.db.command("UPDATE scan_body SET hits = '[{' WHERE job_id = ? AND position = 1 AND side = 'local'").run(id);
  expect((await reader.file(id, 1)).results).toMatchObject([
    { side: 'local', state: 'failed', hits: [], failure: { kind: 'data-damaged' } },
    { side: 'service', state: 'scanned' },
  ]);
});

test('rows for an export have the selected hits, every file once', async () => {
  id = beginScan(jobs, 'scan', 1100);
  for (let from = 1; from <= 1100; from += 100) {
    scans.record(
      id,
      Array.from({ length: 100 }, (_, index) =>
        noteOf(from + index, resultOf('local', (from + index) % 2 ? ['A', 'B'] : [])),
      ),
    );
  }
  const read = async (filter: Partial<ScanFilter>): Promise<{ positions: number[]; hits: number }> => {
    const all = { positions: new Array<number>(), hits: 0 };
    for await (const page of reader.rows(id, { ...everyResult, ...filter })) {
      for (const { position, results } of page) {
        all.positions.push(position);
        all.hits += results.reduce((sum, { hits }) => sum + hits.length, 0);
      }
    }
    return all;
  };
  const odd = Array.from({ length: 550 }, (_, index) => 2 * index + 1);
  expect(await read({})).toEqual({ positions: Array.from({ length: 1100 }, (_, index) => index + 1), hits: 1100 });
  expect(await read({ rule: 'A' })).toEqual({ positions: odd, hits: 550 });
  mute('A');
  expect(await read({ show: 'hits' })).toEqual({ positions: odd, hits: 550 });
  const targets: string[][] = [];
  for await (const page of reader.targets(id, { ...everyResult, rule: 'A' })) targets.push(page);
  expect([targets.map((page) => page.length), targets.flat()]).toEqual([[500, 50], odd.map(sha256Of)]);
});

test('files with many matches come in smaller pages, each once', async () => {
  id = beginScan(jobs, 'scan', 30);
  for (let number = 1; number <= 30; number += 1)
    scans.record(id, [
      noteOf(number, resultOf('local', [], { hits: ['A', 'B', 'C', 'D', 'E'].map((name) => hitOf(name, 1000)) })),
    ]);
  const pages: number[][] = [];
  for await (const page of reader.rows(id, everyResult)) pages.push(page.map(({ position }) => position));
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat()).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
});

test('every query for a missing job fails', async () => {
  const missing = { failure: { kind: 'job-missing', id: 999 } };
  await expect(reader.summary(999)).rejects.toMatchObject(missing);
  await expect(
    reader.groups({ jobId: 999, by: 'rule', filter: everyResult, offset: 0, limit: 1 }),
  ).rejects.toMatchObject(missing);
  await expect(reader.file(999, 1)).rejects.toMatchObject(missing);
  await expect(reader.rows(999, everyResult).next()).rejects.toMatchObject(missing);
});
