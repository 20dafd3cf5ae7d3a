import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { Download } from '../../shared/domain/sample.ts';
import { BridgeProvider } from '../bridge/bridge-context.tsx';
import { createQueryClient, refreshLocalState } from '../bridge/query-client.ts';
import { MemoryBridge } from '../test/memory-bridge.ts';
import { md5 } from '../test/quiet-host.ts';
import { DownloadsProvider, useDownloadOf, useDownloads } from './downloads.tsx';

const running: Download = {
  id: 'd'.repeat(32),
  workspaceId: 'lab',
  md5,
  name: null,
  state: 'receiving',
  receivedBytes: 2,
  totalBytes: 4,
  bytesPerSecond: 1,
  sha1: null,
  sha256: null,
  failure: null,
};

function openDownloads(listed: Download[][]) {
  const bridge = new MemoryBridge({
    'downloads.list': () => ({ downloads: listed.length > 1 ? (listed.shift() ?? []) : (listed[0] ?? []) }),
  });
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }): ReactNode => (
    <BridgeProvider bridge={bridge} client={client}>
      <DownloadsProvider>{children}</DownloadsProvider>
    </BridgeProvider>
  );
  const { result } = renderHook(() => ({ all: useDownloads(), one: useDownloadOf('lab', md5) }), { wrapper });
  return { bridge, client, result };
}

test('a download that the host forgot during a disconnection does not show as running forever', async () => {
  const { client, result } = openDownloads([[running], []]);
  await waitFor(() => expect(result.current.one.download).toEqual(running));
  await act(() => refreshLocalState(client));
  expect(result.current.all).toEqual([]);
});

test('a download that ended unheard is reported from the list', async () => {
  const { client, result } = openDownloads([[running], [{ ...running, state: 'done', receivedBytes: 4 }]]);
  await waitFor(() => expect(result.current.one.download?.state).toBe('receiving'));
  await act(() => refreshLocalState(client));
  expect(result.current.one.download?.state).toBe('done');
});

test('a download reported as ended stays ended, and its report stays', async () => {
  const { bridge, client, result } = openDownloads([[running], []]);
  await waitFor(() => expect(result.current.one.download).not.toBeNull());
  act(() => bridge.emit('download.progress', { ...running, state: 'cancelled' }));
  act(() => bridge.emit('download.progress', running));
  await act(() => refreshLocalState(client));
  expect(result.current.one.download?.state).toBe('cancelled');
});
