import { fail } from '../../../shared/failure.ts';
import type { SampleSource, UnreadableReason } from '../sample-source.ts';
import { WorkerClient } from '../worker-client.ts';

/** A caller that inspects once does so again soon. In milliseconds. */
const keptMs = 60_000;

/**
 * Reads samples of the vault in a thread of its own, which starts with the first of them and ends when nothing was
 * asked for a while. All calls fail with `cancelled` by the signal or when it is closed, or with `worker-ended`; the
 * next one has a new thread.
 */
export class SampleInspector {
  #thread: WorkerClient<ToInspector, FromInspector> | null = null;
  #idleEnd: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** In their order: why a sample cannot be read whole, or null where its bytes match its name. */
  async verify(sources: readonly SampleSource[], signal: AbortSignal): Promise<(UnreadableReason | null)[]> {
    const answer = await this.#request('verify', sources, signal);
    return answer.task === 'verify' ? answer.results : [];
  }

  /** In their order. Of a sample with a file of its own the bytes are not verified. */
  async inspect(sources: readonly SampleSource[], signal: AbortSignal): Promise<InspectedSample[]> {
    const answer = await this.#request('inspect', sources, signal);
    return answer.task === 'inspect' ? answer.results : [];
  }

  /** Resolves when no file is open any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleEnd ?? undefined);
    await this.#thread?.close();
  }

  async #request(
    task: ToInspector['task'],
    sources: readonly SampleSource[],
    signal: AbortSignal,
  ): Promise<FromInspector> {
    if (this.#isClosed || signal.aborted) fail({ kind: 'cancelled' });
    const stop: StopWord = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const cancel = (): unknown => Atomics.store(stop, 0, 1);
    signal.addEventListener('abort', cancel, { once: true });
    const thread = this.#running();
    try {
      const answer = await thread.request((number) => ({ number, task, sources: [...sources], stop }));
      return signal.aborted ? fail({ kind: 'cancelled' }) : answer;
    } finally {
      signal.removeEventListener('abort', cancel);
      if (thread.pending === 0 && !this.#isClosed)
        this.#idleEnd = setTimeout(() => void this.#rest(thread), keptMs).unref();
    }
  }

  #running(): WorkerClient<ToInspector, FromInspector> {
    clearTimeout(this.#idleEnd ?? undefined);
    if (this.#thread?.isAlive !== true)
      this.#thread = new WorkerClient({
        entry: './inspection-worker',
        beside: import.meta.url,
        task: 'reading samples',
      });
    return this.#thread;
  }

  async #rest(thread: WorkerClient<ToInspector, FromInspector>): Promise<void> {
    if (this.#thread === thread) this.#thread = null;
    await thread.close();
  }
}

/**
 * One word of shared memory, not 0 once the answer is no longer wanted: a worker that reads receives no messages
 * meanwhile.
 */
type StopWord = Int32Array<SharedArrayBuffer>;

export interface ToInspector {
  number: number;
  task: 'verify' | 'inspect';
  sources: SampleSource[];
  stop: StopWord;
}

/**
 * What the bytes of a sample look like, not verified; or why they could not be read. `strip` is a `ByteStrip`. Both are
 * null for no bytes.
 */
export type InspectedSample = { type: string | null; strip: string | null } | { reason: UnreadableReason };

/**
 * In the order of the sources; of a stopped question the last ones, or all, are missing. `null`: whole, and what it
 * should be.
 */
export type FromInspector =
  | { number: number; task: 'verify'; results: (UnreadableReason | null)[] }
  | { number: number; task: 'inspect'; results: InspectedSample[] };
