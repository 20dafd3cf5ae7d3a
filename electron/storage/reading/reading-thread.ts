import type { Worker } from 'node:worker_threads';
import type { CommentThread } from '../../../shared/domain/comment.ts';
import type { ItemFilter, ItemSort, JobItem } from '../../../shared/domain/job.ts';
import type { JournalFilter, JournalLine, JournalWorkspace } from '../../../shared/domain/journal.ts';
import type { LibraryRow, LibrarySelection, LibrarySort, LibraryTotal } from '../../../shared/domain/library.ts';
import type { QueryTerm, suggestedKinds } from '../../../shared/domain/query-fields.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import type { ScanFilter, ScanGroup, ScannedFile, ScanSummary, VaultSample } from '../../../shared/domain/scan.ts';
import type {
  TriageCounts,
  TriageFilter,
  TriageRow,
  TriageSelected,
  TriageSort,
  TriageTicked,
  TriageTicks,
} from '../../../shared/domain/triage.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { startWorker } from '../../base/workers.ts';
import type { CheckKeys, CheckPlace, CheckStep } from '../journal/journal-check.ts';
import type { StoredJournalRow } from '../journal/journal-rows.ts';
import type { CoverageAnswer, CoverageRequest } from '../scans/coverage-reading.ts';

/** The list that a question is about, and its viewer, who views one list at a time. */
interface RequestedList {
  asker: string;
  key: string;
}

interface PendingRequest {
  question: { number: number; name: ReadingName; request: object };
  list: RequestedList | null;
  resolve: (answer: never) => void;
  reject(error: Error): void;
}

/** What readers use of the thread. */
export type ReadingPort = Pick<ReadingThread, 'request' | 'close' | 'prepare'>;

/**
 * A thread that reads the database beside the host's, for questions that take longer than the host's thread may be
 * blocked. It starts with the first question; a crashed one is started again. It answers one question at a time, and
 * computes counts when no one waits for anything else.
 */
export class ReadingThread {
  readonly #path: string;
  #waiting: PendingRequest[] = [];
  #running: PendingRequest | null = null;
  #worker: Worker | null = null;
  #nextNumber = 1;
  #isClosed = false;

  /** `path`: the database file. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Called when a question is expected soon. */
  prepare(): void {
    if (this.#isClosed || this.#worker !== null) return;
    this.#worker = this.#start();
    this.#worker.unref();
  }

  /**
   * A waiting question about a list fails with `cancelled` when its asker asks about another one: typing produces
   * questions faster than a large library answers them. Fails with `worker-ended`, `cancelled`, or as the reading does.
   */
  async request<K extends ReadingName>(
    name: K,
    request: Readings[K]['request'],
    list: RequestedList | null = null,
  ): Promise<Readings[K]['answer']> {
    const { promise, resolve, reject } = Promise.withResolvers<Readings[K]['answer']>();
    if (this.#isClosed) {
      reject(new FailureError({ kind: 'cancelled' }));
      return promise;
    }
    if (list !== null) this.#overtake(list);
    this.#waiting.push({ question: { number: this.#nextNumber++, name, request }, list, resolve, reject });
    this.#startNext();
    return promise;
  }

  /** What is asked still fails with `cancelled`. Resolves when the thread is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#end(new FailureError({ kind: 'cancelled' }));
    await worker?.terminate();
  }

  #overtake(by: RequestedList): void {
    const isOvertaken = ({ list }: PendingRequest): boolean =>
      list !== null && list.asker === by.asker && list.key !== by.key;
    const overtaken = this.#waiting.filter(isOvertaken);
    this.#waiting = this.#waiting.filter((asked) => !isOvertaken(asked));
    for (const { reject } of overtaken) reject(new FailureError({ kind: 'cancelled' }));
  }

  #startNext(): void {
    if (this.#running !== null) return;
    const next = this.#takeNext();
    if (next === undefined) {
      this.#worker?.unref();
      return;
    }
    this.#running = next;
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    worker.postMessage(next.question);
  }

  #takeNext(): PendingRequest | undefined {
    const prompt = this.#waiting.findIndex(({ question }) => question.name !== 'libraryTotal');
    return this.#waiting.splice(Math.max(0, prompt), 1)[0];
  }

  #start(): Worker {
    const worker: Worker = startWorker({
      entry: './reading-worker',
      beside: import.meta.url,
      youngMiB: 8,
      onEnd: (code) => this.#crashed(worker, code),
      workerData: { path: this.#path },
    });
    worker.on('message', (message: FromReader<never>) => this.#answered(message));
    return worker;
  }

  #answered({ number, answer }: FromReader<never>): void {
    const asked = this.#running;
    // An answer may be on its way while its thread crashes: the caller already got an error.
    if (asked?.question.number !== number) return;
    this.#running = null;
    if (answer.kind === 'failed') asked.reject(new FailureError(answer.failure));
    else if (answer.kind === 'defect') asked.reject(new Error(answer.text));
    else asked.resolve(answer.value);
    this.#startNext();
  }

  #crashed(worker: Worker, code: string): void {
    if (this.#worker === worker)
      this.#end(new FailureError({ kind: 'worker-ended', task: 'reading the database', code }));
  }

  #end(error: FailureError): void {
    const asked = [...(this.#running === null ? [] : [this.#running]), ...this.#waiting];
    this.#worker = null;
    this.#running = null;
    this.#waiting = [];
    for (const { reject } of asked) reject(error);
  }
}

/** One window of a job's items. */
export interface ItemsRequest {
  id: number;
  filter: ItemFilter;
  sort: ItemSort;
  offset: number;
  limit: number;
}

export interface ItemsAnswer {
  items: JobItem[];
  /** How many match in all. */
  total: number;
}

/** The next items behind a position, by position. */
export interface PageRequest {
  id: number;
  filter: ItemFilter;
  after: number;
  limit: number;
}

/** One window of a triage's rows: see `triage.rows` of the contract. */
export interface TriageRowsRequest {
  id: number;
  filter: TriageFilter;
  sort: TriageSort;
  moment: string;
  offset: number;
  limit: number;
}

export interface TriageRowsAnswer {
  rows: TriageRow[];
  /** How many match in all. */
  total: number;
  /** How many had their answer at the moment of the list. */
  answered: number;
  /** The rows or their order would be others by now. */
  isStale: boolean;
}

export interface TriageTickedRequest extends TriageRowsRequest {
  only: TriageTicks;
}

export interface TriageTickedAnswer {
  rows: TriageTicked[];
  /** How many are ticked in all. */
  total: number;
}

export interface TriageSelectedRequest {
  id: number;
  filter: TriageFilter;
  only: TriageTicks;
}

/** One window of a job's results. */
export interface GroupsRequest {
  jobId: number;
  by: 'file' | 'rule' | 'family';
  filter: ScanFilter;
  offset: number;
  limit: number;
}

export interface GroupsAnswer {
  groups: ScanGroup[];
  /** How many match in all. */
  total: number;
}

/** The next files of a job behind a position that match, by position. */
export interface ScanPageRequest {
  jobId: number;
  filter: ScanFilter;
  after: number;
  limit: number;
}

/** `next`: the position behind which there may be more; null: there is none. */
export interface RowsAnswer {
  files: ScannedFile[];
  next: number | null;
}
export interface TargetsAnswer {
  sha256s: string[];
  next: number | null;
}

/** The number of samples that a rule hit in their last scan, in the local engine or at the service. */
export interface RuleHits {
  /** Its key. */
  key: string;
  samples: number;
  /** UTC, ISO 8601. */
  lastHit: string;
}

/** What is kept of the hits of one rule: see `ruleFacts` of the contract. */
export interface RuleHistory {
  samples: number;
  lastHit: string | null;
  weeks: number[];
  newest: { sha256: string; name: string | null; lastHit: string }[];
}

export interface VaultRequest {
  /** Words: every one of them is in a name, hash, tag, comment or threat. */
  find: string;
  offset: number;
  limit: number;
}

export interface VaultAnswer {
  samples: VaultSample[];
  /** How many match in all. */
  total: number;
}

/** One window of a list of the library. Windows of one `moment` are of one list. */
export interface LibraryRequest {
  /** A viewer that views one list at a time. */
  asker?: string | undefined;
  terms: QueryTerm[];
  sort: LibrarySort;
  moment: string;
  offset: number;
  limit: number;
}

export interface LibraryAnswer {
  rows: LibraryRow[];
  /** How many match in all. */
  total: number;
}

/** The next samples of a selection behind a number of theirs; the first have `after` 0. */
export interface SelectionRequest {
  selection: LibrarySelection;
  after: number;
  limit: number;
}

/** `next`: the number behind which there are more; null: there are none. */
export interface FactsAnswer {
  samples: SampleFacts[];
  next: number | null;
}
export interface HashesAnswer {
  hashes: string[];
  next: number | null;
}

export interface SuggestRequest {
  kind: (typeof suggestedKinds)[number];
  beginning: string;
}

/** One window of the journal's rows, newest first. */
export interface JournalListRequest {
  /** A viewer that views one list at a time. */
  asker?: string | undefined;
  filter: JournalFilter;
  /** Rows with greater numbers are left out. */
  upTo?: number | undefined;
  offset: number;
  limit: number;
}

export interface JournalListAnswer {
  lines: JournalLine[];
  /** How many match in all. */
  total: number;
  /** Number of the first of them; null: there is none. */
  newest: number | null;
  /** How many match that were left out. */
  newer: number;
}

/** The next rows behind a number that match, as stored; null: the first ones. */
export interface JournalPageRequest {
  filter: JournalFilter;
  after: number | null;
  limit: number;
}

interface Reading<Request, Answer> {
  request: Request;
  answer: Answer;
}
interface OfJob {
  jobId: number;
  /** UTC, ISO 8601, what mutes are held against. */
  now: string;
}
interface OfWorkspace {
  workspaceId: string;
}

/** Every question for the thread, with its request and its answer. */
export interface Readings {
  items: Reading<ItemsRequest, ItemsAnswer>;
  itemsPage: Reading<PageRequest, JobItem[]>;
  triageRows: Reading<TriageRowsRequest, TriageRowsAnswer>;
  triageCounts: Reading<{ id: number }, TriageCounts>;
  triageSelected: Reading<TriageSelectedRequest, TriageSelected>;
  triageTicked: Reading<TriageTickedRequest, TriageTickedAnswer>;
  summary: Reading<OfJob, ScanSummary>;
  groups: Reading<GroupsRequest & OfJob, GroupsAnswer>;
  file: Reading<OfJob & { position: number }, ScannedFile>;
  files: Reading<OfJob & { positions: readonly number[] }, ScannedFile[]>;
  rows: Reading<ScanPageRequest & OfJob, RowsAnswer>;
  targets: Reading<ScanPageRequest & OfJob, TargetsAnswer>;
  vault: Reading<VaultRequest, VaultAnswer>;
  ruleHits: Reading<OfWorkspace, RuleHits[]>;
  ruleHistory: Reading<OfWorkspace & { key: string; now: string }, RuleHistory>;
  coverage: Reading<CoverageRequest, CoverageAnswer>;
  thread: Reading<OfWorkspace & { md5: string }, CommentThread>;
  libraryList: Reading<LibraryRequest, LibraryAnswer>;
  libraryTotal: Reading<{ terms: QueryTerm[] }, LibraryTotal>;
  libraryFacts: Reading<SelectionRequest, FactsAnswer>;
  libraryHashes: Reading<SelectionRequest, HashesAnswer>;
  libraryChoices: Reading<SuggestRequest, string[]>;
  journalList: Reading<JournalListRequest, JournalListAnswer>;
  journalWorkspaces: Reading<object, JournalWorkspace[]>;
  journalPosition: Reading<{ number: number }, number>;
  journalRows: Reading<JournalPageRequest, StoredJournalRow[]>;
  journalCheck: Reading<{ keys: CheckKeys; from: CheckPlace; atMost: number }, CheckStep>;
}
export type ReadingName = keyof Readings;

/** The functions that answer these questions, in the thread. */
export type Answering<K extends ReadingName = ReadingName> = {
  readonly [N in K]: (request: Readings[N]['request']) => Readings[N]['answer'];
};

/** Messages between the host's thread and the reading thread; `number` identifies the question. */
export type ToReader<K extends ReadingName = ReadingName> = {
  [N in K]: { number: number; name: N; request: Readings[N]['request'] };
}[K];
/** `Value`: in the reading thread, anything; here, what the question of this number is answered with. */
export interface FromReader<Value> {
  number: number;
  answer:
    | { kind: 'answered'; value: Value }
    | { kind: 'failed'; failure: Failure }
    /** An error that means nothing to a person. */
    | { kind: 'defect'; text: string };
}
