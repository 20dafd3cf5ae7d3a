import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  defaultRuleOptions,
  type DifferenceRow,
  type ListedRule,
  type PackageView,
  type PublicationsState,
} from '../../../shared/domain/publication.ts';
import { fail } from '../../../shared/failure.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { type Answers, type Events, runInMemory } from '../memory-run.fixture.ts';
import { reasonOf } from '../reason.ts';

const idOf = (letter: string): string => letter.repeat(64);
const packageOf = (letter: string, version: string, facts: Partial<PackageView> = {}): PackageView => ({
  sha256: idOf(letter),
  version,
  group: 'Release',
  published: null,
  source: 'service',
  sizeBytes: 1,
  received: '2026-11-10T00:00:00.000Z',
  contents: { files: 1, rules: 3, broken: 0 },
  failure: null,
  warnings: [],
  activated: null,
  activeMs: 0,
  ...facts,
});
const stateOf = (facts: Partial<PublicationsState> = {}): PublicationsState => ({
  workspaceId: 'team',
  hasRuleEditor: true,
  rulesFrom: 'publications',
  packages: [],
  active: null,
  candidate: null,
  pinned: null,
  check: null,
  lastCheck: null,
  options: defaultRuleOptions,
  hasPassword: false,
  ...facts,
});
const rowOf = (facts: Partial<DifferenceRow>): DifferenceRow => ({
  kind: 'added',
  name: 'fresh',
  file: 'a.yar',
  line: 3,
  old: null,
  new: 1,
  movedFrom: null,
  parts: [],
  addedLines: 0,
  removedLines: 0,
  broken: null,
  ...facts,
});
const broken = { rule: 'bad', file: 'b.yar', line: 9, kind: 'engine', text: 'unknown identifier "pe"' } as const;
const active = packageOf('a', '1.3', { activated: '2026-11-01' });
const candidate = packageOf('b', '1.4', { contents: { files: 1, rules: 4, broken: 1 } });
const found = stateOf({
  packages: [candidate, active],
  active: active.sha256,
  candidate: candidate.sha256,
  lastCheck: { at: '', outcome: 'found', version: '1.4', failure: null, reply: null, missing: [] },
});
const difference: Answers = {
  'publications.difference': () => ({
    counts: { added: 2, removed: 1, changed: 3, moved: 0, broken: 1, same: 0 },
    rows: [rowOf({ kind: 'broken', name: 'bad', file: 'b.yar', line: 9, broken }), rowOf({})],
    total: 2,
    muted: [],
  }),
};
const run = (args: string[], answers: (events: Events) => Answers) =>
  runInMemory(['rules', ...args], (events) => ({ answers: { ...difference, ...answers(events) } }));

test('a rule check waits for its end and shows the version, its changes and its broken rules', async () => {
  let turns = 0;
  const { code, lines, said } = await run(['check'], ({ emit }) => ({
    'publications.check': () => ({}),
    'publications.state': () => {
      if (turns++ > 1) return found;
      queueMicrotask(() => emit('publications.changed', { workspaceId: 'team' }));
      return { ...found, check: { phase: 'compiling', done: 1, total: 3 } };
    },
  }));
  expect([said, lines]).toEqual([
    ['1.3 -> 1.4 (+2 -1 ~3, 1 broken)'],
    ['!\tbad\tb.yar\t9\tunknown identifier "pe"', '+\tfresh\ta.yar\t3\t-'],
  ]);
  expect([code, turns]).toEqual([0, 3]);
});

const checkedTo = (state: PublicationsState) => (): Answers => ({
  'publications.check': () => ({}),
  'publications.state': () => state,
  'publications.activate': () => ({ ...state, active: candidate.sha256 }),
});

test('a check of a rule editor without publications names what was exported, and finds no changes', async () => {
  const exported = { ...candidate, source: 'export', contents: { files: 2, rules: 4, broken: 1 } } as const;
  const empty = { files: 21, names: ['Empty'] };
  const packages = [{ ...exported, contents: { ...exported.contents, empty } }, active];
  expect((await run(['check'], checkedTo({ ...found, packages }))).said).toEqual([
    'Exported from the rule editor: 2 files; 21 files without rules skipped: Empty, …',
    '1.3 -> 1.4 (+2 -1 ~3, 1 broken)',
  ]);
  expect((await run(['update', '--yes'], checkedTo({ ...found, packages }))).lines).toEqual([
    '1.4 is active (+2 -1 ~3, 1 broken)',
  ]);
  const same = stateOf({
    packages: [active],
    active: active.sha256,
    lastCheck: { at: '', outcome: 'up-to-date', version: '1.3', failure: null, reply: null, missing: [], of: 'export' },
  });
  expect((await run(['check'], checkedTo(same))).lines).toEqual(['No changes: 1.3']);
});

test('a failed check ends with its failure, and an inconclusive one with 5', async () => {
  const failure = {
    kind: 'token-refused',
    service: 'rule-editor',
    address: 'https://rules.example',
    status: 401,
  } as const;
  const failedCheck = { at: '', outcome: 'failed', version: null, failure, reply: null, missing: [] } as const;
  expect((await run(['check'], checkedTo(stateOf({ lastCheck: { ...failedCheck, missing: [] } })))).code).toBe(4);
  const unsure = await run(
    ['check'],
    checkedTo(stateOf({ lastCheck: { ...failedCheck, outcome: 'unsure', failure: null, missing: ['version'] } })),
  );
  expect([unsure.code, unsure.lines]).toEqual([
    5,
    ['Unexpected response: it does not show whether there is a newer version (no version)'],
  ]);
});

test('an update activates an existing candidate without a request, and names its broken rules', async () => {
  const { code, lines, said, inputsOf } = await run(['update'], checkedTo(found));
  expect(inputsOf('publications.activate')).toEqual([{ workspaceId: 'team', sha256: candidate.sha256 }]);
  expect([code, lines, said, inputsOf('publications.check')]).toEqual([
    0,
    ['1.4 is active (+2 -1 ~3, 1 broken)'],
    ['! bad  b.yar:9  unknown identifier "pe"'],
    [],
  ]);
});

test('--if-clean refuses a package with a broken rule', async () => {
  const { code, inputsOf } = await run(['update', '--if-clean'], checkedTo(found));
  expect([code, inputsOf('publications.activate')]).toEqual([7, []]);
});

test('an update skips a package previewed from files and checks for one from the service', async () => {
  const previewed = { ...candidate, source: 'file' } as const;
  const state = stateOf({
    packages: [previewed, active],
    active: active.sha256,
    candidate: previewed.sha256,
    lastCheck: { at: '', outcome: 'up-to-date', version: '1.3', failure: null, reply: null, missing: [] },
  });
  const { code, lines, said, inputsOf } = await run(['update', '--yes'], checkedTo(state));
  expect([code, lines, said]).toEqual([
    0,
    ['Up to date: 1.3'],
    ['1.4 was previewed from files and is not part of this check.'],
  ]);
  expect([inputsOf('publications.check').length, inputsOf('publications.activate')]).toEqual([1, []]);
});

test('an update without a candidate checks first, and may find nothing', async () => {
  const upToDate = stateOf({
    packages: [active],
    active: active.sha256,
    lastCheck: { at: '', outcome: 'up-to-date', version: '1.3', failure: null, reply: null, missing: [] },
  });
  const { code, lines, inputsOf } = await run(['update'], checkedTo(upToDate));
  expect([code, lines, inputsOf('publications.check').length]).toEqual([0, ['Up to date: 1.3'], 1]);
  for (const [command, head] of [
    ['check', 'change,rule,file,line,details\r\n'],
    ['update', 'active\r\n'],
  ] as const) {
    const csv = await run([command, '--format', 'csv'], checkedTo(upToDate));
    expect([csv.code, csv.lines, csv.bytes, csv.said]).toEqual([0, [], head, ['Up to date: 1.3']]);
  }
});

test('rules variables prints a list, separated by tabs in a pipe', async () => {
  const options = { ...stateOf({}).options, variables: [{ name: 'site', type: 'text', value: 'lab' } as const] };
  const { code, lines } = await run(['variables'], checkedTo(stateOf({ options })));
  expect([code, lines]).toEqual([0, ['site\ttext\tlab']]);
});

test('a rollback activates the previous package or the named one', async () => {
  const older = packageOf('c', '1.1', { activated: '2026-09-01' });
  const before = packageOf('d', '1.2', { activated: '2026-10-01' });
  const state = stateOf({ packages: [active, older, before], active: active.sha256 });
  const to = async (...named: string[]): Promise<unknown> => {
    const { code, inputsOf } = await run(['rollback', ...named], checkedTo(state));
    return inputsOf('publications.activate')[0] ?? code;
  };
  expect([await to(), await to('1.1'), await to('cccccc'), await to('9.9')]).toMatchObject([
    { sha256: before.sha256 },
    { sha256: older.sha256 },
    { sha256: older.sha256 },
    3,
  ]);
});

test('a waiting or saved package is removed by version or SHA-256, and the active one is refused', async () => {
  const older = packageOf('c', '1.1', { activated: '2026-09-01' });
  const state = { ...found, packages: [...found.packages, older] };
  const answers = (): Answers => ({
    'publications.state': () => state,
    'publications.remove': ({ sha256 }) =>
      sha256 === active.sha256 ? fail({ kind: 'package-in-use', version: '1.3' }) : { ...state, packages: [] },
  });
  for (const [named, sha256] of [
    ['1.4', candidate.sha256],
    ['cccccc', older.sha256],
  ] as const) {
    const { code, lines, inputsOf } = await run(['remove', named], answers);
    expect([code, lines, inputsOf('publications.remove')]).toEqual([
      0,
      [`Removed ${named === '1.4' ? '1.4' : '1.1'}`],
      [{ workspaceId: 'team', sha256 }],
    ]);
  }
  expect((await run(['remove', '1.4', '--json'], answers)).json).toMatchObject([{ removed: { version: '1.4' } }]);
  expect([
    (await run(['remove', '1.3'], answers)).code,
    (await run(['remove', '9.9'], answers)).code,
    (await run(['remove'], answers)).code,
  ]).toEqual([7, 3, 2]);
});

test('rules list shows packages with their local state', async () => {
  const { lines } = await run(['list'], checkedTo({ ...found, pinned: active.sha256 }));
  expect(lines).toEqual([
    `candidate\t1.4\tRelease\t2026-11-10T00:00:00Z\t4\t1\t${idOf('b')}\t-`,
    `active\t1.3\tRelease\t2026-11-10T00:00:00Z\t3\t0\t${idOf('a')}\tpinned`,
  ]);
  expect((await run(['list', 'more', 'words'], checkedTo(found))).code).toBe(2);
});

test('rules list has aligned columns with heads when its output is a terminal, and no heads in JSON', async () => {
  const answers = checkedTo({ ...found, pinned: active.sha256 })();
  const { lines } = await runInMemory(['rules', 'list'], () => ({ answers, isPerson: true }));
  expect(lines).toEqual([
    'STATUS     VERSION  GROUP    RECEIVED              RULES  BROKEN  SHA-256       DETAILS',
    'candidate  1.4      Release  2026-11-10T00:00:00Z      4       1  bbbbbbbbbbbb  -',
    'active     1.3      Release  2026-11-10T00:00:00Z      3       0  aaaaaaaaaaaa  pinned',
  ]);
  const inJson = await runInMemory(['rules', 'list', '--json'], () => ({ answers, isPerson: true }));
  expect([inJson.lines, inJson.json]).toMatchObject([
    [],
    [
      { standing: 'candidate', isPinned: false },
      { standing: 'active', isPinned: true },
    ],
  ]);
});

test('rules list --query lists the rules that match a search, and refuses an invalid one', async () => {
  const row: ListedRule = {
    number: 0,
    name: 'a',
    key: 'a',
    file: 'x.yar',
    line: 3,
    tags: [],
    isPrivate: false,
    isGlobal: false,
    description: null,
    broken,
    isMuted: true,
    hits: 2,
    lastHit: null,
    cost: {
      msPerMegabyte: 5.256,
      together: 1,
      samples: 3,
      bytes: 900,
      engine: 'native',
      measured: '2026-11-10T00:00:00Z',
    },
    warnings: [],
    values: [],
  };
  const answers = (): Answers => ({
    'publications.rules': () => ({ sha256: active.sha256, rows: [row], total: 1, metaKeys: [] }),
  });
  const { code, lines, said, inputsOf } = await run(['list', '--query', 'tag:apt -is:muted'], answers);
  expect([code, lines, said]).toEqual([
    0,
    ['a\tx.yar\t3\t2\t5.26 ms per MB\tmuted, broken\tunknown identifier "pe"'],
    ['1 rule'],
  ]);
  expect(inputsOf('publications.rules')).toMatchObject([{ find: 'tag:apt -is:muted', offset: 0 }]);
  expect((await run(['list', '--query', 'tga:apt'], answers)).code).toBe(2);
  expect((await run(['list', '--query', '', '--sort', 'cost'], answers)).inputsOf('publications.rules')).toMatchObject([
    { sort: { by: { column: 'cost' }, direction: 'descending' } },
  ]);
  for (const wrong of [
    ['--query', '', '--sort', 'speed'],
    ['--sort', 'cost'],
  ])
    expect((await run(['list', ...wrong], answers)).code).toBe(2);
});

test('files and folders become one active package, sent in calls of a thousand, with skipped files named', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'set', 'deep'), { recursive: true });
  for (const name of ['a.YAR', 'b.rule', 'README.md', 'deep/c.yara'])
    await writeFile(join(folder, 'set', name), 'rule a { condition: true }');
  await writeFile(join(folder, 'outside.yar'), '');
  await symlink(join(folder, 'outside.yar'), join(folder, 'set', 'out.yar'));
  await symlink('a.YAR', join(folder, 'set', 'latest.yar'));
  await symlink('.', join(folder, 'set', 'loop'));
  const opened = {
    ...candidate,
    source: 'file' as const,
    contents: {
      files: 4,
      rules: 4,
      broken: 0,
      reading: { leftOut: 1, links: 2, utf16: 1, utf16Unmarked: 0, latin1: 1, bareReturns: 0 },
    },
  };
  const after = stateOf({ packages: [opened, active], active: active.sha256, candidate: opened.sha256 });
  const { code, lines, said, inputsOf } = await run(['install', join(folder, 'set'), '--yes'], () => ({
    ...checkedTo(after)(),
    'publications.addFiles': () => ({ list: 'l' }),
  }));
  expect([code, lines]).toEqual([0, ['1.4 is active (+2 -1 ~3, 1 broken)']]);
  const files = ['a.YAR', 'b.rule', 'latest.yar', 'deep/c.yara'].map((path) => ({ path }));
  expect(inputsOf('publications.addFiles')).toMatchObject([
    { workspaceId: 'team', list: null, files, last: { name: 'set', version: null, leftOut: 1, links: 2, unread: [] } },
  ]);
  expect(said).toEqual([
    '1 other file was skipped.',
    '2 links were not followed.',
    '1 file converted from UTF-16.',
    '1 file in Latin-1, not UTF-8. Use --convert to convert them.',
    '! bad  b.yar:9  unknown identifier "pe"',
  ]);
  expect(inputsOf('publications.activate')).toEqual([
    { workspaceId: 'team', sha256: opened.sha256, removesMany: true },
  ]);
});

test('--convert turns a guessed encoding into UTF-8, and --preview installs nothing', async () => {
  const folder = temporaryFolder();
  for (const name of Array.from({ length: 1001 }, (_, at) => `${at}.yar`)) await writeFile(join(folder, name), '');
  const guessed = {
    ...candidate,
    contents: {
      files: 1,
      rules: 1,
      broken: 0,
      reading: { leftOut: 0, links: 0, utf16: 0, utf16Unmarked: 1, latin1: 2, bareReturns: 0 },
    },
  };
  const { code, said, inputsOf } = await run(
    ['install', folder, '--convert', '--preview', '--version-name', '7'],
    () => ({
      ...checkedTo(stateOf({ packages: [guessed, active], active: active.sha256, candidate: guessed.sha256 }))(),
      'publications.addFiles': () => ({ list: 'l' }),
      'publications.convert': () => ({}),
    }),
  );
  expect([code, inputsOf('publications.convert'), inputsOf('publications.activate')]).toEqual([
    0,
    [{ workspaceId: 'team', sha256: guessed.sha256 }],
    [],
  ]);
  expect(inputsOf('publications.addFiles')).toMatchObject([
    { list: null, last: null },
    { list: 'l', files: [{ path: '999.yar' }], last: { version: '7' } },
  ]);
  expect(said).toContain('2 files in Latin-1, not UTF-8. Use --convert to convert them.');
});

test('an install fails with its reason when a path, a rule or a confirmed removal is missing', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'README.md'), '');
  expect((await run(['install'], checkedTo(found))).code).toBe(2);
  expect(await run(['install', folder], checkedTo(found))).toMatchObject({
    code: 3,
    said: [expect.stringContaining('1 other file was skipped')],
  });
  expect((await run(['install', join(folder, 'gone')], checkedTo(found))).code).toBe(3);
  const refused = await run(['update'], () => ({
    ...checkedTo(found)(),
    'publications.activate': () => fail({ kind: 'package-removes-many', version: '1.4', removed: 300, rules: 1000 }),
  }));
  expect([refused.code, refused.said.at(-1)]).toEqual([
    7,
    reasonOf({ kind: 'package-removes-many', version: '1.4', removed: 300, rules: 1000 }),
  ]);
});

test.each([
  [['list', '--query', 'sise:1'], 'vitrine rules: unknown field "sise:". '],
  [
    ['variables', '1x=2'],
    'vitrine rules: 1x: a name has letters, digits and underscores, and does not start with a digit.',
  ],
])('a refused query or variable is reported in a message of the command line: %j', async (args, sentence) => {
  const { code, said } = await run(args, () => ({ 'publications.state': () => stateOf() }));
  expect([code, said[0]]).toEqual([2, expect.stringContaining(sentence)]);
});
