import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { failed, type Result, success } from '../../shared/failure.ts';
import type { Bridge } from '../../shared/transport.ts';
import { BridgeProvider, useBridge } from './bridge-context.tsx';
import { useAction, useEvent, useOperation } from './operations.ts';
import { createQueryClient, refreshLocalState } from './query-client.ts';

type Receive = (payload: unknown) => void;

/** A bridge that answers from a script and counts what it was asked. */
function scriptedBridge(answers: Record<string, Result<unknown>>) {
  const asked: { name: string; input: unknown }[] = [];
  const receivers = new Map<string, Set<Receive>>();
  const bridge = {
    call: async (name: string, input: unknown) => {
      asked.push({ name, input });
      return answers[name] ?? failed({ kind: 'host-gone' });
    },
    subscribe: (name: string, receive: Receive) => {
      const same = receivers.get(name) ?? new Set();
      receivers.set(name, same.add(receive));
      return () => void same.delete(receive);
    },
    stageFile: async () => failed({ kind: 'host-gone' }),
  } as Bridge<File>;
  const emit = (name: string, payload: unknown): void =>
    act(() => receivers.get(name)?.forEach((receive) => receive(payload)));
  return { bridge, asked, answers, emit, listeners: (name: string) => receivers.get(name)?.size ?? 0 };
}

function within(bridge: Bridge<File>, client = createQueryClient()) {
  return {
    wrapper: ({ children }: { children: ReactNode }) => (
      <BridgeProvider bridge={bridge} client={client}>
        {children}
      </BridgeProvider>
    ),
  };
}

const count = { samples: 3, inVault: 2, vaultBytes: 1024 };
const md5 = 'a'.repeat(32);

describe('useOperation', () => {
  test('gives the output as data', async () => {
    const host = scriptedBridge({ 'library.count': success(count) });
    const { result } = renderHook(() => useOperation('library.count', {}), within(host.bridge));
    await waitFor(() => expect(result.current.data).toEqual(count));
    expect(host.asked).toEqual([{ name: 'library.count', input: {} }]);
  });

  test('gives the failure itself as the error, and calls once', async () => {
    const host = scriptedBridge({ 'samples.lookup': failed({ kind: 'needs-md5', hash: 'x' }) });
    const { result } = renderHook(
      () => useOperation('samples.lookup', { workspaceId: 'lab', hash: md5 }),
      within(host.bridge),
    );
    await waitFor(() => expect(result.current.error).toEqual({ kind: 'needs-md5', hash: 'x' }));
    expect(host.asked).toHaveLength(1);
  });

  test('calls once more for data reported as changed during the first read', async () => {
    const host = scriptedBridge({});
    const late: ((answer: Result<unknown>) => void)[] = [];
    const answer = (): Promise<Result<unknown>> => new Promise((resolve) => late.push(resolve));
    const bridge = { ...host.bridge, call: answer } as Bridge<File>;
    const client = createQueryClient();
    const { result } = renderHook(() => useOperation('library.count', {}), within(bridge, client));
    act(() => void client.invalidateQueries({ queryKey: ['library.count'] }));
    await waitFor(() => expect(late).toHaveLength(2));
    await act(async () => late[1]?.(success(count)));
    await act(async () => late[0]?.(success({ ...count, samples: 0 })));
    await waitFor(() => expect(result.current.data).toEqual(count));
  });

  test('calls nothing until it is enabled', async () => {
    const host = scriptedBridge({ 'library.count': success(count) });
    const { result, rerender } = renderHook(({ enabled }) => useOperation('library.count', {}, { enabled }), {
      ...within(host.bridge),
      initialProps: { enabled: false },
    });
    expect(host.asked).toEqual([]);
    rerender({ enabled: true });
    await waitFor(() => expect(result.current.data).toEqual(count));
  });

  test('works while the browser reports being offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    window.dispatchEvent(new Event('offline'));
    const host = scriptedBridge({ 'library.count': success(count) });
    const { result } = renderHook(() => useOperation('library.count', {}), within(host.bridge));
    await waitFor(() => expect(result.current.data).toEqual(count));
    window.dispatchEvent(new Event('online'));
    vi.restoreAllMocks();
    expect(host.asked).toHaveLength(1);
  });

  test('does not repeat a look-up when it is shown again', async () => {
    const client = createQueryClient();
    const host = scriptedBridge({ 'samples.lookup': failed({ kind: 'no-hash' }), 'library.count': success(count) });
    host.answers['samples.lookup'] = success({ asked: md5 });
    const show = () =>
      renderHook(
        () => [useOperation('samples.lookup', { workspaceId: 'lab', hash: md5 }), useOperation('library.count', {})],
        within(host.bridge, client),
      );
    const first = show();
    await waitFor(() => expect(first.result.current.map(({ isSuccess }) => isSuccess)).toEqual([true, true]));
    first.unmount();
    show();
    window.dispatchEvent(new Event('focus'));
    await waitFor(() => expect(host.asked).toHaveLength(3));
    expect(host.asked.map(({ name }) => name).toSorted()).toEqual(['library.count', 'library.count', 'samples.lookup']);
  });
});

test('a refresh reads the state of the host and calls no service', async () => {
  const client = createQueryClient();
  const host = scriptedBridge({ 'samples.lookup': success({ asked: md5 }), 'library.count': success(count) });
  const { result } = renderHook(
    () => [useOperation('samples.lookup', { workspaceId: 'lab', hash: md5 }), useOperation('library.count', {})],
    within(host.bridge, client),
  );
  await waitFor(() => expect(result.current.every(({ isSuccess }) => isSuccess)).toBe(true));
  host.asked.length = 0;
  await act(() => refreshLocalState(client));
  expect(host.asked.map(({ name }) => name)).toEqual(['library.count']);
});

describe('useAction', () => {
  test('does nothing until triggered, then gives output or failure', async () => {
    const host = scriptedBridge({ 'downloads.cancel': success({}) });
    const { result } = renderHook(() => useAction('downloads.cancel'), within(host.bridge));
    expect(host.asked).toEqual([]);
    act(() => result.current.mutate({ id: 'd'.repeat(32) }));
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
    host.answers['downloads.cancel'] = failed({ kind: 'host-gone' });
    act(() => result.current.mutate({ id: 'd'.repeat(32) }));
    await waitFor(() => expect(result.current.error).toEqual({ kind: 'host-gone' }));
    expect(host.asked).toHaveLength(2);
  });

  test('leaves no passphrase behind when its view is gone', async () => {
    const client = createQueryClient();
    const host = scriptedBridge({ 'secrets.unlock': failed({ kind: 'passphrase-wrong' }) });
    const { result, unmount } = renderHook(() => useAction('secrets.unlock'), within(host.bridge, client));
    act(() => result.current.mutate({ passphrase: 'correct horse' }));
    await waitFor(() => expect(result.current.isError).toBe(true));
    unmount();
    await waitFor(() => expect(client.getMutationCache().getAll()).toEqual([]));
  });
});

describe('useEvent', () => {
  test('calls the latest listener, subscribes once, and stops with its component', () => {
    const host = scriptedBridge({});
    const [early, late] = [vi.fn(), vi.fn()];
    const { rerender, unmount } = renderHook(({ listener }) => useEvent('lookup.prefill', listener), {
      ...within(host.bridge),
      initialProps: { listener: early },
    });
    rerender({ listener: late });
    expect(host.listeners('lookup.prefill')).toBe(1);
    host.emit('lookup.prefill', { md5 });
    expect(early).not.toHaveBeenCalled();
    expect(late).toHaveBeenCalledExactlyOnceWith({ md5 });
    unmount();
    expect(host.listeners('lookup.prefill')).toBe(0);
  });
});

test('a view without a bridge reports this', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  expect(() => renderHook(() => useBridge())).toThrow('outside of a BridgeProvider');
  vi.restoreAllMocks();
});
