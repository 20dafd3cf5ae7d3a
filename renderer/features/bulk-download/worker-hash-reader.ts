import type { ExtractedHash } from '../../../shared/domain/hash-extractor.ts';
import type { ShownLine } from './extracted-text.ts';
import type { HashReader, ReaderAnswer, ReaderRequest, ReadOutcome } from './hash-reader.ts';

type Asked = {
  [K in ReaderAnswer['kind']]: { kind: K; resolve(answer: Extract<ReaderAnswer, { kind: K }> | null): void };
}[ReaderAnswer['kind']];

/**
 * Reads in a separate thread, which starts with the first text and ends with `close`. A text that comes while another
 * is being read ends that thread: the newest never waits for an outdated one.
 */
export class WorkerHashReader implements HashReader {
  #worker: Worker | null = null;
  #isReading = false;
  #lastId = 0;
  readonly #asked = new Map<number, Asked>();

  async read(source: string | Blob): Promise<ReadOutcome | null> {
    if (this.#isReading) this.close();
    this.#isReading = true;
    const id = this.#nextId();
    const answer = await new Promise<Extract<ReaderAnswer, { kind: 'read' }> | null>((resolve) => {
      this.#ask({ id, kind: 'read', source }, { kind: 'read', resolve });
    });
    return answer?.outcome ?? null;
  }

  async lines(from: number, count: number): Promise<ShownLine[]> {
    const answer = await new Promise<Extract<ReaderAnswer, { kind: 'lines' }> | null>((resolve) => {
      this.#ask({ id: this.#nextId(), kind: 'lines', from, count }, { kind: 'lines', resolve });
    });
    return answer?.lines ?? [];
  }

  async found(from: number, count: number): Promise<ExtractedHash[]> {
    const answer = await new Promise<Extract<ReaderAnswer, { kind: 'found' }> | null>((resolve) => {
      this.#ask({ id: this.#nextId(), kind: 'found', from, count }, { kind: 'found', resolve });
    });
    return answer?.found ?? [];
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReading = false;
    for (const asked of this.#asked.values()) asked.resolve(null);
    this.#asked.clear();
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #ask(request: ReaderRequest, asked: Asked): void {
    this.#worker ??= this.#open();
    this.#asked.set(request.id, asked);
    this.#worker.postMessage(request);
  }

  #open(): Worker {
    const worker = new Worker(new URL('./hash-reader-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<ReaderAnswer>) => this.#answered(data));
    // A defect, or no memory left for this text.
    worker.addEventListener('error', () => this.#broke());
    return worker;
  }

  #answered(answer: ReaderAnswer): void {
    const asked = this.#asked.get(answer.id);
    this.#asked.delete(answer.id);
    if (answer.kind === 'read') this.#isReading = false;
    if (asked?.kind === 'read' && answer.kind === 'read') asked.resolve(answer);
    if (asked?.kind === 'lines' && answer.kind === 'lines') asked.resolve(answer);
    if (asked?.kind === 'found' && answer.kind === 'found') asked.resolve(answer);
  }

  #broke(): void {
    for (const [id, asked] of this.#asked) {
      if (asked.kind !== 'read') continue;
      this.#asked.delete(id);
      asked.resolve({ id, kind: 'read', outcome: { kind: 'refused', refusal: { kind: 'unreadable' } } });
    }
    this.close();
  }
}
