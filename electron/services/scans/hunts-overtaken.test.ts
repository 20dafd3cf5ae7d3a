import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestScans, sha256Of, team, type TestScans } from './scans.fixture.ts';

let setup: TestScans;
beforeAll(async () => {
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' });
});
afterEach(() => setup.requireSound());
afterAll(() => setup.close());

const finds = (name: string): string => `rule ${name} { strings: $a = "alpha" condition: $a }\n`;
const libraryRules = (sha256: string): string[] => setup.stores.scans.hitsOf(team, sha256).map(({ rule }) => rule);

test('a sample that is retried in a hunt of an older package keeps the hits of a newer hunt', async () => {
  await setup.keep('alpha', Buffer.alloc(1024 * 1024 + 1));
  await setup.install(finds('stays') + finds('comes_back'));
  await setup.hunt({ kind: 'all' });
  await setup.install(finds('stays'));
  setup.settings.scanMebibytes = 1;
  const older = await setup.hunt({ kind: 'all' });
  expect(older).toMatchObject({ counts: { done: 1, failed: 1 } });
  await setup.install(finds('stays') + finds('comes_back') + finds('is_new'));
  const newer = await setup.hunt({ kind: 'changed' });
  const found = ['comes_back', 'is_new', 'stays'];
  expect([libraryRules(sha256Of('alpha')), setup.stores.scans.lastHunt(team)?.jobId]).toEqual([found, newer.id]);

  setup.settings.scanMebibytes = 2;
  setup.jobs.retry(older.id, ['failed']);
  expect(await setup.over(older.id)).toMatchObject({ counts: { done: 2 } });
  expect([libraryRules(sha256Of('alpha')), setup.stores.scans.lastHunt(team)?.jobId]).toEqual([found, newer.id]);
});
