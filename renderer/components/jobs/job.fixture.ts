import type { Job } from '../../../shared/domain/job.ts';

/** A bulk download that has just begun. */
export const bulkJob: Job = {
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
    waiting: 2,
    done: 0,
    'already-here': 0,
  },
  items: 2,
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

const scanPackage = { sha256: 'a'.repeat(64), version: '2026.11.10', rules: 409 };

/** A scan of one file by both sides, over. */
export const scanJob: Job = {
  ...bulkJob,
  id: 221,
  task: { kind: 'scan', engines: 'both', local: 'native', package: scanPackage, name: 'update_helper.dll' },
  state: 'done',
  ended: '2026-11-18T14:29:37.000Z',
  items: 1,
  counts: { ...bulkJob.counts, waiting: 0, done: 1 },
};

/** A hunt that has just begun. */
export const huntJob: Job = {
  ...bulkJob,
  id: 222,
  task: {
    kind: 'hunt',
    scope: 'changed',
    local: 'native',
    package: scanPackage,
    rules: 5,
    names: ['ashveil_config_xor'],
    against: '2026.11.03',
  },
  items: 8214,
  counts: { ...bulkJob.counts, waiting: 8214 },
};
