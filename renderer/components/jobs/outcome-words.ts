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

/** After a count: "4 need an MD5", "1 needs an MD5". */
export function countedWords(state: ItemState, count: number): string {
  if (state === 'needs-md5') return count === 1 ? 'needs an MD5' : 'need an MD5';
  return outcomeWords[state].toLowerCase();
}

export const phaseWords: Readonly<Record<ActiveItem['phase'], string>> = {
  asking: 'Asking',
  receiving: 'Receiving',
  verifying: 'Verifying',
  writing: 'Writing',
};
