import { expect, test } from 'vitest';
import { defaultRuleOptions, type PackageView, type PublicationsState } from '../../../shared/domain/publication.ts';
import type { TrialState } from '../../../shared/domain/trial.ts';
import { type Answers, type Events, runInMemory } from '../memory-run.fixture.ts';

const packageOf = (letter: string, version: string): PackageView => ({
  sha256: letter.repeat(64),
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
});
const [active, candidate, older] = [packageOf('a', '1.3'), packageOf('b', '1.4'), packageOf('c', '1.2')];
const state: PublicationsState = {
  workspaceId: 'team',
  hasRuleEditor: true,
  rulesFrom: 'publications',
  packages: [candidate, active, older],
  active: active.sha256,
  candidate: candidate.sha256,
  pinned: null,
  check: null,
  lastCheck: null,
  options: defaultRuleOptions,
  hasPassword: false,
};
const run = (args: string[], answers: (events: Events) => Answers = () => ({})) =>
  runInMemory(['rules', ...args], (events) => ({ answers: { 'publications.state': () => state, ...answers(events) } }));

test('rules diff writes a patch unchanged, in consecutive windows', async () => {
  const { code, bytes, inputsOf } = await run(['diff', '--format', 'patch'], () => ({
    'publications.patch': ({ at }) =>
      at === 0 ? { text: 'diff --git a/\tx\n', next: 5 } : { text: '+\u202e\n', next: null },
  }));
  expect([code, bytes]).toEqual([0, 'diff --git a/\tx\n+\u202e\n']);
  expect(inputsOf('publications.patch')).toEqual(
    [0, 5].map((at) => ({ workspaceId: 'team', from: active.sha256, to: candidate.sha256, at })),
  );
});

test('rules diff as JSON names both packages, also when comparing two given versions', async () => {
  const counts = { added: 0, removed: 0, changed: 0, moved: 0, broken: 0, same: 3 };
  const { code, json, inputsOf } = await run(['diff', '1.2', '1.4', '--format', 'json'], () => ({
    'publications.difference': () => ({ counts, rows: [], total: 0, muted: [] }),
  }));
  expect(code).toBe(0);
  expect(json).toEqual([
    {
      from: { version: '1.2', group: 'Release', sha256: older.sha256 },
      to: { version: '1.4', group: 'Release', sha256: candidate.sha256 },
      counts,
      rules: [],
    },
  ]);
  expect(inputsOf('publications.difference')).toMatchObject([{ from: older.sha256, to: candidate.sha256 }]);
});

const trialOf = (facts: Partial<TrialState>): TrialState => ({
  workspaceId: 'team',
  sha256: candidate.sha256,
  version: '1.4',
  against: '1.3',
  phase: 'done',
  rules: 2,
  files: 3,
  done: 3,
  hits: [],
  notScanned: { files: 0, first: [] },
  notices: [],
  failure: null,
  ended: '2026-11-10T00:00:00.000Z',
  ...facts,
});
const tried = (facts: Partial<TrialState>) => () => ({
  'trials.start': () => trialOf({ phase: 'compiling', ended: null }),
  'trials.state': () => ({ trial: trialOf(facts) }),
});
const here = new URL(import.meta.url).pathname;

test('rules try tests a package on files, and new hits end with 8 when requested', async () => {
  const hits = [{ rule: 'wide', change: 'changed', files: 2, examples: ['a.exe', 'b.exe'] }] as const;
  const { code, lines, inputsOf } = await run(
    ['try', '1.4', here, '--fail-on-hit'],
    tried({ hits: [...hits].map((hit) => ({ ...hit, examples: [...hit.examples] })) }),
  );
  expect([code, lines]).toEqual([8, ['changed\twide\t2\ta.exe']]);
  expect(inputsOf('trials.start')).toEqual([
    { workspaceId: 'team', sha256: candidate.sha256, files: [{ id: 'staged:rules-diff.test.ts' }] },
  ]);
});

test('“no new hits” states how many rules scanned how many files, and names what was not scanned', async () => {
  const failure = { kind: 'file-gone', name: 'x.bin' } as const;
  const { code, said } = await run(
    ['try', '1.4', here],
    tried({ notScanned: { files: 1, first: [{ name: 'x.bin', failure }] } }),
  );
  expect(said).toEqual([
    expect.stringContaining('Not scanned: x.bin'),
    'No new hits (2 new or changed rules of 1.4, 2 of 3 files scanned)',
  ]);
  expect(code).not.toBe(0);
});

test('rules relaxed turns on relaxed regular expressions and shows the active package’s new state', async () => {
  const { code, lines, inputsOf } = await run(['relaxed', 'on'], () => ({ 'publications.setOptions': () => state }));
  expect([code, lines]).toEqual([0, ['Relaxed regular expressions are on: 1.3 has 3 rules, 0 broken']]);
  expect(inputsOf('publications.setOptions')).toMatchObject([
    { options: { relaxed: true }, password: { kind: 'keep' } },
  ]);
  expect((await run(['relaxed', 'maybe'])).code).toBe(2);
});
