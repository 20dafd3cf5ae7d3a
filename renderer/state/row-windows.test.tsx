import '../test/page-surroundings.ts';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { success } from '../../shared/failure.ts';
import { BridgeProvider } from '../bridge/bridge-context.tsx';
import { createQueryClient } from '../bridge/query-client.ts';
import { MemoryBridge } from '../test/memory-bridge.ts';
import { type RowSource, type RowWindow, useRowWindows } from './row-windows.ts';

/** A list at several moments, whose questions are answered by hand. */
function movingList() {
  const open = new Map<string, (total: number) => void>();
  const sourceAt = (list: string, moment: number): RowSource<RowWindow<string>> => ({
    name: 'triage.rows',
    question: { list, moment },
    list,
    read: async () => {
      const { promise, resolve } = Promise.withResolvers<number>();
      open.set(`${list} ${moment}`, resolve);
      const total = await promise;
      return success({ rows: [], total });
    },
  });
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <BridgeProvider bridge={new MemoryBridge()} client={client}>
      {children}
    </BridgeProvider>
  );
  const hook = renderHook((source: RowSource<RowWindow<string>>) => useRowWindows(source), {
    wrapper,
    initialProps: sourceAt('a', 1),
  });
  return {
    asked: () => [...open.keys()],
    answer: (question: string, total: number) => act(async () => open.get(question)?.(total)),
    goTo: (list: string, moment: number) => hook.rerender(sourceAt(list, moment)),
    total: () => hook.result.current.total,
  };
}

test('a list that changes faster than it is read is shown as it was, and then read as it is', async () => {
  const list = movingList();
  for (const moment of [2, 3, 4]) list.goTo('a', moment);
  expect(list.asked()).toEqual(['a 1']);
  await list.answer('a 1', 10);
  await waitFor(() => expect(list.total()).toBe(10));
  expect(list.asked()).toEqual(['a 1', 'a 4']);
  list.goTo('a', 5);
  await list.answer('a 4', 40);
  await waitFor(() => expect(list.total()).toBe(40));
  expect(list.asked()).toEqual(['a 1', 'a 4', 'a 5']);
});

test('another list is asked for at once', async () => {
  const list = movingList();
  list.goTo('b', 1);
  expect(list.asked()).toEqual(['a 1', 'b 1']);
  await list.answer('b 1', 7);
  await waitFor(() => expect(list.total()).toBe(7));
});
