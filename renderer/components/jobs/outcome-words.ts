import type { ActiveItem, ItemState, JobKind } from '../../../shared/domain/job.ts';

const outcomeWords: Readonly<Record<ItemState, string>> = {
  mismatch: 'Mismatch',
  forbidden: 'Forbidden',
  failed: 'Failed',
  refused: 'Refused',
  vanished: 'Vanished',
  unknown: 'Unknown',
  'needs-md5': 'Needs an MD5',
  cancelled: 'Cancelled',
  waiting: 'Waiting',
  done: 'Done',
  'already-here': 'Already here',
};

/** An upload goes the other way, and a scan and a check move nothing. */
const wordsOf: Partial<Record<JobKind, Partial<Record<ItemState, string>>>> = {
  upload: { done: 'Stored', 'already-here': 'Already there' },
  scan: { done: 'Scanned' },
  hunt: { done: 'Hunted' },
  'vault-check': { done: 'Sound', mismatch: 'Altered', vanished: 'Missing' },
  'library-add': { done: 'Added' },
  'library-change': { 'already-here': 'Nothing to do', unknown: 'Left out' },
  'case-export': { failed: 'Without its bytes' },
  bundle: { failed: 'Not whole' },
  'bundle-import': { done: 'Taken in', 'already-here': 'As it was' },
  backup: { done: 'Copied', 'already-here': 'There already' },
};

/** English of what became of an item. */
export const outcomeWord = (state: ItemState, kind: JobKind): string => wordsOf[kind]?.[state] ?? outcomeWords[state];

/** After a count: "4 need an MD5", "1 needs an MD5". */
export function countedWords(state: ItemState, count: number, kind: JobKind): string {
  if (state === 'needs-md5') return count === 1 ? 'needs an MD5' : 'need an MD5';
  return outcomeWord(state, kind).toLowerCase();
}

export const phaseWords: Readonly<Record<ActiveItem['phase'], string>> = {
  asking: 'Asking',
  receiving: 'Receiving',
  verifying: 'Verifying',
  writing: 'Writing',
  sending: 'Sending',
  scanning: 'Scanning',
};
