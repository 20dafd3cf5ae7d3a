import { beforeEach, expect, test } from 'vitest';
import { createTestScans, team, type TestScans } from './scans.fixture.ts';

const ruleOf = (name: string): string => `rule ${name} { strings: $a = "${name}" condition: $a }`;

let setup: TestScans;
beforeEach(async () => {
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:1' });
  return async () => {
    setup.requireSound();
    await setup.close();
  };
});

async function foundIn(content: string): Promise<string[]> {
  const job = await setup.scan({ files: [await setup.stage('a.bin', content)] });
  expect(job).toMatchObject({ state: 'done', counts: { done: 1 } });
  const [file] = await setup.files(job.id);
  return file?.rules ?? [];
}

test('the active rules are compiled when a scan is near, but not for a query of the engine', async () => {
  await setup.install(ruleOf('a'));
  await setup.scans.plan(team);
  expect(setup.workers.areWarm).toBe(false);
  await setup.scans.plan(team, true);
  await expect.poll(() => setup.workers.areWarm).toBe(true);
  expect(await foundIn('a b')).toEqual(['a']);
  expect(setup.workers.areWarm).toBe(true);
});

test('compiled rules end when another package becomes active, whose rules the next scan has', async () => {
  await setup.install(ruleOf('a'));
  expect(await foundIn('a b')).toEqual(['a']);
  const warm = (): boolean => setup.workers.areWarm;
  setup.events.emit({ name: 'publications.changed', payload: { workspaceId: team } });
  expect(warm()).toBe(true);
  await setup.install(ruleOf('b'));
  setup.events.emit({ name: 'publications.changed', payload: { workspaceId: team } });
  expect(warm()).toBe(false);
  expect(await foundIn('a b c')).toEqual(['b']);
});

test('compiled rules end when another engine is chosen, and stay with any other setting', async () => {
  await setup.install(ruleOf('a'));
  expect(await foundIn('a')).toEqual(['a']);
  setup.settings.scanSeconds = 17;
  setup.scans.settingsChanged();
  expect(setup.workers.areWarm).toBe(true);
  setup.settings.scanEngine = 'wasm';
  setup.scans.settingsChanged();
  expect(setup.workers.areWarm).toBe(false);
  expect(await foundIn('a b')).toEqual(['a']);
});

test('a package that becomes active during a scan changes nothing for that scan', async () => {
  await setup.install(ruleOf('a'));
  const files = await Promise.all(
    Array.from({ length: 40 }, (_, index) => setup.stage(`${index}.bin`, `a b ${index}`)),
  );
  const { id } = await setup.start({ files });
  await setup.install(ruleOf('b'));
  setup.events.emit({ name: 'publications.changed', payload: { workspaceId: team } });
  const job = await setup.over(id);
  expect(job).toMatchObject({ state: 'done', counts: { done: 40 } });
  const found = (await setup.files(id)).map(({ rules }) => rules.join());
  expect(new Set(found)).toEqual(new Set(['a']));
  expect(await foundIn('a b')).toEqual(['b']);
});

test('rules are read once for consecutive scans, and again when packages change or the workers ended', async () => {
  await setup.install(ruleOf('a'));
  expect(await foundIn('a')).toEqual(['a']);
  expect(await foundIn('a b')).toEqual(['a']);
  expect(setup.piecesRead).toHaveLength(1);
  setup.events.emit({ name: 'publications.changed', payload: { workspaceId: team } });
  expect(await foundIn('a c')).toEqual(['a']);
  expect(setup.piecesRead).toHaveLength(2);
  setup.workers.dropWarm();
  expect(await foundIn('a d')).toEqual(['a']);
  expect(setup.piecesRead).toHaveLength(3);
});
