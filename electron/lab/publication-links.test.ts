import { expect, test } from 'vitest';
import { PublicationLinks } from './rule-editor-service.ts';

const publication = {
  id: 'a',
  version: '1',
  group: 'Release',
  published: '2026-01-01T00:00:00Z',
  files: 1,
  rules: 1,
  sha256: '0'.repeat(64),
  sizeBytes: 1,
} as const;
const link = { publication, isPublic: false, isEncrypted: false };

function linksAt(): { links: PublicationLinks; clock: { now: number } } {
  const clock = { now: 5_000 };
  return { clock, links: new PublicationLinks(() => clock.now) };
}

test('a link leads to its publication for a minute, however often it is used, and then expires', () => {
  const { links, clock } = linksAt();
  const path = links.add(link);
  clock.now += 59_999;
  expect([links.at(path), links.at(path)]).toMatchObject([link, link]);
  clock.now += 1;
  expect(links.at(path)).toBeNull();
});

test('each link has 128 new random bits, and a public one hides that it is a ZIP', () => {
  const { links } = linksAt();
  const paths = Array.from({ length: 100 }, () => links.add(link));
  expect(new Set(paths).size).toBe(100);
  for (const path of paths) expect(path).toMatch(/^\/rules\/publication\/[0-9a-f]{32}\.zip$/);
  const open = links.add({ ...link, isPublic: true });
  expect(open).toMatch(/^\/rules\/publication\/[0-9a-f]{32}$/);
  expect([links.at(open)?.isPublic, links.at(`${open}.zip`)]).toEqual([true, null]);
});

test('at most a thousand links are live: one more ends the oldest, an expired one frees its place', () => {
  const { links, clock } = linksAt();
  const paths = Array.from({ length: 1_001 }, () => links.add(link));
  expect(paths.map((path) => links.at(path) !== null)).toEqual([false, ...Array.from({ length: 1_000 }, () => true)]);
  clock.now += 60_000;
  const latest = links.add(link);
  expect([links.at(paths[500] ?? ''), links.at(latest) !== null]).toEqual([null, true]);
});
