import { expect, test } from 'vitest';
import { OneATurn } from './one-a-turn.ts';

test('of many that ask at once, each goes on in a turn of the loop of its own, in their order', async () => {
  let turn = 0;
  const count = (): void => {
    turn += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const turns = new OneATurn();
  const went: [who: number, turn: number][] = [];
  await Promise.all(
    Array.from({ length: 5 }, async (_, who) => {
      await turns.next();
      went.push([who, turn]);
    }),
  );
  clearImmediate(next);
  expect(went.map(([who]) => who)).toEqual([0, 1, 2, 3, 4]);
  expect(new Set(went.map(([, at]) => at)).size).toBe(5);
});
