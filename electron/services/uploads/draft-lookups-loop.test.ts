import { expect, test, vi } from 'vitest';
import { WorkLoop } from './draft-lookups.ts';

test('work is done until there is none, and a kick during the last look is not lost', async () => {
  const todo = [1, 2];
  const done: number[] = [];
  const loop: WorkLoop = new WorkLoop(
    async () => {
      const next = todo.shift();
      if (next === undefined && done.length === 2) {
        todo.push(3);
        loop.kick();
      }
      if (next !== undefined) done.push(next);
      return next !== undefined;
    },
    (error) => expect.fail(String(error)),
  );
  loop.kick();
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3]));
  await loop.close();
});

test('what goes wrong is told once, and the next kick tries again', async () => {
  const told: unknown[] = [];
  let tries = 0;
  const loop = new WorkLoop(
    async () => {
      tries += 1;
      if (tries === 1) throw new Error('no disk');
      return false;
    },
    (error) => void told.push(error),
  );
  loop.kick();
  await vi.waitFor(() => expect(told).toHaveLength(1));
  loop.kick();
  await vi.waitFor(() => expect(tries).toBe(2));
  await loop.close();
  expect(told).toHaveLength(1);
});

test('closing waits for what is under way, and nothing begins afterwards', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let rounds = 0;
  const loop = new WorkLoop(
    async () => {
      rounds += 1;
      await promise;
      return true;
    },
    (error) => expect.fail(String(error)),
  );
  loop.kick();
  await vi.waitFor(() => expect(rounds).toBe(1));
  const closing = loop.close();
  resolve();
  await closing;
  loop.kick();
  expect(rounds).toBe(1);
});
