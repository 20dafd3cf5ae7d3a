import type { Worker } from 'node:worker_threads';
import type {
  BundledRecord,
  BundledRules,
  BundledSample,
  BundleFacts,
  BundleSigner,
} from '../../../shared/domain/bundle.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { BundleManifest, PassphraseCost } from '../../archive/bundle/bundle-format.ts';
import { startWorker } from '../../base/workers.ts';
import type { SampleSource } from '../../vault/sample-source.ts';
import type { StagedSource } from '../../vault/staging/staged-bytes.ts';
import type { HashList } from './hash-list.ts';

/** Messages that wait for a consumer, which takes them one by one. */
export class Inbox<T> {
  readonly #held: T[] = [];
  #waiting: PromiseWithResolvers<T> | null = null;
  #failed: { error: unknown } | null = null;

  push(message: T): void {
    if (this.#waiting === null) this.#held.push(message);
    else this.#waiting.resolve(message);
    this.#waiting = null;
  }

  /** Held messages are still given out; a consumer that waits for more gets this error. */
  fail(error: unknown): void {
    this.#failed ??= { error };
    this.#waiting?.reject(error);
    this.#waiting = null;
  }

  async next(): Promise<T> {
    const held = this.#held.shift();
    if (held !== undefined) return held;
    if (this.#failed) throw this.#failed.error;
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }
}

interface ThreadOrder {
  entry: './bundle-writing-worker' | './bundle-reading-worker';
  workerData: unknown;
  /** What failures call it. */
  task: string;
  signal: AbortSignal;
}

/**
 * A worker that does one thing and is ended behind it. Its messages are taken one by one; what it asks is answered by
 * `post`.
 */
class BundleWorker<In, Out> {
  readonly #inbox = new Inbox<Out>();
  readonly #worker: Worker;
  readonly #signal: AbortSignal;
  readonly #stop = (): void => this.#inbox.fail(this.#signal.reason);

  constructor({ entry, workerData, task, signal }: ThreadOrder) {
    this.#signal = signal;
    this.#worker = startWorker({
      entry,
      beside: import.meta.url,
      workerData,
      onEnd: (code) => this.#inbox.fail(new FailureError({ kind: 'worker-ended', task, code })),
    });
    this.#worker.on('message', (message: Out) => this.#inbox.push(message));
    if (signal.aborted) this.#stop();
    signal.addEventListener('abort', this.#stop);
  }

  post(message: In, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** @throws FailureError `worker-ended`; the signal's reason */
  async next(): Promise<Out> {
    this.#signal.throwIfAborted();
    return this.#inbox.next();
  }

  /** Resolves when it holds no file open. */
  async end(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop);
    await this.#worker.terminate();
  }
}

export type ReadingNews = Exclude<FromReader, { kind: 'failed' }>;

/**
 * Reads a bundle in a separate thread, and reports what it finds: `looked` or `taken` last. What came is handled when
 * the next is requested. Left early, it stops.
 *
 * @throws FailureError `worker-ended`, why the bundle is refused; the signal's reason
 */
export async function* readBundle(order: ReadingOrder, signal: AbortSignal): AsyncGenerator<ReadingNews, void, void> {
  const thread = new BundleWorker<ToReader, FromReader>({
    entry: './bundle-reading-worker',
    workerData: order,
    task: 'reading a bundle',
    signal,
  });
  try {
    for (;;) {
      const message = await thread.next();
      if (message.kind === 'failed') throw new FailureError(message.failure);
      const handledBytes = bytesIn(message);
      yield message;
      if (message.kind === 'looked' || message.kind === 'taken') return;
      if (handledBytes > 0) thread.post({ handledBytes });
    }
  } finally {
    await thread.end();
  }
}

/** Before it is handled: who takes the bytes may take them away. */
function bytesIn(message: FromReader): number {
  if (message.kind === 'sample' || message.kind === 'border') return message.sentBytes;
  return message.kind === 'whole' || message.kind === 'piece' ? countedBytes(message.bytes.length) : 0;
}

export interface BundleContent {
  hashes: HashList;
  /** Where the bytes of some of them are, if they go along. */
  sourcesOf(sha256s: readonly string[]): SampleSource[];
  rules: { facts: BundledRules; bytes(): AsyncIterable<Uint8Array> } | null;
}

export type WritingNews = Exclude<FromWriter, { kind: 'next' | 'next-to-count' }>;

/**
 * Writes a bundle in a separate thread, and reports the results: `finished` last. A piece that is `sealed` is gone when
 * the next is requested. Left early, it stops; what it wrote into a file is the caller's to remove.
 *
 * @throws FailureError `worker-ended`, what the rules throw; the signal's reason
 */
export async function* writeBundle(
  order: WritingOrder,
  content: BundleContent,
  signal: AbortSignal,
): AsyncGenerator<WritingNews, void, void> {
  const thread = new BundleWorker<ToWriter, FromWriter>({
    entry: './bundle-writing-worker',
    workerData: order,
    task: 'writing a bundle',
    signal,
  });
  const [answers, counted] = [answersOf(content), content.hashes.pages(countedAPage)];
  try {
    for (;;) {
      const message = await thread.next();
      if (message.kind === 'next') thread.post((await answers.next()).value ?? { kind: 'end' });
      else if (message.kind === 'next-to-count') thread.post(hashesOf(counted.next().value));
      else yield message;
      if (message.kind === 'finished' || message.kind === 'disk-failed') return;
      if (message.kind === 'sealed') thread.post({ kind: 'go-on' });
    }
  } finally {
    await thread.end();
  }
}

const samplesAPage = 200;
const countedAPage = 5000;
const sha256Digits = 64;

const hashesOf = (hashes: string[] | void): ToWriter => (hashes ? { kind: 'hashes', hashes } : { kind: 'end' });

async function* answersOf({ hashes, sourcesOf, rules }: BundleContent): AsyncGenerator<ToWriter, undefined, void> {
  for (const page of hashes.pages(samplesAPage)) {
    const sources = page[0]?.length === sha256Digits ? sourcesOf(page) : [];
    yield { kind: 'samples', samples: page.map((hash, index) => ({ hash, source: sources[index] ?? null })) };
  }
  if (rules === null) return;
  yield { kind: 'rules', rules: rules.facts };
  for await (const bytes of rules.bytes()) yield { kind: 'piece', bytes };
  yield { kind: 'end-rules' };
}

/** Messages between the reader of a bundle and its worker. */

export interface ReadingOrder {
  stagedId: string;
  source: StagedSource;
  /** The file's, for failures. */
  name: string;
  passphrase: string;
  database: string;
  /** Whose records, comments and rules it is held against. */
  workspaceIds: readonly string[];
  /** null: it is looked through, and nothing of it given out. */
  taking: Taking | null;
}

export interface Taking {
  /** The digests at its borders, as they were when it was looked through, one behind the other. */
  borders: Uint8Array;
  /** Samples that an earlier run took in. */
  skip: number;
}

export const borderBytes = 32;

/** What was found, by a signature that holds. */
export interface PreviewedBundle {
  facts: Omit<BundleFacts, 'signer'>;
  signer: Omit<BundleSigner, 'standing' | 'isNamesake'>;
  borders: Uint8Array;
}

/** `held`: the vault has them. `coming`: they follow, unless they are not whole. */
export type BytesState = 'none' | 'held' | 'coming';

/** So many bytes were taken from what was sent: only so many are on their way at a time. */
export interface ToReader {
  handledBytes: number;
}

/** A sample is many values, each deserialized by its receiver: as much work as so many times its bytes of a piece. */
export const sampleWeight = 64;

/** What a message costs that has hardly any bytes. */
const leastCounted = 4 * 2 ** 10;
export const countedBytes = (length: number): number => Math.max(length, leastCounted);

export type FromReader =
  | { kind: 'read'; readBytes: number }
  | { kind: 'looked'; looked: PreviewedBundle }
  | { kind: 'sample'; sample: BundledSample; records: BundledRecord[]; bytes: BytesState; sentBytes: number }
  /** All of the last sample, proven. */
  | { kind: 'whole'; bytes: Uint8Array<ArrayBuffer> }
  /** Of a sample that is too large for that, or of the rules. */
  | { kind: 'piece'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'end-pieces'; isWhole: boolean }
  | { kind: 'rules'; rules: BundledRules }
  /**
   * What was sent since the last one is what was looked through, and is taken in now: it counts as much as its samples
   * until it is.
   */
  | { kind: 'border'; sentBytes: number }
  | { kind: 'taken' }
  | { kind: 'failed'; failure: Failure };

/** Messages between the writer of a bundle and its worker: the worker asks, and waits for each answer. */

export interface WritingOrder {
  database: string;
  passphrase: string;
  signingKey: string;
  cost: PassphraseCost;
  manifest: Omit<BundleManifest, 'publicKey'>;
  /** A file that must not be there yet; null: the bundle is sent piece by piece. */
  path: string | null;
}

export interface OrderedSample {
  /** What the library knows it by. */
  hash: string;
  /** Where its bytes are, if there are any. */
  source: SampleSource | null;
}

export type ToWriter =
  /** Whose bytes are to be counted beforehand. */
  | { kind: 'hashes'; hashes: string[] }
  | { kind: 'samples'; samples: OrderedSample[] }
  | { kind: 'rules'; rules: BundledRules }
  | { kind: 'piece'; bytes: Uint8Array }
  | { kind: 'end-rules' }
  | { kind: 'end' }
  /** A piece was taken. */
  | { kind: 'go-on' };

export type FromWriter =
  /** Which samples are next, to be counted? */
  | { kind: 'next-to-count' }
  | { kind: 'expected'; bytes: number }
  /** What is next? */
  | { kind: 'next' }
  /** `hashes`: samples that began in it. To be answered when it is gone. */
  | { kind: 'sealed'; bytes: Uint8Array<ArrayBuffer>; hashes: string[] }
  | { kind: 'moved'; bytes: number }
  /** The vault should have these bytes; the rest of the sample goes. */
  | { kind: 'unreadable'; sha256: string; reason: string }
  /** Not all that is known of it fits. */
  | { kind: 'cut'; hash: string }
  /** The library has it no more. */
  | { kind: 'gone'; hash: string }
  | { kind: 'finished'; sizeBytes: number }
  /** `code` as the system names it. Nothing is done after it. */
  | { kind: 'disk-failed'; code: string };
