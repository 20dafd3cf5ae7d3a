import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { TrialState } from '../../../shared/domain/trial.ts';
import { createTestScans, team, type TestScans } from './scans.fixture.ts';

const rule = (name: string, word: string): string => `rule ${name} { strings: $a = "${word}" condition: $a }\n`;

let setup: TestScans;
beforeAll(async () => {
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:1' });
});
afterAll(() => setup.close());

async function tried(sha256: string, files: Readonly<Record<string, string>>): Promise<TrialState> {
  const ids: string[] = [];
  for (const [name, bytes] of Object.entries(files)) ids.push((await setup.stage(name, bytes)).id);
  setup.trials.start(team, sha256, ids);
  const state = await vi.waitFor(
    () => {
      const now = setup.trials.state(team);
      if (now === null || now.ended === null) throw new Error('it goes on');
      return now;
    },
    { timeout: 60_000, interval: 10 },
  );
  setup.requireSound();
  for (const id of ids) await vi.waitFor(() => expect(setup.staging.sourceOf(id)).toBeNull());
  return state;
}

test('a trial shows where new or changed rules would newly hit, and stores nothing', async () => {
  await setup.install(rule('same', 'alpha') + rule('wider', 'alpha') + rule('gone', 'beta'));
  const samples = setup.stores.library.count();
  const candidate = await setup.bring(
    rule('same', 'alpha') + rule('wider', 'a') + rule('fresh', 'gamma') + rule('quiet', 'nowhere'),
  );
  const state = await tried(candidate, {
    'one.txt': 'alpha',
    'two.txt': 'a gamma',
    'three.txt': 'another gamma',
    'four.txt': 'x',
  });
  expect(state).toMatchObject({
    phase: 'done',
    files: 4,
    done: 4,
    rules: 3,
    failure: null,
    notices: [],
    notScanned: { files: 0, first: [] },
  });
  // It hit `one.txt` before, too.
  expect(state.hits).toEqual([
    { rule: 'fresh', change: 'added', files: 2, examples: ['two.txt', 'three.txt'] },
    { rule: 'wider', change: 'changed', files: 2, examples: ['two.txt', 'three.txt'] },
  ]);
  expect(setup.stores.library.count()).toEqual(samples);
  expect(setup.stores.packages.pointers(team).active).not.toBe(candidate);
});

test('a trial of a package that changes no rule scans nothing', async () => {
  const text = rule('only', 'alpha');
  await setup.install(text);
  expect(await tried(await setup.bring(`// another day\n${text}`), { 'one.txt': 'alpha' })).toMatchObject({
    phase: 'done',
    rules: 0,
    hits: [],
  });
  const laidOut = text.replaceAll(' ', '\n  ').replace('strings:', 'meta: day = 2 strings:');
  expect(await tried(await setup.bring(laidOut), { 'one.txt': 'alpha' })).toMatchObject({
    phase: 'done',
    rules: 0,
    hits: [],
  });
});

test('a trial names a file that is too large, and scans the others', async () => {
  const before = setup.settings;
  setup.settings = { ...before, scanMebibytes: 1 };
  const state = await tried(await setup.bring(rule('fresh_too', 'gamma')), {
    'large.bin': 'x'.repeat(1024 * 1024 + 1),
    'two.txt': 'gamma',
  });
  setup.settings = before;
  expect(state.notScanned).toMatchObject({
    files: 1,
    first: [{ name: 'large.bin', failure: { kind: 'scan-too-large' } }],
  });
  expect(state).toMatchObject({ done: 2, hits: [{ rule: 'fresh_too', files: 1 }] });
});

test('a trial runs alone, and reports its cancellation', async () => {
  const candidate = await setup.bring(rule('later', 'gamma'));
  const [first, second] = [await setup.stage('one.txt', 'gamma'), await setup.stage('two.txt', 'gamma')];
  setup.trials.start(team, candidate, [first.id]);
  expect(() => setup.trials.start(team, candidate, [second.id])).toThrow(
    expect.objectContaining({ failure: { kind: 'check-busy' } }),
  );
  setup.trials.cancel(team);
  await vi.waitFor(() => expect(setup.trials.state(team)).toMatchObject({ phase: 'cancelled', failure: null }), {
    timeout: 20_000,
  });
});

test('a trial without a file or a package is refused', () => {
  expect(() => setup.trials.start(team, 'f'.repeat(64), ['1'.repeat(32)])).toThrow(
    expect.objectContaining({ failure: { kind: 'package-missing', sha256: 'f'.repeat(64) } }),
  );
  expect(() => setup.trials.start(team, 'f'.repeat(64), [])).toThrow(
    expect.objectContaining({ failure: { kind: 'nothing-selected' } }),
  );
});

test('a trial reports rules that use unknown variables of the files, once', async () => {
  const candidate = await setup.bring('rule by_owner { condition: owner == "root" }');
  const state = await tried(candidate, { 'one.txt': 'x', 'two.txt': 'y' });
  expect(state.notices).toEqual([{ kind: 'scan-variables-unknown', variables: ['owner'], rules: 1, of: 'files' }]);
});
