import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { RuleTrial } from '../../../shared/domain/rule-trial.ts';
import { createTestScans, sha256Of, type TestScans } from './scans.fixture.ts';

let setup: TestScans;
beforeAll(async () => {
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' });
});
afterAll(() => setup.close());

const finished = (id: string): Promise<RuleTrial> =>
  vi.waitFor(
    () => {
      const trial = setup.ruleTrials.state(id);
      if (trial === null || trial.state === 'running') throw new Error('it runs');
      return trial;
    },
    { timeout: 60_000, interval: 20 },
  );

const source =
  'rule needle { strings: $a = "needle" condition: $a }\nrule small { condition: filesize < 8 }\n' +
  'rule bad { condition: nothing }\nrule slow { strings: $z = { 00 00 00 } condition: $z }';

test('a check compiles rules with their errors and warnings by line, and keeps nothing of them', async () => {
  const { rules, broken, warnings } = await setup.ruleTrials.check('team', source);
  expect(rules).toEqual(['needle', 'small', 'slow']);
  expect(broken).toMatchObject([{ rule: 'bad', file: 'rule.yar', line: 3, kind: 'engine' }]);
  expect(warnings).toMatchObject([{ rule: 'slow', line: 4, code: 'slow_pattern' }]);
  expect(setup.stores.packages.list('team')).toEqual([]);
});

test('a check is cancelled when the next one begins', async () => {
  const first = setup.ruleTrials.check('team', source);
  const second = setup.ruleTrials.check('team', 'rule a { condition: true }');
  await expect(first).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  expect((await second).rules).toEqual(['a']);
});

test('a trial shows which samples hit which rules, the unscanned ones with reasons, and records no hit', async () => {
  const [large, tiny] = await setup.keep(`a hay${'stack'.repeat(20)} with a needle`, 'tiny', 'neither of them');
  const { id, total } = await setup.ruleTrials.start('team', source, { kind: 'vault' });
  const trial = await finished(id);
  expect([total, trial.state, trial.done, trial.scanned, trial.hitTotal, trial.unscanned]).toEqual([
    3,
    'done',
    3,
    3,
    2,
    [],
  ]);
  expect(trial.hits.toSorted((a, b) => (a.rules[0]?.rule ?? '').localeCompare(b.rules[0]?.rule ?? ''))).toMatchObject([
    { sha256: large, rules: [{ rule: 'needle', matches: 1, offset: 113 }], isCut: false },
    { sha256: tiny, rules: [{ rule: 'small', matches: 0, offset: null }] },
  ]);
  expect([await setup.stores.scanReader.ruleHits('team'), setup.jobs.list()]).toEqual([[], []]);
  const missing = sha256Of('nowhere');
  const some = await finished(
    (await setup.ruleTrials.start('team', source, { kind: 'samples', sha256s: [tiny ?? '', missing] })).id,
  );
  expect(some).toMatchObject({
    state: 'done',
    done: 2,
    scanned: 1,
    hitTotal: 1,
    unscannedTotal: 1,
    unscanned: [{ sha256: missing }],
  });
  setup.requireSound();
});

test('a trial is refused when no rule is usable, and ends when it is cancelled or another one starts', async () => {
  await expect(
    setup.ruleTrials.start('team', 'rule bad { condition: nothing }', { kind: 'vault' }),
  ).rejects.toMatchObject({ failure: { kind: 'no-rules' } });
  const first = await setup.ruleTrials.start('team', source, { kind: 'vault' });
  const second = await setup.ruleTrials.start('team', source, { kind: 'vault' });
  expect((await finished(first.id)).state).toBe('cancelled');
  expect((await finished(second.id)).state).toBe('done');
  setup.ruleTrials.cancel(second.id);
  expect(setup.ruleTrials.state(second.id)?.state).toBe('done');
  expect(setup.ruleTrials.state('another')).toBeNull();
});

test('a trial uses the variables and the regular expression setting of the workspace', async () => {
  const asking =
    'rule asks { condition: site == "lab" }\nrule escape { strings: $a = /ab\\qc{x}/ condition: $a or true }';
  expect((await setup.ruleTrials.check('team', asking)).rules).toEqual([]);
  const before = setup.stores.packages.options('team');
  setup.stores.packages.setOptions('team', {
    ...before,
    relaxed: true,
    variables: [{ name: 'site', type: 'text', value: 'lab' }],
  });
  onTestFinished(() => setup.stores.packages.setOptions('team', before));
  expect((await setup.ruleTrials.check('team', asking)).rules).toEqual(['asks', 'escape']);
  const [sample = ''] = await setup.keep('of the lab');
  const trial = await finished(
    (await setup.ruleTrials.start('team', asking, { kind: 'samples', sha256s: [sample] })).id,
  );
  expect(trial.hits).toMatchObject([{ sha256: sample, rules: [{ rule: 'asks' }, { rule: 'escape' }] }]);
});

test('a trial marks a sample with more matches than the engine reports', async () => {
  const [sample = ''] = await setup.keep('z'.repeat(50_000));
  const many = Array.from({ length: 12 }, (_, index) => `$a${index} = "${'z'.repeat(index + 1)}"`).join(' ');
  const trial = await finished(
    (
      await setup.ruleTrials.start('team', `rule many { strings: ${many} condition: all of them }`, {
        kind: 'samples',
        sha256s: [sample],
      })
    ).id,
  );
  expect(trial.hits).toMatchObject([{ sha256: sample, rules: [{ rule: 'many' }], isCut: true }]);
});

test('a trial names the variables that rules use and that are unknown for its samples', async () => {
  await setup.keep('asked by path');
  const { unknown, scanned } = await finished(
    (await setup.ruleTrials.start('team', 'rule p { condition: filepath == "" }', { kind: 'vault' })).id,
  );
  expect([unknown, scanned > 0]).toEqual([['filepath'], true]);
  expect((await finished((await setup.ruleTrials.start('team', source, { kind: 'vault' })).id)).unknown).toEqual([]);
});

test('a trial accepts files outside the vault, and keeps nothing of these files', async () => {
  const [hit, other] = [
    await setup.stage('hit.txt', 'a needle here'),
    await setup.stage('other.txt', 'nothing of it, and long'),
  ];
  const gone = '0'.repeat(32);
  const before = setup.stores.library.count();
  const trial = await finished(
    (await setup.ruleTrials.start('team', source, { kind: 'files', files: [hit, other, { id: gone }] })).id,
  );
  expect(trial).toMatchObject({
    state: 'done',
    done: 3,
    scanned: 2,
    hitTotal: 1,
    hits: [{ sha256: null, name: 'hit.txt', rules: [{ rule: 'needle' }] }],
    unscannedTotal: 1,
    unscanned: [{ sha256: null, failure: { kind: 'staged-file-missing', id: gone } }],
  });
  await vi.waitFor(() =>
    expect([setup.staging.sourceOf(hit.id), setup.staging.sourceOf(other.id)]).toEqual([null, null]),
  );
  expect(setup.stores.library.count()).toEqual(before);
  const refused = await setup.stage('refused.txt', 'x');
  await expect(
    setup.ruleTrials.start('team', 'rule bad { condition: nothing }', { kind: 'files', files: [refused] }),
  ).rejects.toMatchObject({ failure: { kind: 'no-rules' } });
  expect(setup.staging.sourceOf(refused.id)).toBeNull();
});
