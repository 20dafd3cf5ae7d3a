import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OperationInput, OperationName } from '../../shared/contract.ts';
import { bulkJob, MemoryBridge } from '../test/memory-bridge.ts';
import { valueOf } from './operations.ts';
import { createQueryClient } from './query-client.ts';
import { refreshAnswers } from './refreshing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function page() {
  const bridge = new MemoryBridge();
  const client = createQueryClient();
  const stop = refreshAnswers(bridge, client);
  return {
    bridge,
    stop,
    client,
    /** Shows the answer, and keeps it shown. @returns how often it was requested */
    show: async <N extends OperationName>(name: N, input: OperationInput<N>): Promise<() => number> => {
      let requests = 0;
      const queryFn = async (): Promise<unknown> => {
        requests += 1;
        return valueOf(bridge.call(name, input));
      };
      new QueryObserver(client, { queryKey: [name, input], queryFn, staleTime: Infinity }).subscribe(() => {});
      await vi.advanceTimersByTimeAsync(0);
      return () => requests;
    },
  };
}

test('an answer is requested again for an event of its row, if the named fields agree', async () => {
  const { bridge, show } = page();
  const here = await show('comments.thread', { workspaceId: 'w-1', md5: 'a'.repeat(32) });
  const beside = await show('comments.thread', { workspaceId: 'w-1', md5: 'b'.repeat(32) });
  const state = await show('publications.state', { workspaceId: 'w-1' });
  bridge.emit('comments.changed', { workspaceId: 'w-1', md5: 'a'.repeat(32) });
  bridge.emit('comments.changed', { workspaceId: 'w-2', md5: 'b'.repeat(32) });
  await vi.advanceTimersByTimeAsync(0);
  expect([here(), beside(), state()]).toEqual([2, 1, 1]);
});

test('an event without named fields refreshes every answer of the operation', async () => {
  const { bridge, show } = page();
  const states = [
    await show('publications.state', { workspaceId: 'w-1' }),
    await show('publications.state', { workspaceId: 'w-2' }),
  ];
  bridge.emit('workspaces.changed', {});
  await vi.advanceTimersByTimeAsync(0);
  expect(states.map((requests) => requests())).toEqual([2, 2]);
});

test('an expensive answer is requested at most as often as its row allows, and again for the last event', async () => {
  const { bridge, show } = page();
  const here = await show('comments.list', { workspaceId: 'w-1', find: '', offset: 0, limit: 1 });
  const elsewhere = await show('comments.list', { workspaceId: 'w-2', find: '', offset: 0, limit: 1 });
  for (let event = 0; event < 10; event += 1)
    bridge.emit('comments.changed', { workspaceId: event < 9 ? 'w-1' : 'w-2', md5: 'a'.repeat(32) });
  await vi.advanceTimersByTimeAsync(499);
  expect([here(), elsewhere()]).toEqual([2, 2]);
  await vi.advanceTimersByTimeAsync(1);
  expect([here(), elsewhere()]).toEqual([3, 2]);
});

test('no answer is requested after the refreshing stopped', async () => {
  const { bridge, stop, show } = page();
  const views = await show('views.list', {});
  stop();
  bridge.emit('views.changed', {});
  await vi.advanceTimersByTimeAsync(0);
  expect(views()).toBe(1);
});

test('no paced answer is requested after the refreshing stopped', async () => {
  const { bridge, stop, show } = page();
  const journal = await show('comments.list', { workspaceId: 'w-1', find: '', offset: 0, limit: 1 });
  for (let event = 0; event < 2; event += 1)
    bridge.emit('comments.changed', { workspaceId: 'w-1', md5: 'a'.repeat(32) });
  stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(journal()).toBe(2);
});

test('a slow answer about one workspace does not delay the answers about another', async () => {
  const { bridge, client, show } = page();
  const slow = { workspaceId: 'w-1', find: '', offset: 0, limit: 1 };
  const never = (): Promise<never> => new Promise(() => {});
  new QueryObserver(client, { queryKey: ['comments.list', slow], queryFn: never, staleTime: Infinity }).subscribe(
    () => {},
  );
  client.setQueryData(['comments.list', slow], {});
  const other = await show('comments.list', { ...slow, workspaceId: 'w-2' });
  for (const workspaceId of ['w-1', 'w-2']) bridge.emit('comments.changed', { workspaceId, md5: 'a'.repeat(32) });
  await vi.advanceTimersByTimeAsync(1000);
  expect(other()).toBe(2);
});

test('an answer reaches the page when changes come faster than it does', async () => {
  const { bridge, client } = page();
  const key = ['triage.counts', { id: 1 }] as const;
  let [atOnce, mostAtOnce, answers] = [0, 0, 0];
  const slow = async (): Promise<number> => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await new Promise((resolve) => setTimeout(resolve, 900));
    atOnce -= 1;
    return (answers += 1);
  };
  new QueryObserver(client, { queryKey: key, queryFn: slow, staleTime: Infinity }).subscribe(() => {});
  const change = (): void => {
    bridge.emit('job.changed', { ...bulkJob, id: 1 });
    bridge.emit('library.changed', {});
  };
  for (let ms = 0; ms < 3000; ms += 100) {
    change();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(client.getQueryData(key)).toBe(3);
  await vi.advanceTimersByTimeAsync(1000);
  expect(client.getQueryData(key)).toBe(4);
  expect(mostAtOnce).toBe(1);
});
