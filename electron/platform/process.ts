import type { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';

/** Twice what is shown: a secret that the cut divides is not among that. */
const keptBytes = 4096;
/**
 * A process of its own may have inherited the stream, and hold it open: the end of the first is not kept back for it.
 */
const patienceMs = 500;

/** The end of what a process writes to its standard error, which is passed on as it comes. */
export class StderrTail {
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

/**
 * Output that cannot be written, to a closed terminal or on a full disk, is lost, and the program continues: by default
 * it ends at the first such write. Call it before any output.
 */
export function ignoreLostOutput(
  { stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>,
  onLost = (): void => {},
): void {
  for (const output of [stdout, stderr]) output.on('error', onLost);
}

/**
 * Keeps the part of the heap for new objects as small as it is at first. By itself it doubles up to 2 × 16 MiB and more
 * for each thread, of which none is gained here: what comes and goes in a job are buffers, which lie beside it. A
 * transfer holds 25 MiB less, in the same time. To be called before there is much to collect. V8 looks at this flag
 * each time it would grow (`SemiSpaceNewSpace::Grow`), so it holds from then on. Node lets flags be set at any time,
 * and Electron does in all of its processes that run Node (electron/electron#42414).
 */
export function limitYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
