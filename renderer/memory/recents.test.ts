import { expect, test, vi } from 'vitest';
import { RecentLookups } from './recents.ts';

let databases = 0;
const freshName = (): string => `recents-${(databases += 1)}`;
const lookup = (md5: string, at: number, workspaceId = 'lab') => ({ workspaceId, md5, name: `${md5}.bin`, at });
const names = (recents: RecentLookups): (string | null)[] => recents.all.map(({ name }) => name);

test('the newest look-up comes first, and a later page finds them again', async () => {
  const name = freshName();
  const before = new RecentLookups(name);
  await before.remember(lookup('a', 1));
  await before.remember(lookup('b', 2));
  await before.remember(lookup('a', 3));
  expect(names(before)).toEqual(['a.bin', 'b.bin']);
  const after = new RecentLookups(name);
  await after.load();
  expect(names(after)).toEqual(['a.bin', 'b.bin']);
});

test('each workspace keeps thirty look-ups of its own', async () => {
  const recents = new RecentLookups(freshName());
  await recents.remember(lookup('other', 0, 'w-1'));
  for (let index = 1; index <= 40; index += 1) await recents.remember(lookup(String(index), index));
  expect(recents.all.filter(({ workspaceId }) => workspaceId === 'lab')).toHaveLength(30);
  expect(names(recents)[0]).toBe('40.bin');
  expect(recents.all.some(({ workspaceId }) => workspaceId === 'w-1')).toBe(true);
});

test('a removed workspace loses its look-ups, on the disk too', async () => {
  const name = freshName();
  const recents = new RecentLookups(name);
  await recents.remember(lookup('a', 1, 'w-1'));
  await recents.remember(lookup('b', 2));
  await recents.keepOnly(['lab']);
  const later = new RecentLookups(name);
  await later.load();
  expect(names(later)).toEqual(['b.bin']);
});

test('a browser without a database loses the look-ups only on the next page', async () => {
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('no', 'SecurityError');
  });
  const recents = new RecentLookups(freshName());
  await recents.load();
  await recents.remember(lookup('a', 1));
  await recents.keepOnly(['lab']);
  expect(names(recents)).toEqual(['a.bin']);
  open.mockRestore();
});
