import { beforeEach, expect, test } from 'vitest';
import { openScanDesk, type ScanDesk, team } from './scans.fixture.ts';

const ruleOf = (name: string): string => `rule ${name} { strings: $a = "${name}" condition: $a }`;

let desk: ScanDesk;
beforeEach(async () => {
  desk = await openScanDesk({ baseUrl: 'http://127.0.0.1:1' });
  return async () => {
    desk.requireSound();
    await desk.close();
  };
});

async function foundIn(content: string): Promise<string[]> {
  const job = await desk.scan({ files: [await desk.stage('a.bin', content)] });
  expect(job).toMatchObject({ state: 'done', counts: { done: 1 } });
  const [file] = await desk.files(job.id);
  return file?.rules ?? [];
}

test('the active rules are compiled when a scan is near, but not for a query of the engine', async () => {
  await desk.install(ruleOf('a'));
  await desk.scans.plan(team);
  expect(desk.lanes.areWarm).toBe(false);
  await desk.scans.plan(team, true);
  await expect.poll(() => desk.lanes.areWarm).toBe(true);
  expect(await foundIn('a b')).toEqual(['a']);
  expect(desk.lanes.areWarm).toBe(true);
});

test('what was compiled ends when another package becomes the active one, whose rules the next scan has', async () => {
  await desk.install(ruleOf('a'));
  expect(await foundIn('a b')).toEqual(['a']);
  const warm = (): boolean => desk.lanes.areWarm;
  desk.events.emit({ name: 'publications.changed', payload: { workspaceId: team } });
  expect(warm()).toBe(true);
  await desk.install(ruleOf('b'));
  desk.events.emit({ name: 'publications.changed', payload: { workspaceId: team } });
  expect(warm()).toBe(false);
  expect(await foundIn('a b c')).toEqual(['b']);
});

test('what was compiled ends when another engine is chosen, and stays with any other setting', async () => {
  await desk.install(ruleOf('a'));
  expect(await foundIn('a')).toEqual(['a']);
  desk.settings.scanSeconds = 17;
  desk.scans.settingsChanged();
  expect(desk.lanes.areWarm).toBe(true);
  desk.settings.scanEngine = 'wasm';
  desk.scans.settingsChanged();
  expect(desk.lanes.areWarm).toBe(false);
  expect(await foundIn('a b')).toEqual(['a']);
});

test('a package that becomes the active one in the middle of a scan changes nothing for that scan', async () => {
  await desk.install(ruleOf('a'));
  const files = await Promise.all(Array.from({ length: 40 }, (_, index) => desk.stage(`${index}.bin`, `a b ${index}`)));
  const { id } = await desk.start({ files });
  await desk.install(ruleOf('b'));
  desk.events.emit({ name: 'publications.changed', payload: { workspaceId: team } });
  const job = await desk.over(id);
  expect(job).toMatchObject({ state: 'done', counts: { done: 40 } });
  const found = (await desk.files(id)).map(({ rules }) => rules.join());
  expect(new Set(found)).toEqual(new Set(['a']));
  expect(await foundIn('a b')).toEqual(['b']);
});

test('rules are read once for consecutive scans, and again when packages change or the workers ended', async () => {
  await desk.install(ruleOf('a'));
  expect(await foundIn('a')).toEqual(['a']);
  expect(await foundIn('a b')).toEqual(['a']);
  expect(desk.piecesRead).toHaveLength(1);
  desk.events.emit({ name: 'publications.changed', payload: { workspaceId: team } });
  expect(await foundIn('a c')).toEqual(['a']);
  expect(desk.piecesRead).toHaveLength(2);
  desk.lanes.dropWarm();
  expect(await foundIn('a d')).toEqual(['a']);
  expect(desk.piecesRead).toHaveLength(3);
});
