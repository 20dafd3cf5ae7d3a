import type { Writable } from 'node:stream';

/** Twice what is shown: a secret that the cut divides is not among that. */
const keptBytes = 4096;
/**
 * A process of its own may have inherited the stream, and hold it open: the end of the first is not kept back for it.
 */
const patienceMs = 500;

/** The end of what a process writes to its standard error, which is passed on as it comes. */
export class LastWords {
  #tail: Buffer = Buffer.alloc(0);
  readonly #whole: Promise<void>;

  /** `stream`: null when there is none to read. */
  constructor(stream: NodeJS.ReadableStream | null, passOn: Pick<Writable, 'write'> = process.stderr) {
    this.#whole = new Promise((resolve) => {
      if (stream === null) return resolve();
      stream.on('data', (chunk: Buffer) => {
        this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-keptBytes);
        passOn.write(chunk);
      });
      for (const end of ['end', 'close', 'error'] as const) stream.on(end, () => resolve());
    });
  }

  /** To be called when the process is gone. Resolves with at most 4 KB of text. */
  async read(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([this.#whole, late]);
    clearTimeout(timer);
    return this.#tail.toString('utf8');
  }
}
