import type { ActiveItem, ItemState, JobKind } from '../../../shared/domain/job.ts';

const outcomeWords: Readonly<Record<ItemState, string>> = {
  mismatch: 'Mismatch',
  forbidden: 'Forbidden',
  failed: 'Failed',
  refused: 'Refused',
  vanished: 'Missing',
  unknown: 'Unknown',
  'needs-md5': 'Needs MD5',
  cancelled: 'Cancelled',
  waiting: 'Waiting',
  done: 'Done',
  'already-here': 'Already here',
};

/** An upload goes the other way, and a scan and a check move nothing. */
const wordsOf: Partial<Record<JobKind, Partial<Record<ItemState, string>>>> = {
  upload: { done: 'Stored', 'already-here': 'Already there' },
  scan: { done: 'Scanned' },
  hunt: { done: 'Scanned' },
  'vault-check': { done: 'Intact', mismatch: 'Modified', vanished: 'Missing' },
  'library-add': { done: 'Added' },
  'library-change': { 'already-here': 'Unchanged', unknown: 'Skipped' },
  'case-export': { failed: 'Without sample file' },
  bundle: { failed: 'Incomplete' },
  'bundle-import': { done: 'Imported', 'already-here': 'Unchanged' },
  backup: { done: 'Copied', 'already-here': 'Already there' },
};

/** English of what became of an item. */
export const outcomeWord = (state: ItemState, kind: JobKind): string => wordsOf[kind]?.[state] ?? outcomeWords[state];

/** After a count: "4 need MD5", "1 needs MD5". */
export function countedWords(state: ItemState, count: number, kind: JobKind): string {
  if (state === 'needs-md5') return count === 1 ? 'needs MD5' : 'need MD5';
  return outcomeWord(state, kind).toLowerCase();
}

export const phaseWords: Readonly<Record<ActiveItem['phase'], string>> = {
  asking: 'Contacting',
  receiving: 'Receiving',
  verifying: 'Verifying',
  writing: 'Writing',
  sending: 'Sending',
  scanning: 'Scanning',
};
