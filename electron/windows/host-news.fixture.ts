import type { Job } from '../../shared/domain/job.ts';
import type { HostEvent } from '../event-hub.ts';

const runningJob: Job = {
  id: 218,
  task: { kind: 'bulk-download' },
  workspaceId: 'lab',
  state: 'running',
  created: '2026-11-18T14:29:36.000Z',
  started: '2026-11-18T14:29:36.000Z',
  ended: null,
  resumesAt: null,
  counts: {
    mismatch: 0,
    forbidden: 0,
    failed: 0,
    refused: 0,
    vanished: 0,
    unknown: 0,
    'needs-md5': 0,
    cancelled: 0,
    waiting: 4,
    done: 0,
    'already-here': 0,
  },
  items: 4,
  bytes: 0,
  expectedBytes: null,
  bytesPerSecond: 0,
  secondsLeft: null,
  throughput: { secondsEach: 1, values: [] },
  active: [],
  failure: null,
  notices: [],
  noticeCount: 0,
};

/** The host's event for a job of four items of which some are done; running by default. */
export function jobNews({ settled = 0, ...change }: Partial<Job> & { settled?: number } = {}): HostEvent {
  const items = change.items ?? runningJob.items;
  return {
    name: 'job.changed',
    payload: { ...runningJob, counts: { ...runningJob.counts, waiting: items - settled, done: settled }, ...change },
  };
}

export const foundRules = (version: string | null, workspaceId = 'lab'): HostEvent => ({
  name: 'publications.news',
  payload: { workspaceId, kind: 'found', version, counts: null },
});

export const lostComment: HostEvent = {
  name: 'comments.lost',
  payload: { workspaceId: 'team', md5: '44d88612fea8a8f36de82e1278abb02f', state: 'failed' },
};
