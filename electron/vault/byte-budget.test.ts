import { expect, test } from 'vitest';
import { failing } from './batch.fixture.ts';
import { ByteBudget } from './byte-budget.ts';

/** Names of those who are in, in the order of their coming. */
function queue(budget: ByteBudget): {
  in: string[];
  ask(name: string, bytes: number, signal?: AbortSignal): Promise<void>;
} {
  const names: string[] = [];
  return {
    in: names,
    ask: async (name, bytes, signal) => {
      await budget.wait(bytes, signal);
      names.push(name);
    },
  };
}

test('a request that does not fit waits for released bytes, and none overtakes it', async () => {
  const budget = new ByteBudget(100);
  const asked = queue(budget);
  await asked.ask('first', 60);
  budget.take(60);
  const waiting = [asked.ask('large', 80), asked.ask('tiny', 1)];
  await Promise.resolve();
  expect(asked.in).toEqual(['first']);
  budget.giveBack(60);
  await Promise.all(waiting);
  expect(asked.in).toEqual(['first', 'large', 'tiny']);
});

test('a request larger than the budget is admitted alone', async () => {
  const budget = new ByteBudget(100);
  await budget.wait(1000);
  budget.take(1000);
  const next = queue(budget);
  const waiting = next.ask('next', 1);
  expect(next.in).toEqual([]);
  budget.giveBack(1000);
  await waiting;
  expect(next.in).toEqual(['next']);
});

test('an aborted request leaves the queue, and those behind move up', async () => {
  const budget = new ByteBudget(100);
  budget.take(50);
  const stop = new AbortController();
  const large = budget.wait(90, stop.signal);
  const small = budget.wait(10);
  stop.abort();
  await expect(large).rejects.toMatchObject(failing('cancelled'));
  await small;
  await expect(budget.wait(1, stop.signal)).rejects.toMatchObject(failing('cancelled'));
});

test('closing ends every wait', async () => {
  const budget = new ByteBudget(100);
  budget.take(100);
  const waiting = budget.wait(1);
  budget.close();
  await expect(waiting).rejects.toMatchObject(failing('cancelled'));
  await expect(budget.wait(1)).rejects.toMatchObject(failing('cancelled'));
});
