import type { Job } from '../../../shared/domain/job.ts';

/** A bulk download that has just begun. */
export const bulkJob: Job = {
  id: 218, task: { kind: 'bulk-download' }, workspaceId: 'lab', state: 'running',
  created: '2026-11-18T14:29:36.000Z', started: '2026-11-18T14:29:36.000Z', ended: null,
  counts: { mismatch: 0, forbidden: 0, failed: 0, refused: 0, vanished: 0, unknown: 0, 'needs-md5': 0, cancelled: 0, waiting: 2, done: 0, 'already-here': 0 },
  items: 2, bytes: 0, expectedBytes: null, bytesPerSecond: 0, secondsLeft: null, throughput: { secondsEach: 1, values: [] },
  active: [], failure: null, notices: [], noticeCount: 0,
};
