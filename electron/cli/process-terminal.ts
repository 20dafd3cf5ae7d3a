import { once } from 'node:events';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { exitCodes } from './exit-codes.ts';
import { FailureError } from '../../shared/failure-error.ts';
import { OutputGone } from './output-gone.ts';
import type { Terminal } from './terminal.ts';
import { Told } from './told.ts';

export interface TerminalStreams {
  output: Writable & { isTTY?: boolean };
  errors: Writable & { isTTY?: boolean; columns?: number };
  input(): Readable & { isTTY?: boolean };
  /**
   * Set where the output is a file or a device: writes what there is room for, and returns how many bytes. The stream
   * drops what does not fit, and tells nobody.
   */
  writeFile: ((bytes: Uint8Array) => number) | null;
}

export interface TerminalOptions {
  streams: TerminalStreams;
  isJson: boolean;
  isQuiet: boolean;
  /**
   * Aborted by Ctrl-C: what comes through a pipe is read no further, and who does not read the output is not waited
   * for.
   */
  signal: AbortSignal;
  /**
   * Called once, when the stream of the output ended by itself: an `OutputGone` where whoever read it went away, else
   * why it failed.
   */
  onEnd(why: Error): void;
}

/** Nothing in it could be hidden, or steer a terminal. */
const plain = /^[\t\n\x20-\x7e]*$/;
/** What a terminal obeys, or what turns text around. */
// oxlint-disable-next-line no-control-regex
const steering = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** Within a value, to some who read lines, they end one. */
const lineEnds = /[\u2028\u2029]/g;
const usualColumns = 80;

/**
 * The process's own streams. Whatever is written as text is made visible first; in JSON that is another way to write
 * the same value.
 */
export class ProcessTerminal implements Terminal {
  readonly isJson: boolean;
  readonly isPerson: boolean;
  readonly #streams: TerminalStreams;
  readonly #isQuiet: boolean;
  readonly #signal: AbortSignal;
  #ended: Error | null = null;
  #hasProgress = false;

  constructor({ streams, isJson, isQuiet, signal, onEnd }: TerminalOptions) {
    this.#streams = streams;
    this.#signal = signal;
    this.#isQuiet = isQuiet;
    this.isJson = isJson;
    this.isPerson = streams.output.isTTY === true && !isJson;
    streams.output.on('error', (error) => {
      if (this.#ended === null) onEnd((this.#ended = whyEnded(error)));
    });
    // Nobody is left to tell.
    streams.errors.on('error', () => {});
  }

  async line(text: string): Promise<void> {
    await this.#write(`${await visible(text)}\n`);
  }

  async json(value: unknown): Promise<void> {
    await this.#write(`${(await visible(JSON.stringify(value))).replace(lineEnds, spelt)}\n`);
  }

  async bytes(bytes: Uint8Array): Promise<void> {
    await this.#write(bytes);
  }

  say(text: string): void {
    if (!this.#isQuiet) this.complain(text);
  }

  complain(text: string): void {
    this.progress(null);
    this.#streams.errors.write(`${withoutSteering(text)}\n`);
  }

  progress(text: string | null): void {
    if (this.#isQuiet || this.#streams.errors.isTTY !== true || (text === null && !this.#hasProgress)) return;
    const shown = withoutSteering(text ?? '').slice(0, (this.#streams.errors.columns ?? usualColumns) - 1);
    this.#streams.errors.write(`\r\x1b[2K${shown}`);
    this.#hasProgress = text !== null;
  }

  async ask(question: string): Promise<boolean | null> {
    if (!this.#streams.input().isTTY || this.#streams.errors.isTTY !== true) return null;
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input: this.#streams.input(), output: this.#streams.errors });
    const stopped = Promise.withResolvers<string>();
    // The terminal sends no signal for a Ctrl-C while a line is read; Ctrl-D gives no line.
    lines.on('SIGINT', () => stopped.reject(new Told(exitCodes.interrupted)));
    lines.on('close', () => stopped.resolve(''));
    try {
      const line = lines.question(`${withoutSteering(question)} [y/N] `);
      return /^y(?:es)?$/i.test((await Promise.race([line.catch(() => ''), stopped.promise])).trim());
    } finally {
      lines.close();
    }
  }

  input(): AsyncIterable<Uint8Array> | null {
    const input = this.#streams.input();
    return input.isTTY ? null : addAbortSignal(this.#signal, input);
  }

  async #write(chunk: string | Uint8Array): Promise<void> {
    if (this.#ended !== null) throw this.#ended;
    const { output, writeFile } = this.#streams;
    if (writeFile !== null) return writeWhole(writeFile, Buffer.from(chunk));
    if (output.write(chunk)) return;
    await once(output, 'drain', { signal: this.#signal }).catch((error: unknown) => {
      throw this.#ended ?? (this.#signal.aborted ? this.#signal.reason : whyEnded(error));
    });
  }
}

/** A disk that fills takes a part of what it is given. */
function writeWhole(write: (bytes: Uint8Array) => number, bytes: Uint8Array): void {
  try {
    for (let at = 0; at < bytes.length;) at += write(bytes.subarray(at));
  } catch (error) {
    throw whyEnded(error);
  }
}

function whyEnded(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  if (code === 'EPIPE') return new OutputGone('the output is gone', { cause: error });
  const path = 'the standard output';
  return new FailureError(
    code === 'ENOSPC' || code === 'EDQUOT' ? { kind: 'disk-full', path } : { kind: 'disk-failed', path, code },
  );
}

const spelt = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
const withoutSteering = (text: string): string => text.replace(steering, spelt);

/** What is hidden or would be is spelt out. Telling that takes Unicode's tables, which most text needs not. */
async function visible(text: string): Promise<string> {
  if (plain.test(text)) return text;
  const { visibleText } = await import('../../shared/domain/visible-text.ts');
  return visibleText(text);
}
