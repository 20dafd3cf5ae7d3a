import type { ItemState, JobItem } from '../../../shared/domain/job.ts';
import { remarkText } from '../../../shared/domain/opened-archive.ts';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure.ts';
import { exitCodeOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { reasonOf } from '../reason.ts';
import type { Column } from '../records.ts';
import { givenLabels, type LabelName, type UploadLabels } from './upload-labels.ts';

/** What became of one file. */
export interface UploadOutcome {
  file: string;
  md5: string | null;
  sha256: string | null;
  /** `opened`: an archive whose members were sent; `left-out`: a member that was not asked for. */
  outcome:
    | 'stored'
    | 'already-there'
    | 'opened'
    | 'left-out'
    | 'empty'
    | 'locked'
    | Exclude<ItemState, 'done' | 'already-here'>;
  failure: Failure | null;
  /**
   * What was given for it and did not reach the repository, which had it already: it takes labels with a file alone.
   */
  notSent: LabelName[];
  /** What is unusual about it, as an archive or in one. */
  remarks: string[];
}

/**
 * Of a file that was not sent: the repository has nothing to say of it. `item` is what the upload did with its bytes.
 */
export function outcomeOf(
  file: UploadFile,
  shown: string,
  { item, labels }: { item: JobItem | undefined; labels: UploadLabels },
): UploadOutcome {
  const facts = { file: shown, md5: file.md5, sha256: file.sha256, notSent: [], remarks: file.remarks.map(remarkText) };
  if (item)
    return {
      ...facts,
      outcome: wordOf(item.state),
      failure: item.failure,
      notSent: item.state === 'already-here' ? givenLabels(labels) : [],
    };
  if (file.state === 'empty') return { ...facts, outcome: 'empty', failure: { kind: 'file-empty', name: file.name } };
  if (file.archive?.state === 'open') {
    const isEmpty = file.archive.members === 0 && file.archive.failure === null;
    return {
      ...facts,
      outcome: isEmpty ? 'failed' : 'opened',
      failure: isEmpty ? { kind: 'archive-empty', name: file.name } : file.archive.failure,
    };
  }
  if (file.archive?.state === 'locked')
    return { ...facts, outcome: 'locked', failure: { kind: 'archive-password', name: file.name } };
  const failure = file.failure ?? file.archive?.failure ?? null;
  if (failure === null && file.remarks.some(({ kind }) => kind === 'link'))
    return { ...facts, outcome: 'left-out', failure };
  return { ...facts, outcome: 'failed', failure: failure ?? { kind: 'upload-file-missing', id: file.id } };
}

function wordOf(state: ItemState): UploadOutcome['outcome'] {
  if (state === 'done') return 'stored';
  return state === 'already-here' ? 'already-there' : state;
}

const isAsMeant = ({ outcome }: UploadOutcome): boolean => outcome === 'opened' || outcome === 'left-out';
const isThere = ({ outcome }: UploadOutcome): boolean => outcome === 'stored' || outcome === 'already-there';

export const outcomeColumns: readonly Column<UploadOutcome>[] = [
  { head: 'STATUS', value: ({ outcome }) => outcome, isOwn: true },
  { head: 'MD5', value: ({ md5 }) => md5, cut: 'hash', isOwn: true },
  { head: 'FILE', value: ({ file }) => file, cut: 'text', isMain: true, isOwn: true },
  { head: 'DETAILS', value: (outcome) => detailsOf(outcome).join('; '), cut: 'text', isOwn: true },
];

const detailsOf = ({ failure, notSent, remarks }: UploadOutcome): string[] => [
  ...remarks,
  ...(failure === null ? [] : [reasonOf(failure)]),
  ...(notSent.length === 0 ? [] : [`not sent: ${notSent.map((name) => `--${name}`).join(', ')}`]),
];

export const isProblem = (outcome: UploadOutcome): boolean => codeOf(outcome) !== exitCodes.done;

export function codeOf(outcome: UploadOutcome): ExitCode {
  if (isThere(outcome) || (isAsMeant(outcome) && outcome.failure === null)) return exitCodes.done;
  if (outcome.outcome === 'cancelled') return exitCodes.interrupted;
  if (outcome.outcome === 'forbidden') return exitCodes.notAllowed;
  return outcome.failure === null ? exitCodes.failed : exitCodeOf(outcome.failure);
}

/** For standard error: how many are where they should be. */
export function summaryOf(outcomes: readonly UploadOutcome[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count.toLocaleString('en')} ${outcome.replace('-', ' ')}`).join(', ');
}
