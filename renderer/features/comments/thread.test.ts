import { expect, test } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import { fail } from '../../../shared/failure.ts';
import { MemoryBridge } from '../../test/memory-bridge.ts';
import { md5 } from '../../test/quiet-host.ts';
import { listed, ThreadHost } from './thread-host.fixture.ts';
import { wholeThread } from './thread.ts';

const of = { workspaceId: 'lab', md5 };
const never = new AbortController().signal;
const comments = Array.from({ length: 1_200 }, (_, at) => listed(String(at)));
const windowsOf = (bridge: MemoryBridge) =>
  bridge.inputsOf('comments.thread').map((input) => (input as OperationInput<'comments.thread'>).window);

test('a long thread is read window by window, all of one snapshot', async () => {
  const host = new ThreadHost(comments, { text: 'begun', parentId: '3' });
  const bridge = new MemoryBridge(host.answers);
  expect(await wholeThread(bridge, of, never)).toEqual({
    ok: true,
    value: { comments, draft: { text: 'begun', parentId: '3' }, listsComments: true },
  });
  expect(windowsOf(bridge)).toMatchObject([0, 500, 1_000].map((offset) => ({ offset, limit: 500 })));
  expect(new Set(windowsOf(bridge).map((window) => window?.moment)).size).toBe(1);
});

test('each reading uses a new snapshot', async () => {
  const bridge = new MemoryBridge(new ThreadHost().answers);
  await wholeThread(bridge, of, never);
  await wholeThread(bridge, of, never);
  expect(new Set(windowsOf(bridge).map((window) => window?.moment)).size).toBe(2);
});

test('a failed window fails the whole reading', async () => {
  const host = new ThreadHost(comments);
  const bridge = new MemoryBridge({
    'comments.thread': (input) => (input.window?.offset === 500 ? fail({ kind: 'host-gone' }) : host.read(input)),
  });
  expect(await wholeThread(bridge, of, never)).toEqual({ ok: false, failure: { kind: 'host-gone' } });
});

test('reading stops when the thread is no longer needed', async () => {
  const bridge = new MemoryBridge(new ThreadHost(comments).answers);
  expect(await wholeThread(bridge, of, AbortSignal.abort())).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  expect(windowsOf(bridge)).toHaveLength(1);
});
