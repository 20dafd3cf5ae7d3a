import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { Download } from '../../shared/domain/download.ts';
import type { Failure } from '../../shared/failure.ts';
import { BridgeProvider } from '../bridge/bridge-context.tsx';
import { md5, MemoryBridge } from '../test/memory-bridge.ts';
import { LastAnswerProvider, useLastAnswer } from './last-answer.tsx';

afterEach(cleanup);

const unreachable: Failure = { kind: 'unreachable', service: 'repository', address: 'https://samples.example/repo', reason: 'refused', code: 'ECONNREFUSED' };
const ended: Download = {
  id: 'd'.repeat(32), workspaceId: 'lab', md5, name: null, state: 'failed', receivedBytes: 0, totalBytes: null, bytesPerSecond: 0, sha1: null, sha256: null, failure: unreachable,
};

test('what a download met is the repository’s last answer, until it answers again', () => {
  const bridge = new MemoryBridge();
  const wrapper = ({ children }: { children: ReactNode }): ReactNode => <BridgeProvider bridge={bridge}><LastAnswerProvider>{children}</LastAnswerProvider></BridgeProvider>;
  const { result } = renderHook(() => useLastAnswer().lastAnswer, { wrapper });
  act(() => bridge.tell('download.progress', ended));
  expect(result.current).toEqual({ workspaceId: 'lab', failure: unreachable });
  act(() => bridge.tell('download.progress', { ...ended, failure: { kind: 'disk-full', path: '/data' } }));
  expect(result.current?.failure).toEqual(unreachable);
  act(() => bridge.tell('download.progress', { ...ended, state: 'done', failure: null }));
  expect(result.current).toEqual({ workspaceId: 'lab', failure: null });
});
