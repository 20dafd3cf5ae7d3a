import { expect, test, vi } from 'vitest';
import { RecentCommands } from './recents.ts';

let databases = 0;
const freshName = (): string => `commands-${(databases += 1)}`;

test('the latest command comes first, and a later page finds them behind its own', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
  const name = freshName();
  const before = new RecentCommands(name);
  for (const id of ['a', 'b', 'a']) {
    await before.remember(id);
    vi.advanceTimersByTime(1);
  }
  vi.useRealTimers();
  expect(before.snapshot()).toEqual(['a', 'b']);
  const after = new RecentCommands(name);
  const early = after.remember('c');
  await after.load();
  await early;
  expect(after.snapshot()).toEqual(['c', 'a', 'b']);
});

test('twenty commands are kept, in memory and on the disk', async () => {
  const name = freshName();
  const commands = new RecentCommands(name);
  for (let index = 1; index <= 25; index += 1) await commands.remember(String(index));
  expect(commands.snapshot()).toHaveLength(20);
  const later = new RecentCommands(name);
  await later.load();
  expect(later.snapshot()).toHaveLength(20);
  expect(later.snapshot()).not.toContain('5');
});

test('cleared commands are deleted from the disk, too', async () => {
  const name = freshName();
  const commands = new RecentCommands(name);
  await commands.remember('a');
  await commands.forgetAll();
  expect(commands.snapshot()).toEqual([]);
  const later = new RecentCommands(name);
  await later.load();
  expect(later.snapshot()).toEqual([]);
});

test('commands are remembered until the page closes when there is no database', async () => {
  vi.stubGlobal('indexedDB', undefined);
  const commands = new RecentCommands(freshName());
  await commands.load();
  await commands.remember('a');
  expect(commands.snapshot()).toEqual(['a']);
  vi.unstubAllGlobals();
});
