import {
  type ActiveItem,
  foundWords,
  isFinalJob,
  type ItemState,
  type Job,
  type JobKind,
  retryableStates,
  settledItems,
  sleepsUntil,
} from '../../../shared/domain/job.ts';
import type { HuntEstimate } from '../../../shared/domain/scan.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { formatNumber, formatRecent, formatSize } from '../format.ts';
import { text } from './strings.ts';

const notThere: readonly ItemState[] = [
  'unknown',
  'needs-md5',
  'failed',
  'refused',
  'vanished',
  'forbidden',
  'mismatch',
  'cancelled',
];

const wordsOfWhat = {
  change: 'library-change',
  bytes: 'library-forget-copies',
  all: 'library-forget',
  records: 'library-records',
} as const;

/**
 * Samples that are forgotten, or whose records are read, are not changed, though the same kind of job does all of it.
 */
function wordsFor(task: Job['task']): keyof typeof text.ends {
  if (task.kind !== 'library-change') return task.kind;
  return wordsOfWhat[task.what];
}

export const jobTitle = ({ task }: Pick<Job, 'task'>): string => text.kinds[wordsFor(task)];

/**
 * The state in a word or two; a halted job shows that it halted, a preparing one its step, and one that sleeps until
 * when.
 */
export function formatJobState(job: Pick<Job, 'state' | 'resumesAt' | 'failure' | 'step'>): string {
  const { state, failure, step } = job;
  const until = sleepsUntil(job);
  if (until !== null) return text.asleep(formatRecent(until));
  if (state === 'running' && step !== undefined) return text.steps[step];
  return state === 'paused' && failure !== null ? text.halted : text.states[state];
}

/** The same within a sentence. */
export function jobStateWithin(job: Parameters<typeof formatJobState>[0]): string {
  const words = formatJobState(job);
  return `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`;
}

/** How many items another try by itself may change. */
export const retryable = ({ counts }: Pick<Job, 'counts'>): number =>
  retryableStates.reduce((sum, state) => sum + counts[state], 0);

/** How many items ended without their sample. */
export const lacking = ({ counts }: Pick<Job, 'counts'>): number =>
  notThere.reduce((sum, state) => sum + counts[state], 0);

/** How far it is, in whole percent, by bytes where their total is known; it is 100 only when it is over. */
export function jobShare(job: Job): number | null {
  if (isFinalJob(job)) return 100;
  if (job.items === 0) return null;
  const byItems = settledItems(job) / job.items;
  const share = job.expectedBytes !== null && job.expectedBytes > 0 ? job.bytes / job.expectedBytes : byItems;
  return Math.max(0, Math.min(99, Math.floor(share * 100)));
}

/** What became of a job that is over. */
export function endSentence(job: Job): string {
  const [items, missing, there] = [formatNumber(job.items), lacking(job), job.counts.done + job.counts['already-here']];
  const words = text.ends[wordsFor(job.task)];
  if (job.state === 'cancelled') return words.cancelled(formatNumber(there), items);
  const sentence =
    missing === 0
      ? words.whole(job.items, formatNumber(job.counts.done), formatNumber(job.counts['already-here']))
      : words.part(formatNumber(missing), items);
  return job.task.kind === 'hunt' && job.task.found !== undefined
    ? `${sentence}: ${foundWords(job.task.found)}`
    : sentence;
}

/** Why they are missing, by number: "3 unknown, 1 forbidden". Empty when none is. */
export function formatMissing({ counts, task }: Pick<Job, 'counts' | 'task'>): string {
  return notThere
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatNumber(counts[state])} ${formatCounted(state, counts[state], task.kind)}`)
    .join(', ');
}

/** For a toast: the result of a job that ended unwatched. */
export function newsOf(job: Job): string {
  if (job.failure !== null && !isFinalJob(job)) return text.haltedNews(job.id, sentenceFor(job.failure).what);
  return text.news(job.id, endSentence(job));
}

const outcomeNames: Readonly<Record<ItemState, string>> = {
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
  triage: { done: 'Repository', 'already-here': 'Known here' },
  'library-add': { done: 'Added' },
  'library-change': { 'already-here': 'Unchanged', unknown: 'Skipped' },
  'case-export': { failed: 'Without sample file' },
  bundle: { failed: 'Incomplete' },
  'bundle-import': { done: 'Imported', 'already-here': 'Unchanged' },
  backup: { done: 'Copied', 'already-here': 'Already there' },
};

/** English of what became of an item. */
export const formatOutcome = (state: ItemState, kind: JobKind): string => wordsOf[kind]?.[state] ?? outcomeNames[state];

/** After a count: "4 need MD5", "1 needs MD5". */
export function formatCounted(state: ItemState, count: number, kind: JobKind): string {
  if (state === 'needs-md5') return count === 1 ? 'needs MD5' : 'need MD5';
  return formatOutcome(state, kind).toLowerCase();
}

export const phaseNames: Readonly<Record<ActiveItem['phase'], string>> = {
  asking: 'Contacting',
  receiving: 'Receiving',
  verifying: 'Verifying',
  writing: 'Writing',
  sending: 'Sending',
  scanning: 'Scanning',
};

/** `1.39 of 1.88 GiB`, and `980 KiB of 1.88 GiB` where the units differ. Input in bytes. */
export function sizePair(part: number, whole: number): string {
  const [one, all] = [formatSize(part), formatSize(whole)];
  const unit = unitOf(all);
  return `${unitOf(one) === unit ? one.slice(0, -unit.length) : one} of ${all}`;
}

const unitOf = (words: string): string => words.slice(words.lastIndexOf(' '));

/** "4,310 of 5,000 samples not yet scanned with 12 rules." English, wherever a hunt is offered. */
export function formatUnseen({ unseen, total }: Pick<HuntEstimate, 'unseen' | 'total'>): string {
  const rules = unseen.rules === 1 ? '1 rule' : `${formatNumber(unseen.rules)} rules`;
  const samples = total.samples === 1 ? '1 sample' : `${formatNumber(total.samples)} samples`;
  return `${formatNumber(unseen.samples)} of ${samples} not yet scanned with ${rules}.`;
}
