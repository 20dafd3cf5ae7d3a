import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import type { Download } from '../../../shared/domain/sample.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { BridgeProvider } from '../../bridge/bridge-context.tsx';
import { bulkJob, scanJob } from '../../components/jobs/job.fixture.ts';
import { MemoryBridge } from '../../test/memory-bridge.ts';
import { md5 } from '../../test/quiet-host.ts';
import { LastAnswerProvider, useLastAnswer } from './last-answer.tsx';

const unreachable: Failure = {
  kind: 'unreachable',
  service: 'repository',
  address: 'https://samples.example/repo',
  reason: 'refused',
  code: 'ECONNREFUSED',
};
const ended: Download = {
  id: 'd'.repeat(32),
  workspaceId: 'lab',
  md5,
  name: null,
  state: 'failed',
  receivedBytes: 0,
  totalBytes: null,
  bytesPerSecond: 0,
  sha1: null,
  sha256: null,
  failure: unreachable,
};

const bridgedAnswers = () => {
  const bridge = new MemoryBridge();
  const wrapper = ({ children }: { children: ReactNode }): ReactNode => (
    <BridgeProvider bridge={bridge}>
      <LastAnswerProvider>{children}</LastAnswerProvider>
    </BridgeProvider>
  );
  return { bridge, ...renderHook(() => useLastAnswer(), { wrapper }) };
};
const endedJob = (change: Partial<Job>, counts: Partial<Job['counts']>): Job => ({
  ...bulkJob,
  state: 'done',
  ...change,
  counts: { ...bulkJob.counts, waiting: 0, ...counts },
});

test('each workspace keeps the last response of its own repository', () => {
  const { bridge, result } = bridgedAnswers();
  act(() => bridge.emit('job.changed', endedJob({}, { done: 2 })));
  act(() => bridge.emit('download.progress', { ...ended, workspaceId: 'w-1' }));
  expect([
    result.current.answerOf('lab')?.failure,
    result.current.answerOf('w-1')?.failure,
    result.current.answerOf('w-2'),
  ]).toEqual([null, unreachable, null]);
  expect(result.current.lastAnswer?.workspaceId).toBe('w-1');
});

test('“already here” counts as a response of the repository in an upload, but not in a bulk download', () => {
  const { bridge, result } = bridgedAnswers();
  act(() => bridge.emit('job.changed', endedJob({}, { 'already-here': 2 })));
  expect(result.current.lastAnswer).toBeNull();
  act(() => bridge.emit('job.changed', endedJob({ task: { kind: 'upload' } }, { 'already-here': 2 })));
  expect(result.current.lastAnswer).toEqual({ workspaceId: 'lab', failure: null });
});

test('a record that a look-up of many fetched is a response of the repository', () => {
  const { bridge, result } = bridgedAnswers();
  act(() => bridge.emit('job.changed', endedJob({ task: { kind: 'triage' } }, { 'already-here': 2 })));
  expect(result.current.lastAnswer).toBeNull();
  act(() => bridge.emit('job.changed', endedJob({ task: { kind: 'triage' } }, { unknown: 1 })));
  expect(result.current.lastAnswer).toEqual({ workspaceId: 'lab', failure: null });
});

test('a draft of an upload gives the repository’s response to its files', () => {
  const { bridge, result } = bridgedAnswers();
  act(() => bridge.emit('uploads.asked', { workspaceId: 'lab', failure: { kind: 'staged-file-missing', id: 'a' } }));
  expect(result.current.lastAnswer).toBeNull();
  act(() => bridge.emit('uploads.asked', { workspaceId: 'lab', failure: unreachable }));
  expect(result.current.lastAnswer).toEqual({ workspaceId: 'lab', failure: unreachable });
  act(() => bridge.emit('uploads.asked', { workspaceId: 'lab', failure: null }));
  expect(result.current.lastAnswer).toEqual({ workspaceId: 'lab', failure: null });
});

test.each([
  ['a scan by this desk', endedJob({ task: scanJob.task }, { done: 1 })],
  ['a check of the vault', endedJob({ task: { kind: 'vault-check' } }, { done: 1 })],
  [
    'a rule editor that cannot be reached',
    endedJob({ task: scanJob.task, state: 'paused', failure: { ...unreachable, service: 'rule-editor' } }, {}),
  ],
])('%s gives no response of the repository', (_, job) => {
  const { bridge, result } = bridgedAnswers();
  act(() => bridge.emit('job.changed', job));
  expect(result.current.lastAnswer).toBeNull();
});

test('the outcome of a download is the repository’s last response until its next one', () => {
  const { bridge, result } = bridgedAnswers();
  act(() => bridge.emit('download.progress', ended));
  expect(result.current.lastAnswer).toEqual({ workspaceId: 'lab', failure: unreachable });
  act(() => bridge.emit('download.progress', { ...ended, failure: { kind: 'disk-full', path: '/data' } }));
  expect(result.current.lastAnswer?.failure).toEqual(unreachable);
  act(() => bridge.emit('download.progress', { ...ended, state: 'done', failure: null }));
  expect(result.current.lastAnswer).toEqual({ workspaceId: 'lab', failure: null });
});
