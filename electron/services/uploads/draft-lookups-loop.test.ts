import { expect, test, vi } from 'vitest';
import { WorkLoop } from './draft-lookups.ts';

test('the loop works until nothing is left, and a kick during the last pass is not lost', async () => {
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

test('the loop reports an error once, and retries at the next kick', async () => {
  const reported: unknown[] = [];
  let tries = 0;
  const loop = new WorkLoop(
    async () => {
      tries += 1;
      if (tries === 1) throw new Error('no disk');
      return false;
    },
    (error) => void reported.push(error),
  );
  loop.kick();
  await vi.waitFor(() => expect(reported).toHaveLength(1));
  loop.kick();
  await vi.waitFor(() => expect(tries).toBe(2));
  await loop.close();
  expect(reported).toHaveLength(1);
});

test('the loop waits for its work when closed, and begins nothing afterwards', async () => {
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
