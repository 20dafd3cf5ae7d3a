import { expect, test } from 'vitest';
import { WorkspaceSlots } from './workspace-slots.ts';

const never = new AbortController().signal;

/** Work that ends on command. */
function worker(slots: WorkspaceSlots, begun: string[]) {
  return (name: string, workspace = 'w', signal = never) => {
    const gate = Promise.withResolvers<void>();
    const done = slots.use(workspace, signal, async () => {
      begun.push(name);
      await gate.promise;
      return name;
    });
    return { done, end: gate.resolve, break: gate.reject };
  };
}

test('work up to the limit runs at once, and waiting work starts in order of request', async () => {
  const begun: string[] = [];
  const start = worker(new WorkspaceSlots(() => 2), begun);
  const [a, b, c, d] = [start('a'), start('b'), start('c'), start('d')];
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  b.end();
  expect(await b.done).toBe('b');
  a.end();
  await a.done;
  c.end();
  d.end();
  expect(await Promise.all([c.done, d.done])).toEqual(['c', 'd']);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('each workspace has its own slots', async () => {
  const begun: string[] = [];
  const start = worker(new WorkspaceSlots(() => 1), begun);
  const [a, b] = [start('a', 'one'), start('b', 'two')];
  a.end();
  b.end();
  expect(await Promise.all([a.done, b.done])).toEqual(['a', 'b']);
});

test('work aborted while waiting ends with the reason and takes no slot', async () => {
  const begun: string[] = [];
  const start = worker(new WorkspaceSlots(() => 1), begun);
  const abort = new AbortController();
  const [a, b, c] = [start('a'), start('b', 'w', abort.signal), start('c')];
  const reason = new Error('paused');
  abort.abort(reason);
  await expect(b.done).rejects.toBe(reason);
  a.end();
  await a.done;
  c.end();
  expect(await c.done).toBe('c');
  expect(begun).toEqual(['a', 'c']);
  await expect(start('d', 'w', abort.signal).done).rejects.toBe(reason);
});

test('work that fails returns its slot', async () => {
  const start = worker(new WorkspaceSlots(() => 1), []);
  const [a, b] = [start('a'), start('b')];
  a.break(new Error('lost'));
  await expect(a.done).rejects.toThrow('lost');
  b.end();
  expect(await b.done).toBe('b');
});

test('a raised limit applies from the next slot on, and there is always at least one', async () => {
  let limit = 0;
  const begun: string[] = [];
  const start = worker(new WorkspaceSlots(() => limit), begun);
  const [a, b, c] = [start('a'), start('b'), start('c')];
  limit = 3;
  a.end();
  await a.done;
  const d = start('d');
  for (const one of [b, c, d]) one.end();
  expect(await Promise.all([b.done, c.done, d.done])).toEqual(['b', 'c', 'd']);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});
