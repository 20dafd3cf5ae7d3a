import { expect, test } from 'vitest';
import { KeyedMutex, Mutex } from './mutex.ts';

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('Mutex runs work one at a time in the order of the calls', async () => {
  const mutex = new Mutex();
  const seen: string[] = [];
  const works = ['first', 'second', 'third'].map((name) =>
    mutex.run(async () => {
      seen.push(`${name} begins`);
      await turnOfTheLoop();
      seen.push(`${name} ends`);
      return name;
    }),
  );
  expect(await Promise.all(works)).toEqual(['first', 'second', 'third']);
  expect(seen).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('Mutex gives each caller its own turn of the event loop when the work is to wait for one', async () => {
  const mutex = new Mutex();
  const seen: string[] = [];
  const waiting = ['first', 'second', 'third'].map(async (name) => {
    await mutex.run(turnOfTheLoop);
    seen.push(name);
    setImmediate(() => seen.push(`after ${name}`));
  });
  await Promise.all(waiting);
  expect(seen.slice(0, 5)).toEqual(['first', 'after first', 'second', 'after second', 'third']);
});

test('Mutex runs the next work when one fails, and rejects that call alone', async () => {
  const mutex = new Mutex();
  const failing = mutex.run(() => Promise.reject(new Error('no')));
  const next = mutex.run(() => 'next');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('next');
  await expect(mutex.idle()).resolves.toBeUndefined();
});

test('Mutex rejects with cancelled at once when work is aborted before its turn, and never runs it', async () => {
  const mutex = new Mutex();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = mutex.run(() => promise);
  const controller = new AbortController();
  const ran: string[] = [];
  const aborted = mutex.runUnlessAborted(controller.signal, async () => void ran.push('aborted'));
  const last = mutex.runUnlessAborted(new AbortController().signal, async () => void ran.push('last'));
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  resolve();
  await Promise.all([first, last]);
  expect(ran).toEqual(['last']);
});

test('KeyedMutex runs work of different keys at the same time', async () => {
  const mutexes = new KeyedMutex();
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = mutexes.run('a', () => promise);
  const behind = mutexes.run('a', async () => 'behind');
  expect(await mutexes.run('b', async () => 'beside')).toBe('beside');
  resolve();
  await held;
  expect(await behind).toBe('behind');
});
