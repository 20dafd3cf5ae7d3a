import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { anyHash, md5, sha256 } from './hash.ts';
import { libraryChange } from './library.ts';
import { huntScopeKind, localEngine, scanEngines, scanPackage } from './scan.ts';
import { workspaceId } from './workspace.ts';

const count = z.number().int().nonnegative();

/** What a hunt found that is news, muted hits left out: new hits, in how many samples, and hits that are gone. */
const huntFound = z.object({ added: count, samples: count, lost: count });
export type HuntFound = z.infer<typeof huntFound>;

const plural = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** "3 new hits in 2 samples, 1 hit lost": no names, so the system may show it too. */
export function foundWords({ added, samples, lost }: HuntFound): string {
  const news =
    added === 0 ? 'no new hits' : `${plural(added, 'new hit', 'new hits')} in ${plural(samples, 'sample', 'samples')}`;
  return lost === 0 ? news : `${news}, ${plural(lost, 'hit', 'hits')} lost`;
}

/** Anything that takes time, as the person sees it: "Job 218". Numbered by the database, never reused. */
export const jobId = z.number().int().positive();

export const jobKind = z.enum([
  'bulk-download',
  'triage',
  'export',
  'upload',
  'scan',
  'hunt',
  'vault-check',
  'library-add',
  'library-change',
  'case-export',
  'bundle',
  'bundle-import',
  'backup',
]);
export type JobKind = z.infer<typeof jobKind>;

/**
 * `draft` takes items and is not shown; `waiting` will run as soon as it may, or at `resumesAt`; `paused` was paused by
 * the person, or halted by a failure that would affect other items too (`failure` is the cause). `done` and `cancelled`
 * are final, until some items are retried.
 */
const jobState = z.enum(['draft', 'waiting', 'running', 'paused', 'done', 'cancelled']);
export type JobState = z.infer<typeof jobState>;

/**
 * What became of an item. `waiting` has no outcome yet; every other one is final until it is tried again. Of an upload,
 * `done` is stored, `refused` by the service in its own words, and `vanished` was sent and is not there.
 */
export const itemStates = [
  'mismatch',
  'forbidden',
  'failed',
  'refused',
  'vanished',
  'unknown',
  'needs-md5',
  'cancelled',
  'waiting',
  'done',
  'already-here',
] as const;
/** In the order in which a list shows them: what went wrong is listed first. */
const itemState = z.enum(itemStates);
export type ItemState = z.infer<typeof itemState>;

/** What may be tried again at all: not what is there, nor what has no outcome yet. */
export const triableState = itemState.exclude(['waiting', 'done', 'already-here']);
export type TriableState = z.infer<typeof triableState>;

/** Outcomes that another try by itself may change; the others need something else to change first. */
export const retryableStates = [
  'failed',
  'refused',
  'vanished',
  'cancelled',
] as const satisfies readonly TriableState[];

export const jobItem = z.object({
  /** From 1, in the order in which the person gave them. */
  position: z.number().int().positive(),
  /** As given, lower case: an MD5, SHA-1 or SHA-256. */
  hash: anyHash,
  /** What a repository is asked with; null when it is not known. */
  md5: md5.nullable(),
  /** Known once the bytes are here. */
  sha256: sha256.nullable(),
  state: itemState,
  sizeBytes: count.nullable(),
  /** Of a file that is uploaded, else of the sample in the library; untrusted text. */
  name: z.string().nullable(),
  failure: failureSchema.nullable(),
});
export type JobItem = z.infer<typeof jobItem>;

/** An item that is being worked on right now. It is `waiting` until it is done. */
const activeItem = z.object({
  position: z.number().int().positive(),
  hash: anyHash,
  phase: z.enum(['asking', 'receiving', 'verifying', 'writing', 'sending', 'scanning']),
  receivedBytes: count,
  totalBytes: count.nullable(),
});
export type ActiveItem = z.infer<typeof activeItem>;

/** What a running job does before its first item. */
const jobStep = z.enum(['compiling']);
export type JobStep = z.infer<typeof jobStep>;

export const exportForm = z.enum(['one-zip', 'zip-each', 'raw']);
export type ExportForm = z.infer<typeof exportForm>;
/** What a case can be written as. `jsonl` is JSON Lines. */
export const caseFormat = z.enum(['misp', 'stix', 'csv', 'jsonl', 'markdown', 'html']);
export type CaseFormat = z.infer<typeof caseFormat>;

/**
 * The folder that is written to, and what was written there: a file, or the folder made for samples. null until it is
 * there.
 */
const written = { folder: z.string(), result: z.string().nullable() };

/** What a job was asked to do, as far as it is shown. A password is never part of it. */
const jobTask = z.discriminatedUnion('kind', [
  /** `records`: once it is done, the records of its samples are fetched that came without theirs. */
  z.object({ kind: z.literal('bulk-download'), records: z.boolean().optional() }),
  /** Many hashes looked up: their records, and no bytes. */
  z.object({ kind: z.literal('triage') }),
  z.object({ kind: z.literal('upload') }),
  z.object({ kind: z.literal('vault-check') }),
  /** Local files into the vault. */
  z.object({ kind: z.literal('library-add'), opensArchives: z.boolean() }),
  z.object({
    kind: z.literal('library-change'),
    /**
     * `bytes` and `all` are forgotten, and of `records` those are read that no sample came with; nothing of the rest is
     * said then.
     */
    what: z.enum(['change', 'bytes', 'all', 'records']),
    ...libraryChange.pick({ add: true, remove: true, tlp: true, whereTlp: true }).shape,
    /** The note itself may be long, and is not sent. */
    addsNote: z.boolean(),
  }),
  z.object({
    kind: z.literal('export'),
    form: exportForm,
    ...written,
  }),
  z.object({
    kind: z.literal('case-export'),
    format: caseFormat,
    title: z.string(),
    withSamples: z.boolean(),
    ...written,
  }),
  z.object({ kind: z.literal('bundle'), title: z.string(), ...written }),
  /** `name` is that of the bundle's file; untrusted text. */
  z.object({ kind: z.literal('bundle-import'), name: z.string() }),
  /**
   * `folder` is the backup itself; `from` the data directory, if known: in another one, of copied data, the job does
   * not resume.
   */
  z.object({ kind: z.literal('backup'), folder: z.string(), from: z.string().optional() }),
  z.object({
    kind: z.literal('scan'),
    engines: scanEngines,
    /** The local engine of the job; null until one began, or if none is used. */
    local: localEngine.nullable(),
    package: scanPackage.nullable(),
    /** The name of the file, where it is one; untrusted text. */
    name: z.string().nullable(),
    /** Of files from the watched folder: its end is reported with them. */
    isWatched: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('hunt'),
    scope: huntScopeKind,
    local: localEngine.nullable(),
    package: scanPackage,
    /** How many rules it looks with, and the first twenty of their names. */
    rules: count,
    names: z.array(z.string()),
    against: z.string().nullable(),
    /** Known once it has ended. */
    found: huntFound.optional(),
  }),
]);
export type JobTask = z.infer<typeof jobTask>;

/** Times are UTC, ISO 8601. */
export const job = z.object({
  id: jobId,
  task: jobTask,
  workspaceId: workspaceId.nullable(),
  state: jobState,
  created: z.string(),
  started: z.string().nullable(),
  ended: z.string().nullable(),
  /**
   * Of a waiting job that sleeps: when it runs again by itself, since the service asked for a pause or is unavailable;
   * `failure` is its answer.
   */
  resumesAt: z.string().nullable(),
  /** How many items are in each state; they add up to `items`. */
  counts: z.record(itemState, count),
  items: count,
  /** Bytes that came or went, over all runs. `expectedBytes` is null until a total is known. */
  bytes: count,
  expectedBytes: count.nullable(),
  bytesPerSecond: z.number().nonnegative(),
  secondsLeft: z.number().nonnegative().nullable(),
  /** Bytes a second, oldest first, one value for each `secondsEach` of running time; at most 240 values. */
  throughput: z.object({ secondsEach: z.number().positive(), values: z.array(z.number().nonnegative()) }),
  active: z.array(activeItem),
  /** Left out once it works on items. */
  step: jobStep.optional(),
  /** What halted the job as a whole. */
  failure: failureSchema.nullable(),
  /**
   * Failures that belong to no item, such as an archive entry that was not requested; at most twenty, then counted
   * only.
   */
  notices: z.array(failureSchema),
  noticeCount: count,
});
export type Job = z.infer<typeof job>;

export const itemSort = z.object({
  column: z.enum(['position', 'hash', 'state', 'sizeBytes']),
  descending: z.boolean(),
});
export type ItemSort = z.infer<typeof itemSort>;

/** Which items of a job are meant. An empty list of states means all; `find` is a part of a hash or a name. */
export const itemFilter = z.object({
  states: z.array(itemState),
  find: z.string().max(64, 'at most 64 characters'),
});
export type ItemFilter = z.infer<typeof itemFilter>;

/** When a job that waits for a service resumes by itself; null: it does not sleep, whatever is stored of a pause. */
export const sleepsUntil = ({ state, resumesAt }: Pick<Job, 'state' | 'resumesAt'>): string | null =>
  state === 'waiting' ? resumesAt : null;
export const isAsleep = (one: Pick<Job, 'state' | 'resumesAt'>): boolean => sleepsUntil(one) !== null;

/** Seconds: no pause of a sleeping job is longer, unless its service asks for more. */
export const longestOwnPause = 15 * 60;

export const isFinalJob = ({ state }: Pick<Job, 'state'>): boolean => state === 'done' || state === 'cancelled';
/** Nothing of it happens before the end of its pause, or before a person does something. */
export const isAtRest = (one: Pick<Job, 'state' | 'resumesAt'>): boolean =>
  isFinalJob(one) || one.state === 'paused' || isAsleep(one);
/** Jobs whose items are counted, and not listed: they may be a million. */
const counted: ReadonlySet<JobKind> = new Set([
  'library-add',
  'library-change',
  'case-export',
  'bundle',
  'bundle-import',
  'backup',
]);
export const listsItems = ({ task }: Pick<Job, 'task'>): boolean => !counted.has(task.kind);
/** Items that are done. */
export const settledItems = ({ items, counts }: Pick<Job, 'items' | 'counts'>): number => items - counts.waiting;
