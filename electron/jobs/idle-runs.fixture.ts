import type { JobKind } from '../../shared/domain/job.ts';
import type { JobRun } from './job-runner.ts';

const idle: JobRun = async () => {};

/** Jobs of kinds that a test does not ask for end at once. */
export const idleRuns: Readonly<Record<JobKind, JobRun>> = {
  'bulk-download': idle,
  triage: idle,
  export: idle,
  upload: idle,
  scan: idle,
  hunt: idle,
  'vault-check': idle,
  'library-add': idle,
  'library-change': idle,
  'case-export': idle,
  bundle: idle,
  'bundle-import': idle,
  backup: idle,
};
