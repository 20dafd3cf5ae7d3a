import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Removals } from './removals.ts';

const [one, other] = ['1'.repeat(64), '2'.repeat(64)];

/** What was removed, and what is being removed until it is let go. */
function observed() {
  const removed: string[] = [];
  const removals = new Removals();
  const remove = (sha256: string): Promise<void> => removals.run(sha256, async () => void removed.push(sha256));
  return { removals, removed, remove };
}

test('a removal waits for arriving bytes, and keeps them when their caller reports them stored', async () => {
  const { removals, removed, remove } = observed();
  const over = await removals.arrive([one]);
  const removing = Promise.all([remove(one), remove(other)]);
  await nextTurn();
  expect(removed).toEqual([]);
  removals.spare(one);
  over();
  await removing;
  expect(removed).toEqual([other]);
});

test('bytes whose arrival ends without storage spare nothing', async () => {
  const { removals, removed, remove } = observed();
  const over = await removals.arrive([one, other]);
  const removing = Promise.all([remove(one), remove(other)]);
  removals.spare(other);
  over();
  await removing;
  expect(removed).toEqual([one]);
});

test('a removal requested after the bytes are reported as stored removes them', async () => {
  const { removals, removed, remove } = observed();
  const over = await removals.arrive([one]);
  removals.spare(one);
  const removing = remove(one);
  over();
  await removing;
  expect(removed).toEqual([one]);
});

test('arriving bytes wait while older ones are removed', async () => {
  const { removals, removed } = observed();
  const { promise, resolve } = Promise.withResolvers<void>();
  const removing = removals.run(one, async () => {
    await promise;
    removed.push('older');
  });
  await nextTurn();
  const arrive = async (): Promise<void> => {
    const over = await removals.arrive([one]);
    removed.push('newer come');
    over();
  };
  const arriving = arrive();
  resolve();
  await Promise.all([removing, arriving]);
  expect(removed).toEqual(['older', 'newer come']);
});

test('one report of two arrivals of the same bytes is enough', async () => {
  const { removals, removed, remove } = observed();
  const [first, second] = await Promise.all([removals.arrive([one]), removals.arrive([one])]);
  const removing = remove(one);
  removals.spare(one);
  first();
  second();
  await removing;
  await remove(one);
  expect(removed).toEqual([one]);
});
