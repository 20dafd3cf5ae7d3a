import { expect, test } from 'vitest';
import { OneATurn } from './one-a-turn.ts';

test('what waits at the same time goes on in turns of its own, in order', async () => {
  const turns = new OneATurn();
  const told: string[] = [];
  const waiting = ['first', 'second', 'third'].map(async (name) => {
    await turns.wait();
    told.push(name);
    setImmediate(() => told.push(`after ${name}`));
  });
  await Promise.all(waiting);
  expect(told.slice(0, 5)).toEqual(['first', 'after first', 'second', 'after second', 'third']);
});
