import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { createTestScans, team, type TestScans } from './scans.fixture.ts';

let setup: TestScans;
beforeAll(async () => {
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' });
  await setup.keep('alpha sample', 'beta sample', 'alpha and beta', 'nothing of it');
});
beforeEach(() => void Object.assign(setup.settings, defaultSettings));
afterEach(() => setup.requireSound());
afterAll(() => setup.close());

const rule = (name: string, text: string): string => `rule ${name} { strings: $a = "${text}" condition: $a }\n`;
const first = rule('finds_alpha', 'alpha') + rule('finds_beta', 'beta') + rule('goes', 'sample');
const second = rule('finds_alpha', 'alpha and') + rule('finds_beta', 'beta') + rule('comes', 'nothing');

test('a hunt after an update scans with the changes, and reports new hits and lost ones', async () => {
  await setup.install(first);
  expect(await setup.scans.estimate({ workspaceId: team, scope: { kind: 'changed' } })).toMatchObject({
    rules: 3,
    samples: 4,
    against: null,
  });
  const whole = await setup.hunt({ kind: 'all' });
  expect(whole).toMatchObject({ state: 'done', items: 4, counts: { done: 4 }, task: { kind: 'hunt', rules: 3 } });
  expect(await setup.scans.summary(whole.id)).toMatchObject({ withHits: 3, clean: 1, hits: 6, added: 6, lost: 0 });

  const waiting = await setup.bring(second);
  const beforehand = await setup.scans.estimate({ workspaceId: team, scope: { kind: 'changed' }, package: waiting });
  expect(beforehand).toMatchObject({
    package: { sha256: waiting },
    rules: 2,
    names: ['finds_alpha', 'comes'],
    removed: ['goes'],
    against: { version: '1.1' },
  });
  await setup.install(second);
  expect(await setup.scans.estimate({ workspaceId: team, scope: { kind: 'changed' } })).toEqual(beforehand);
  expect(await setup.scans.estimate({ workspaceId: team, scope: { kind: 'changed' } })).toMatchObject({
    rules: 2,
    names: ['finds_alpha', 'comes'],
    removed: ['goes'],
    against: { version: '1.1' },
  });
  const changed = await setup.hunt({ kind: 'changed' });
  expect(await setup.scans.summary(changed.id)).toMatchObject({ files: 4, added: 1, lost: 3 });
  const added = await setup.files(changed.id, { show: 'added' });
  expect(added.map(({ rules }) => rules)).toEqual([['comes']]);
  const lost = await Promise.all(
    (await setup.files(changed.id, { show: 'lost' })).map(({ position }) => setup.scans.file(changed.id, position)),
  );
  expect(lost.map(({ lost: names }) => names.join(' ')).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'finds_alpha goes',
    'goes',
  ]);
});

test('a rule hunted by name is scanned alone, and changes nothing for the next hunt', async () => {
  const before = setup.stores.scans.lastHunt(team);
  const job = await setup.hunt({ kind: 'named', rules: ['finds_beta'] });
  expect(job).toMatchObject({ state: 'done', task: { kind: 'hunt', scope: 'named', names: ['finds_beta'] } });
  expect(await setup.files(job.id, { show: 'hits' })).toMatchObject([
    { rules: ['finds_beta'] },
    { rules: ['finds_beta'] },
  ]);
  expect(setup.stores.scans.lastHunt(team)).toEqual(before);
});

test('a hunt reports a rule that is in no package, and a vault without samples', async () => {
  await expect(
    setup.scans.startHunt({ workspaceId: team, scope: { kind: 'named', rules: ['nobody'] } }),
  ).rejects.toMatchObject({ failure: { kind: 'no-rules' } });
  await expect(setup.scans.startHunt({ workspaceId: 'other', scope: { kind: 'all' } })).rejects.toMatchObject({
    failure: { kind: 'no-package' },
  });
  const empty = await createTestScans({ baseUrl: 'http://127.0.0.1:9' });
  await empty.install(first);
  await expect(empty.scans.startHunt({ workspaceId: team, scope: { kind: 'all' } })).rejects.toMatchObject({
    failure: { kind: 'vault-empty' },
  });
  await empty.close();
});

test('the portable engine finds the same', { tags: ['long'] }, async () => {
  const native = await setup.files((await setup.hunt({ kind: 'all' })).id);
  setup.settings.scanEngine = 'wasm';
  const job = await setup.hunt({ kind: 'all' });
  expect(job).toMatchObject({ task: { local: 'wasm' } });
  const reported = (files: typeof native) =>
    files
      .map(({ sha256, rules, matches }) => ({ sha256, rules, matches }))
      .toSorted((a, b) => a.sha256.localeCompare(b.sha256));
  expect(reported(await setup.files(job.id))).toEqual(reported(native));
});

test('all samples with hits of a hunt are tagged in one step', async () => {
  const job = await setup.hunt({ kind: 'named', rules: ['finds_beta'] });
  const sha256s: string[] = [];
  for await (const page of setup.stores.scanReader.targets(job.id, {
    find: '',
    show: 'hits',
    rule: null,
    family: null,
  }))
    sha256s.push(...page);
  expect(setup.stores.library.tagSamples(sha256s, ['family:beta'], [])).toBe(2);
  expect(sha256s.map((sha256) => setup.stores.library.find(sha256)?.tags)).toEqual([['family:beta'], ['family:beta']]);
});

test('a sample with an impossible place in a pack is named, and the others are hunted', async () => {
  const [odd = ''] = await setup.keep('alpha, but lost');
  await rm(setup.vault.sourceOf(odd).path);
  await setup.stores.packs.add([{ sha256: odd, pack: '../elsewhere', at: 0, length: 300 }], () => {});
  const job = await setup.hunt({ kind: 'all' });
  expect(job).toMatchObject({ state: 'done', counts: { done: 4, failed: 1 } });
  expect(await setup.items(job.id)).toContainEqual(
    expect.objectContaining({ hash: odd, state: 'failed', failure: { kind: 'vault-damaged', sha256: odd } }),
  );
  await setup.vault.remove(odd);
});
