import { setImmediate as nextTurn } from 'node:timers/promises';
import { hashKindOf } from '../../../shared/domain/hash.ts';
import type { JobItem } from '../../../shared/domain/job.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { ItemOutcome, JobRunner, JobWork, NewItem } from '../../jobs/job-runner.ts';
import { isBrief } from '../../storage/comments/comment-thread.ts';
import { listComments } from '../../storage/library/library-records.ts';
import type { LibraryStore, NotedRecord } from '../../storage/library/library-store.ts';
import type { TriageStore } from '../../storage/library/triage-store.ts';
import { outcomeOf, type RecordReading, type RepositoryRequests } from './record-reading.ts';
import { StepSize } from './step-size.ts';

export interface TriagesOptions {
  store: TriageStore;
  library: Pick<LibraryStore, 'noteRecord' | 'commentsInSteps' | 'together'>;
  records: Pick<RecordReading, 'requests'>;
  /** A workspace's repository may be asked for the MD5 of a SHA-256. */
  mayAskForMd5(workspaceId: string): boolean;
  /**
   * The MD5 under which it has a SHA-256; null where it shows none. Throws `unknown-hash` where it has none, or why it
   * could not be asked.
   */
  md5AtServer(workspaceId: string, sha256: string, signal: AbortSignal): Promise<string | null>;
}

/** Looks up many hashes: what is known here at once, then the records of the others. No file is downloaded. */
export class Triages {
  readonly #options: TriagesOptions;

  constructor(options: TriagesOptions) {
    this.#options = options;
  }

  /** Fills a draft, or adds to what was begun. @returns how many items it has then */
  addTo(jobs: Pick<JobRunner, 'addHashes' | 'get'>, id: number, hashes: readonly string[]): Promise<number> {
    const { task, state } = jobs.get(id);
    if (task.kind !== 'triage') fail({ kind: 'job-missing', id });
    return jobs.addHashes(id, hashes, (hash) => this.#itemOf(hash), { toBegun: state !== 'draft' });
  }

  /** A sample without a record is known here, and its record is fetched. A server may know the MD5 of a SHA-256. */
  #itemOf(hash: string): NewItem {
    const known = this.#options.store.known(hash);
    if (known !== null) return { hash, md5: known.md5, ...(known.isRecorded && { state: 'already-here' as const }) };
    const kind = hashKindOf(hash);
    return { hash, md5: kind === 'md5' ? hash : null, ...(kind === 'sha1' && { state: 'needs-md5' as const }) };
  }

  /** Runs a job until each of its items is done. Rejects with the error that halts it. */
  async run(work: JobWork): Promise<void> {
    const workspaceId = work.workspaceId ?? fail({ kind: 'workspace-missing', id: '' });
    const requests = await this.#options.records.requests({ workspaceId, signal: work.signal });
    await new TriageRun({ ...this.#options, work, workspaceId, requests }).run();
    requests.ended?.throwIfAborted();
  }
}

interface TriageRunOptions extends TriagesOptions {
  work: JobWork;
  workspaceId: string;
  requests: RepositoryRequests;
}

/** What is known of an item once it was asked for. */
interface Answer {
  outcome: ItemOutcome;
  record: NotedRecord | null;
}

/** Items taken at a time, and how many of them wait for a place to ask: more than there are places. */
const itemsAtOnce = 200;
const askersAtOnce = 16;
/** Answers share a commit; none waits longer than this for others. */
const answersAtOnce = 16;
const waitMs = 100;

class TriageRun {
  readonly #options: TriageRunOptions;
  readonly #size = new StepSize(answersAtOnce);
  readonly #counts: Record<string, number> = {};
  #ahead: JobItem[] = [];
  #asked = 0;
  #pending: Answer[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: TriageRunOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: askersAtOnce }, () => this.#askEach()));
    this.#flush();
    await this.#writing;
    if (this.#asked > 0) this.#note(this.#outcome(), this.#results());
  }

  /** A job that halts, sleeps or is stopped is not done: the next run has entries of its own. */
  #outcome(): string {
    const ended = this.#options.requests.ended;
    if (ended === null) return 'done';
    return ended.reason instanceof FailureError ? ended.reason.failure.kind : 'cancelled';
  }

  #results(): Record<string, number> {
    const { done, unknown, forbidden, failed } = this.#counts;
    const counts = { requests: this.#asked, records: done, unknown, forbidden, failed };
    return Object.fromEntries(
      Object.entries(counts).flatMap(([name, count]) => (count === undefined ? [] : [[name, count]])),
    );
  }

  async #askEach(): Promise<void> {
    const { requests } = this.#options;
    try {
      for (let item = this.#next(); item !== null && !requests.begin.aborted; item = this.#next())
        this.#keep(await this.#answerFor(item));
    } catch (error) {
      requests.end(error);
    }
  }

  #next(): JobItem | null {
    if (this.#ahead.length === 0) this.#ahead = this.#options.work.take(itemsAtOnce);
    return this.#ahead.shift() ?? null;
  }

  async #answerFor(item: JobItem): Promise<Answer> {
    const { store, workspaceId } = this.#options;
    const { position, hash } = item;
    const known = store.known(hash);
    const settled = (outcome: Omit<ItemOutcome, 'position'>): Answer => ({
      outcome: { position, ...outcome },
      record: null,
    });
    if (known?.isRecorded === true) return settled({ state: 'already-here', md5: known.md5 });
    const md5 = item.md5 ?? known?.md5 ?? (await this.#md5AtServer(item));
    if (typeof md5 !== 'string') return settled(md5);
    const answer = await this.#active(item, () => this.#options.requests.record(md5));
    return answer.ok
      ? { outcome: { position, state: 'done', md5 }, record: { workspaceId, md5, record: answer.value } }
      : settled({ state: outcomeOf(answer.failure), md5, failure: answer.failure });
  }

  async #md5AtServer(item: JobItem): Promise<string | Omit<ItemOutcome, 'position'>> {
    const { requests, mayAskForMd5, md5AtServer, workspaceId } = this.#options;
    const { hash } = item;
    const needsMd5: Failure = { kind: 'needs-md5', hash };
    const answer =
      hashKindOf(hash) === 'sha256' && mayAskForMd5(workspaceId)
        ? await this.#active(item, () => requests.ask((_, signal) => md5AtServer(workspaceId, hash, signal)))
        : null;
    if (answer?.ok === false && answer.failure.kind !== 'needs-md5')
      return { state: outcomeOf(answer.failure), failure: answer.failure };
    return (answer?.ok === true ? answer.value : null) ?? { state: 'needs-md5', failure: needsMd5 };
  }

  /** The first request is in the journal before it is sent. */
  async #active<T>({ position, hash }: JobItem, ask: () => Promise<T>): Promise<T> {
    const { work } = this.#options;
    if (this.#asked === 0) this.#note('begun', {});
    this.#asked += 1;
    work.active(position, { position, hash, phase: 'asking', receivedBytes: 0, totalBytes: null });
    try {
      return await ask();
    } catch (error) {
      work.active(position, null);
      throw error;
    }
  }

  #note(outcome: string, detail: Record<string, number>): void {
    const { store, work, workspaceId } = this.#options;
    store.note(workspaceId, outcome, { job: work.id, ...detail });
  }

  #keep(answer: Answer): void {
    this.#pending.push(answer);
    if (this.#pending.length >= answersAtOnce) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), waitMs);
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing
      .then(() => this.#write())
      .catch((error: unknown) => this.#options.requests.end(error));
  }

  async #write(): Promise<void> {
    const { library } = this.#options;
    while (this.#pending.length > 0) {
      const answers = this.#pending.splice(0, this.#size.now);
      this.#size.step(() => library.together(() => this.#commit(answers)));
      // Of so many comments the record was kept without them.
      for (const { record } of answers)
        if (record !== null && !isBrief(record.record.comments)) await listComments(library, record);
      await nextTurn();
    }
  }

  #commit(answers: readonly Answer[]): void {
    const { library, work } = this.#options;
    for (const { record } of answers) if (record !== null) library.noteRecord(record);
    work.settle(answers.map(({ outcome }) => outcome));
    for (const { outcome } of answers) this.#counts[outcome.state] = (this.#counts[outcome.state] ?? 0) + 1;
  }
}
