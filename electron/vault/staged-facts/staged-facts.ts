import type { Hashes } from '../../../shared/domain/hash.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { Staging } from '../staging.ts';
import type { StagedSource } from '../staging/staged-bytes.ts';
import { WorkerClient } from '../worker-client.ts';

/** One worker that reads staged files. */
class FactsThread extends WorkerClient<ToFacts, FromFacts> {
  constructor() {
    super({ entry: './facts-worker', beside: import.meta.url, task: 'reading files' });
  }
}

/** A message between threads costs as much as a small file: many of them share one. */
const batchFiles = 64;
/** A batch ends with the file that brings it here, so that no thread is left with all the large ones. */
const batchBytes = 8 * 1024 * 1024;

interface FileBatch {
  orders: FileOrder[];
  /** Nothing is staged under these ids. */
  unknown: UnreadFile[];
}

/** Made as they are asked for: where a file lies is looked up when its turn comes. */
function* batchesOf(
  files: readonly { id: string }[],
  sourceOf: (id: string) => StagedSource | null,
): Generator<FileBatch, void, void> {
  let batch: FileBatch = { orders: [], unknown: [] };
  let bytes = 0;
  for (const { id } of files) {
    const source = sourceOf(id);
    if (source === null) batch.unknown.push({ id, reason: 'gone', code: '' });
    else batch.orders.push({ id, source });
    bytes += source?.kind === 'in-place' ? source.sizeBytes : 0;
    if (batch.orders.length + batch.unknown.length < batchFiles && bytes < batchBytes) continue;
    yield batch;
    batch = { orders: [], unknown: [] };
    bytes = 0;
  }
  if (batch.orders.length + batch.unknown.length > 0) yield batch;
}

/**
 * Facts about staged files, read in threads. Both resolve when all results were reported; they reject with an error
 * thrown by `onResults`, with `cancelled` as soon as the signal is aborted, or with `worker-ended`, and report nothing
 * after that.
 */
export interface StagedFacts {
  /**
   * MD5, SHA-1 and SHA-256, a batch at a time in any order. For a file that cannot be read, the result is the reason.
   */
  hash(
    files: readonly { id: string }[],
    signal: AbortSignal,
    onResults: (results: readonly HashedFile[]) => void,
  ): Promise<void>;
  /** Type by content, byte strip, and whether it is a ZIP to be opened. */
  inspect(
    files: readonly { id: string }[],
    signal: AbortSignal,
    onResults: (results: readonly InspectedFile[]) => void,
  ): Promise<void>;
  /** Ends the threads; calls under way fail as `cancelled`. */
  close(): Promise<void>;
}

interface StagedFactsOptions {
  /** At most so many at a time; two, where it is left out. */
  threads?: number;
}

export function openStagedFacts(
  staging: Pick<Staging, 'sourceOf'>,
  { threads = 2 }: StagedFactsOptions = {},
): StagedFacts {
  return new ThreadedFacts(staging, threads);
}

/** A call under way. */
interface Call {
  task: ToFacts['task'];
  batches: Generator<FileBatch, void, void>;
  onResults(answer: FromFacts, unknown: readonly UnreadFile[]): void;
  stop: StopWord;
}

/** One that is worked on, and the next one. */
const batchesAhead = 2;
/** A person who adds files once does so again soon. In milliseconds. */
const keptMs = 60_000;

/**
 * Threads start with the first files that need them, end when nothing was asked for a while, and are replaced when they
 * end by themselves.
 */
class ThreadedFacts implements StagedFacts {
  readonly #staging: Pick<Staging, 'sourceOf'>;
  readonly #threadsAtMost: number;
  #threads: FactsThread[] = [];
  #calls = 0;
  #idleEnd: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(staging: Pick<Staging, 'sourceOf'>, threadsAtMost: number) {
    this.#staging = staging;
    this.#threadsAtMost = threadsAtMost;
  }

  async hash(
    files: readonly { id: string }[],
    signal: AbortSignal,
    onResults: (results: readonly HashedFile[]) => void,
  ): Promise<void> {
    await this.#run(signal, {
      ...this.#callFor(files),
      task: 'hash',
      onResults: (answer, unknown) => {
        if (answer.task === 'hash') onResults([...unknown, ...answer.results]);
      },
    });
  }

  async inspect(
    files: readonly { id: string }[],
    signal: AbortSignal,
    onResults: (results: readonly InspectedFile[]) => void,
  ): Promise<void> {
    await this.#run(signal, {
      ...this.#callFor(files),
      task: 'inspect',
      onResults: (answer, unknown) => {
        if (answer.task === 'inspect') onResults([...unknown, ...answer.results]);
      },
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idleEnd ?? undefined);
    await this.#endThreads();
  }

  #callFor(files: readonly { id: string }[]): Pick<Call, 'batches' | 'stop'> {
    return {
      batches: batchesOf(files, (id) => this.#staging.sourceOf(id)),
      stop: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    };
  }

  async #run(signal: AbortSignal, call: Call): Promise<void> {
    if (this.#closed || signal.aborted) fail({ kind: 'cancelled' });
    const cancelled = Promise.withResolvers<never>();
    const cancel = (): void => cancelled.reject(new FailureError({ kind: 'cancelled' }));
    signal.addEventListener('abort', cancel, { once: true });
    this.#calls += 1;
    clearTimeout(this.#idleEnd ?? undefined);
    try {
      await Promise.race([cancelled.promise, this.#share(call)]);
    } finally {
      signal.removeEventListener('abort', cancel);
      Atomics.store(call.stop, 0, 1);
      this.#calls -= 1;
      if (this.#calls === 0 && !this.#closed) this.#idleEnd = setTimeout(() => void this.#endThreads(), keptMs).unref();
    }
  }

  async #share(call: Call): Promise<void> {
    const pulls: Promise<void>[] = [];
    while (pulls.length < this.#threadsAtMost * batchesAhead) {
      const first = call.batches.next();
      if (first.done) break;
      pulls.push(this.#pull(call, this.#nextThread(), first.value));
    }
    await Promise.all(pulls);
  }

  /** Gives the thread one batch after the other. */
  async #pull(call: Call, thread: FactsThread, first: FileBatch): Promise<void> {
    for (
      let batch: FileBatch | undefined = first;
      batch !== undefined;
      batch = call.batches.next().value ?? undefined
    ) {
      const answer = await thread.request((number) => ({
        number,
        task: call.task,
        files: batch.orders,
        stop: call.stop,
      }));
      if (Atomics.load(call.stop, 0) !== 0) return;
      call.onResults(answer, batch.unknown);
    }
  }

  /** The one with the least to do. A second one starts only when the first is at work: each costs memory. */
  #nextThread(): FactsThread {
    const running = this.#threads
      .filter(({ isAlive }) => isAlive)
      .toSorted((one, other) => one.pending - other.pending);
    this.#threads = running;
    const [least] = running;
    if (least && (least.pending === 0 || running.length >= this.#threadsAtMost)) return least;
    const thread = new FactsThread();
    running.push(thread);
    return thread;
  }

  async #endThreads(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

/**
 * `code` is the system's name of the error, or `damaged` for a container, or empty where there is nothing more to say.
 */
export interface UnreadFile {
  id: string;
  reason: 'gone' | 'changed' | 'unreadable';
  code: string;
}

export type HashedFile = { id: string; hashes: Hashes; sizeBytes: number } | UnreadFile;

/** `mime` is by content, null where it is of no known type; `strip` is a `ByteStrip`, null for an empty file. */
export type InspectedFile = { id: string; mime: string | null; strip: string | null; isZip: boolean } | UnreadFile;

/** Messages between the caller that needs facts and a worker that reads staged files. */

interface FileOrder {
  id: string;
  source: StagedSource;
}

/**
 * One word of shared memory, not 0 once the answer is no longer wanted: a worker that reads receives no messages
 * meanwhile.
 */
type StopWord = Int32Array<SharedArrayBuffer>;

export interface ToFacts {
  number: number;
  task: 'hash' | 'inspect';
  files: FileOrder[];
  stop: StopWord;
}

/** Of a stopped order some files, or none, are missing. */
export type FromFacts =
  | { number: number; task: 'hash'; results: HashedFile[] }
  | { number: number; task: 'inspect'; results: InspectedFile[] };
