import type { ActiveItem, ItemState } from '../../../shared/domain/job.ts';

/** English of what became of an item. */
export const outcomeWords: Readonly<Record<ItemState, string>> = {
  mismatch: 'Mismatch',
  forbidden: 'Forbidden',
  failed: 'Failed',
  unknown: 'Unknown',
  'needs-md5': 'Needs an MD5',
  cancelled: 'Cancelled',
  waiting: 'Waiting',
  done: 'Done',
  'already-here': 'Already here',
};

/** After a count: "4 need an MD5". */
export const countedWords: Readonly<Record<ItemState, string>> = {
  mismatch: 'mismatch',
  forbidden: 'forbidden',
  failed: 'failed',
  unknown: 'unknown',
  'needs-md5': 'need an MD5',
  cancelled: 'cancelled',
  waiting: 'waiting',
  done: 'done',
  'already-here': 'already here',
};

export const phaseWords: Readonly<Record<ActiveItem['phase'], string>> = {
  asking: 'Asking',
  receiving: 'Receiving',
  verifying: 'Verifying',
  writing: 'Writing',
};
