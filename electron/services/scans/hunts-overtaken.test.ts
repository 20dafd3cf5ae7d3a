import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openScanDesk, type ScanDesk, sha256Of, team } from './scans.fixture.ts';

let desk: ScanDesk;
beforeAll(async () => {
  desk = await openScanDesk({ baseUrl: 'http://127.0.0.1:9' });
});
afterEach(() => desk.requireSound());
afterAll(() => desk.close());

const finds = (name: string): string => `rule ${name} { strings: $a = "alpha" condition: $a }\n`;
const libraryRules = (sha256: string): string[] => desk.stores.scans.hitsOf(team, sha256).map(({ rule }) => rule);

test('a sample that is retried in a hunt of an older package keeps the hits of a newer hunt', async () => {
  await desk.keep('alpha', Buffer.alloc(1024 * 1024 + 1));
  await desk.install(finds('stays') + finds('comes_back'));
  await desk.hunt({ kind: 'all' });
  await desk.install(finds('stays'));
  desk.settings.scanMebibytes = 1;
  const older = await desk.hunt({ kind: 'all' });
  expect(older).toMatchObject({ counts: { done: 1, failed: 1 } });
  await desk.install(finds('stays') + finds('comes_back') + finds('is_new'));
  const newer = await desk.hunt({ kind: 'changed' });
  const found = ['comes_back', 'is_new', 'stays'];
  expect([libraryRules(sha256Of('alpha')), desk.stores.scans.lastHunt(team)?.jobId]).toEqual([found, newer.id]);

  desk.settings.scanMebibytes = 2;
  desk.jobs.retry(older.id, ['failed']);
  expect(await desk.over(older.id)).toMatchObject({ counts: { done: 2 } });
  expect([libraryRules(sha256Of('alpha')), desk.stores.scans.lastHunt(team)?.jobId]).toEqual([found, newer.id]);
});
