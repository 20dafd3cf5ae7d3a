import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { JobTask } from '../../../shared/domain/job.ts';
import { knownWords } from '../../../shared/domain/scan-table.ts';
import type {
  FileGroup,
  HuntEstimate,
  RuleHit,
  ScannedFile,
  ScanPackage,
  ScanPlan,
  ScanResult,
} from '../../../shared/domain/scan.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { type Answers, jobOf, librarySampleOf, runInMemory } from '../memory-run.fixture.ts';
import { reasonOf } from '../reason.ts';

const folder = await mkdtemp(join(tmpdir(), 'vitrine-scan-'));
await writeFile(join(folder, 'one.bin'), 'one');
afterAll(() => rm(folder, { recursive: true }));

const sha256 = createHash('sha256').update('one').digest('hex');
const hitOf = (rule: string): RuleHit => ({
  rule,
  namespace: null,
  tags: [],
  meta: [],
  family: null,
  place: null,
  strings: [
    {
      id: '$a',
      matches: [
        { offset: 31, length: 2, data: '4d5a' },
        { offset: 64, length: null, data: null },
      ],
      total: 2,
      isAtLeast: false,
    },
  ],
});
const resultOf = (facts: Partial<ScanResult> = {}): ScanResult => ({
  side: 'local',
  state: 'scanned',
  engine: 'wasm',
  package: { sha256: null, version: '1.3', rules: 9 },
  elapsedMs: 1,
  hits: [],
  isCut: false,
  withoutGlobal: [],
  failure: null,
  raw: 'long',
  ...facts,
});
const fileOf = (facts: Partial<ScannedFile> = {}): ScannedFile => ({
  position: 1,
  name: 'one.bin',
  md5: null,
  sha256,
  sizeBytes: 3,
  inVault: false,
  tlp: null,
  paths: [join(folder, 'one.bin')],
  tags: [],
  results: [resultOf()],
  muted: [],
  added: [],
  lost: [],
  known: null,
  ...facts,
});
const groupOf = (facts: Partial<FileGroup> = {}): FileGroup => ({
  by: 'file',
  position: 1,
  name: 'one.bin',
  sha256,
  sizeBytes: 3,
  state: 'done',
  failure: null,
  isNotUnderstood: false,
  isWithoutGlobal: false,
  hits: 0,
  rules: [],
  matches: 0,
  muted: 0,
  added: 0,
  lost: 0,
  agreement: null,
  looked: [],
  known: null,
  ...facts,
});
const task = { kind: 'scan', engines: 'local', local: null, package: null, name: null } as const;
const plan: ScanPlan = {
  cannotScan: false,
  service: { host: 'rules.example', isHere: false, asksTlp: false },
  package: null,
  local: { engine: 'wasm', nativeFailure: null, chosen: 'auto' },
  limitBytes: 1,
  limitSeconds: 1,
};

const answersOf = (file: ScannedFile, group = groupOf()): Answers => ({
  'scans.plan': () => plan,
  'scans.start': () => jobOf(task),
  'scans.groups': () => ({ groups: [group], total: 1 }),
  'scans.files': () => ({ files: [file] }),
  'library.sample': () => librarySampleOf({ sha256 }),
});
const hit = fileOf({
  results: [resultOf({ hits: [hitOf('beta'), hitOf('alpha'), hitOf('quiet')] })],
  muted: [{ rule: 'quiet', reason: 'noisy', expires: null }],
});
const run = (args: string[], answers: Answers) =>
  runInMemory(['scan', ...args.map((arg) => (arg.endsWith('.bin') ? join(folder, arg) : arg))], () => ({ answers }));

test('a file is scanned locally by default, with one line that lists the hits that are not muted', async () => {
  const { code, lines, inputsOf, said } = await run(['one.bin'], answersOf(hit));
  expect(inputsOf('scans.start')).toEqual([
    { workspaceId: 'team', engines: 'local', files: [{ id: 'staged:one.bin' }], samples: [], tlp: null },
  ]);
  expect([code, lines, said]).toEqual([0, [`hit\t${join(folder, 'one.bin')}\talpha beta\t-`], []]);
});

test('files with the same bytes, or the same name, have a line each', async () => {
  await mkdir(join(folder, 'below'));
  await writeFile(join(folder, 'below/one.bin'), 'one');
  const { lines } = await runInMemory(['scan', join(folder, 'one.bin'), join(folder, 'below')], () => ({
    answers: answersOf(fileOf({ paths: [join(folder, 'one.bin'), join(folder, 'below/one.bin')] })),
  }));
  expect(lines).toEqual([
    `no hits\t${join(folder, 'one.bin')}\t-\t9 rules`,
    `no hits\t${join(folder, 'below/one.bin')}\t-\t9 rules`,
  ]);
});

test('--matches shows the position of each matched string', async () => {
  const { lines } = await run(
    ['one.bin', '--matches'],
    answersOf(fileOf({ results: [resultOf({ hits: [hitOf('alpha')] })] })),
  );
  expect(lines).toEqual([
    `hit\t${join(folder, 'one.bin')}\talpha\tlocal\t$a\t0x1f\t4d5a\t-`,
    `hit\t${join(folder, 'one.bin')}\talpha\tlocal\t$a\t0x40\t-\t-`,
  ]);
});

test('--fail-on-hit ends with 8 only for a hit that is not muted', async () => {
  expect((await run(['one.bin', '--fail-on-hit'], answersOf(hit))).code).toBe(8);
  const muted = fileOf({ results: [resultOf({ hits: [hitOf('quiet')] })], muted: hit.muted });
  expect((await run(['one.bin', '--fail-on-hit'], answersOf(muted))).code).toBe(0);
});

test('restricted files are not sent to the service, and the receiver is named before others are sent', async () => {
  const refused = await run(['one.bin', '--engines', 'service', '--tlp', 'amber'], answersOf(fileOf()));
  expect([refused.code, refused.inputsOf('scans.start')]).toEqual([7, []]);
  const both = await run(['one.bin', '--engines', 'both', '--tlp', 'red'], answersOf(fileOf()));
  expect([both.code, both.said, both.inputsOf('scans.start')]).toMatchObject([
    0,
    ['Nothing is sent to rules.example: the TLP forbids it'],
    [{ engines: 'both', tlp: 'red' }],
  ]);
  const open = await run(['one.bin', '--engines', 'service', '--tlp', 'green'], answersOf(fileOf()));
  expect([open.code, open.said]).toEqual([0, ['Sending to rules.example']]);
});

test('a hash scans a sample of the vault, and a missing one fails alone', async () => {
  const gone = 'c'.repeat(64);
  const answers: Answers = {
    ...answersOf(fileOf()),
    'library.sample': ({ hash }) =>
      hash === gone ? fail({ kind: 'not-in-library', hash }) : librarySampleOf({ sha256 }),
  };
  const { code, lines, inputsOf } = await run(['a'.repeat(32), gone], answers);
  expect(inputsOf('scans.start')).toMatchObject([{ files: [], samples: [sha256] }]);
  expect([code, lines]).toEqual([3, [expect.stringMatching(/^failed\tc{64}\t-\t\S/), 'no hits\tone.bin\t-\t9 rules']]);
});

test.each(['local', 'both'])('the given TLP also applies to samples (%s)', async (engines) => {
  const { inputsOf } = await run([sha256, '--engines', engines, '--tlp', 'red'], answersOf(fileOf()));
  expect(inputsOf('scans.start')).toMatchObject([{ engines, files: [], samples: [sha256], tlp: 'red' }]);
});

test('a file that one engine failed to scan is shown as failed with the reason on its line', async () => {
  const file = fileOf({
    results: [
      resultOf(),
      resultOf({
        side: 'service',
        state: 'failed',
        failure: { kind: 'third-party-refused', tlp: 'red', receiver: 'rules.example' },
      }),
    ],
  });
  const { code, lines } = await run(['one.bin', '--engines', 'both'], answersOf(file));
  expect([code, lines]).toEqual([
    7,
    [expect.stringMatching(new RegExp(`^failed\t${join(folder, 'one.bin')}\t-\tservice: \\S.*\\.$`))],
  ]);
});

test('a scanned file as JSON has all results, without the service’s raw reply', async () => {
  const { json } = await run(['one.bin', '--json'], answersOf(hit));
  expect(json).toMatchObject([
    {
      file: join(folder, 'one.bin'),
      sha256,
      state: 'done',
      rules: ['alpha', 'beta'],
      job: 7,
      results: [{ side: 'local', hits: [{ rule: 'beta' }, { rule: 'alpha' }, { rule: 'quiet' }] }],
    },
  ]);
  expect(JSON.stringify(json)).not.toContain('"raw"');
});

const engineFailed = {
  kind: 'scan-engine-failed',
  engine: 'native',
  text: 'a number where text was expected',
} as const;

test('a failed file shows its reason in text and in JSON, and ends --fail-on-hit with 1', async () => {
  const answers = answersOf(
    fileOf({ results: [resultOf({ state: 'failed', failure: engineFailed })] }),
    groupOf({ state: 'failed' }),
  );
  const { code, lines } = await run(['one.bin', '--fail-on-hit'], answers);
  expect([code, lines]).toEqual([
    1,
    [expect.stringMatching(/^failed\t\S+\t-\tlocal: .*a number where text was expected/)],
  ]);
  expect((await run(['one.bin', '--json', '--fail-on-hit'], answers)).json).toMatchObject([
    { state: 'failed', failure: engineFailed },
  ]);
});

test('a file without any result ends --fail-on-hit with 1 when its job is over', async () => {
  const { code, lines } = await run(
    ['one.bin', '--fail-on-hit'],
    answersOf(fileOf({ results: [] }), groupOf({ state: 'failed' })),
  );
  expect([code, lines]).toEqual([1, [`failed\t${join(folder, 'one.bin')}\t-\tNot scanned.`]]);
});

test('a hit ends --fail-on-hit with 8 even when another file failed', async () => {
  const both: Answers = {
    ...answersOf(hit),
    'scans.groups': () => ({
      groups: [groupOf(), groupOf({ position: 2, name: 'two.bin', state: 'failed', failure: engineFailed })],
      total: 2,
    }),
    'scans.files': ({ positions }) => ({
      files: positions.map((position) =>
        position === 1 ? hit : fileOf({ position: 2, name: 'two.bin', sha256: 'd'.repeat(64), results: [] }),
      ),
    }),
  };
  expect((await run(['one.bin', '--fail-on-hit'], both)).code).toBe(8);
});

test('no hits is shown beside the other known facts of the file', async () => {
  const known = {
    hits: { count: 1, rules: ['theirs'], side: 'service', versions: ['1.2'] },
    older: { count: 5, rules: ['a', 'b', 'c'], side: 'local', versions: ['1.1', '1.2'] },
    severity: 'bad',
    threat: 'Emotet http://bad.example/x',
  } as const satisfies ScannedFile['known'];
  const file = fileOf({
    muted: hit.muted,
    known: {
      ...known,
      hits: { ...known.hits, rules: [...known.hits.rules], versions: [...known.hits.versions] },
      older: { ...known.older, rules: [...known.older.rules], versions: [...known.older.versions] },
    },
  });
  const { lines } = await run(['one.bin'], answersOf(file));
  expect(lines).toEqual([
    `no hits\t${join(folder, 'one.bin')}\t-\t9 rules, 1 muted; ${knownWords(file.known ?? known)
      .join('; ')
      .replace('http://bad.', 'hxxp://bad[.]')}`,
  ]);
  expect((await run(['one.bin', '--json'], answersOf(file))).json).toMatchObject([
    { known: { severity: 'bad', older: { count: 5 } } },
  ]);
});

test('a rule that was left out of the scan is not counted as scanned', async () => {
  const leftOut = { kind: 'scan-rule-left-out', rule: 'slow', reason: 'endless' } as const;
  const { code, lines, said } = await run(['one.bin'], {
    ...answersOf(fileOf()),
    'scans.start': () => ({ ...jobOf(task), notices: [leftOut], noticeCount: 1 }),
  });
  expect([code, lines, said]).toEqual([
    1,
    [`no hits\t${join(folder, 'one.bin')}\t-\t8 of 9 rules`],
    [reasonOf(leftOut)],
  ]);
});

test('a scan without a file ends with 3 and reports that nothing was scanned', async () => {
  await mkdir(join(folder, 'empty'));
  const { code, said, inputsOf } = await runInMemory(['scan', join(folder, 'empty'), '--fail-on-hit'], () => ({
    answers: answersOf(fileOf()),
  }));
  expect([code, said, inputsOf('scans.start')]).toEqual([3, ['No files found. Nothing was scanned.'], []]);
});

const noPackage: ScanPackage = { sha256: null, version: null, rules: null };
const huntTask: JobTask = {
  kind: 'hunt',
  scope: 'changed',
  local: null,
  package: noPackage,
  rules: 1,
  names: [],
  against: null,
};
const estimate: HuntEstimate = {
  package: noPackage,
  rules: 2,
  names: [],
  removed: [],
  against: null,
  samples: 3,
  bytes: 9,
  engine: 'wasm',
  seconds: null,
  total: { rules: 2, samples: 3 },
  unseen: { rules: 2, samples: 3, pairs: 6 },
  older: { rules: 0, samples: 0, pairs: 0 },
  isFirst: false,
};
const huntAnswers: Answers = {
  'hunts.estimate': () => estimate,
  'hunts.start': () => jobOf(huntTask),
  'scans.groups': ({ filter }) =>
    filter.show === 'trouble' ? { groups: [], total: 0 } : { groups: [groupOf()], total: 1 },
  'scans.files': () => ({ files: [fileOf({ added: ['fresh'], lost: ['gone'] })] }),
  'scans.summary': () => ({
    files: 3,
    scanned: 3,
    withHits: 1,
    clean: 2,
    trouble: 0,
    differs: 0,
    rules: 1,
    families: 0,
    hits: 1,
    muted: 0,
    added: 1,
    lost: 1,
  }),
};
const hunted = (...args: string[]) => runInMemory(['hunt', ...args], () => ({ answers: huntAnswers }));

test('a hunt shows new and lost hits, each file once', async () => {
  const { code, lines } = await hunted();
  expect([code, lines]).toEqual([0, [`+\tfresh\t${sha256}\tone.bin`, `-\tgone\t${sha256}\tone.bin`]]);
  expect((await hunted('--fail-on-hit')).code).toBe(8);
});

test('a hunt names what was not scanned, and succeeds when nothing was left to scan', async () => {
  const share = (rules: number, samples: number) => ({ rules, samples, pairs: rules * samples });
  const estimated = (facts: Partial<HuntEstimate>, ...args: string[]) =>
    runInMemory(['hunt', ...args], () => ({
      answers: { ...huntAnswers, 'hunts.estimate': () => ({ ...estimate, ...facts }) },
    }));
  const first = await estimated({ isFirst: true, against: { version: '1', hunted: '2026-11-03T15:00:00.000Z' } });
  expect(first.said).toContain('What earlier hunts covered is unknown, so the next hunt scans everything.');
  expect(first.said).toContain('2 rules have not scanned 3 of 3 samples.');
  const idle = await estimated({ rules: 0, samples: 0, unseen: share(0, 0), older: share(2, 1) });
  expect([idle.code, idle.inputsOf('hunts.start')]).toEqual([0, []]);
  expect(idle.said).toContain('2 rules have scanned 1 of 3 samples with an older engine only (--newer-engine).');
  expect(idle.said).toContain('Nothing to hunt: every rule has scanned every sample.');
  const csv = await estimated({ rules: 0, samples: 0 }, '--format', 'csv');
  expect([csv.code, csv.lines, csv.bytes]).toEqual([0, [], 'change,rule,sha-256,file\r\n']);
  expect((await estimated({}, '--newer-engine')).inputsOf('hunts.start')).toMatchObject([
    { scope: { kind: 'engine' } },
  ]);
});

test('a file scanned without a global rule is reported as such', async () => {
  const file = fileOf({ results: [resultOf({ withoutGlobal: ['only_pe'] })] });
  const { lines } = await run(['one.bin'], answersOf(file));
  expect(lines[0]).toContain('local: scanned without the global rule only_pe; some hits may be false');
});

test('a hunt uses the changed rules, all rules, or rules by name', async () => {
  const scopes = await Promise.all(
    [[], ['--all'], ['--rule', 'a', '--rule', 'b']].map(async (args) =>
      (await hunted(...args)).inputsOf('hunts.start'),
    ),
  );
  expect(scopes).toMatchObject([
    [{ scope: { kind: 'changed' } }],
    [{ scope: { kind: 'all' } }],
    [{ scope: { kind: 'named', rules: ['a', 'b'] } }],
  ]);
  expect((await hunted('--all', '--rule', 'a')).code).toBe(2);
});

test('rules that use unknown variables and names over the limit are reported without a failure', async () => {
  const notice: Failure = { kind: 'scan-variables-unknown', variables: ['filepath', 'owner'], rules: 3, of: 'vault' };
  const answers: Answers = {
    ...answersOf(fileOf({ results: [resultOf({ namesLeftOut: 8 })] })),
    'scans.start': () => ({ ...jobOf(task), notices: [notice], noticeCount: 1 }),
  };
  const { code, lines, said } = await run(['one.bin'], answers);
  expect(code).toBe(0);
  expect(said).toEqual([reasonOf(notice)]);
  expect(lines).toEqual([`no hits\t${join(folder, 'one.bin')}\t-\t9 rules; not scanned under 8 more of its names`]);
});

test('nothing is scanned with a rule editor that does not scan files', async () => {
  const { code, said, inputsOf } = await run(['one.bin', '--engines', 'service'], {
    ...answersOf(hit),
    'scans.plan': () => ({ ...plan, service: null, cannotScan: true }),
  });
  expect([code, said, inputsOf('scans.start')]).toEqual([
    5,
    [expect.stringContaining('This rule editor does not scan files')],
    [],
  ]);
});
