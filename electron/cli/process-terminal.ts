import { once } from 'node:events';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { csvLine } from '../../shared/domain/csv.ts';
import { spelledOut, visibleLine, visibleText } from '../../shared/domain/visible-text.ts';
import { FailureError } from '../../shared/failure.ts';
import { exitCodes, OutputGone, standardOutput, ExitError } from './exit.ts';
import type { Layout, OutputFormat, Style, Terminal } from './terminal.ts';

/** Writes the values of a command as one document of JSON, as lines of JSON, or as CSV. */
export class ValueWriter {
  readonly #format: Exclude<OutputFormat, 'table'>;
  readonly #write: (text: string) => Promise<void>;
  #values = 0;
  #isAlone = false;

  constructor(format: Exclude<OutputFormat, 'table'>, write: (text: string) => Promise<void>) {
    this.#format = format;
    this.#write = write;
  }

  async listed(value: unknown): Promise<void> {
    this.#values += 1;
    const line = JSON.stringify(value);
    await this.#write(this.#format === 'json' ? `${this.#values === 1 ? '[\n' : ',\n'}${line}` : `${line}\n`);
  }

  /** Of CSV: fields that hold lists or objects are JSON in their cell. */
  async alone(value: object): Promise<void> {
    this.#isAlone = true;
    if (this.#format !== 'csv') return this.#write(`${JSON.stringify(value)}\n`);
    const cells = Object.entries(value).map(([name, cell]) => [headOf(name), cellOf(cell)] as const);
    return this.#write(csvLine(cells.map(([head]) => head)) + csvLine(cells.map(([, cell]) => cell)));
  }

  /** Closes the list; one without values is written where the command is done. */
  async end(isDone: boolean): Promise<void> {
    if (this.#format !== 'json' || this.#isAlone) return;
    if (this.#values > 0) await this.#write('\n]\n');
    else if (isDone) await this.#write('[]\n');
  }
}

/** `withBytes` as lists have it: `with bytes`. */
const headOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  return JSON.stringify(value);
}

interface TerminalStreams {
  output: Writable & { isTTY?: boolean; columns?: number };
  errors: Writable & { isTTY?: boolean; columns?: number };
  input(): Readable & { isTTY?: boolean };
  /**
   * Set where the output is a file or a device: writes what there is space for, and returns how many bytes. The stream
   * silently drops what does not fit.
   */
  writeFile: ((bytes: Uint8Array) => number) | null;
}

export interface TerminalOptions {
  streams: TerminalStreams;
  /** null: a table in a terminal, plain elsewhere. */
  format: OutputFormat | null;
  isQuiet: boolean;
  /** `TERM` and `NO_COLOR` of the environment. */
  environment: Readonly<Record<string, string | undefined>>;
  /**
   * Aborted by Ctrl-C: what comes through a pipe is read no further, and who does not read the output is not waited
   * for.
   */
  signal: AbortSignal;
  /**
   * Called once, when the stream of the output ended by itself: an `OutputGone` where its reader is gone, else why it
   * failed.
   */
  onEnd(why: Error): void;
}

/** Nothing in it could be hidden, or steer a terminal. */
const plain = /^[\t\n\x20-\x7e]*$/;
/** Within a value or a line, to some programs that read lines, they end one. */
const lineEnds = /[\u2028\u2029]/g;
const styles = { head: '1', alarm: '31', problem: '33', quiet: '2' } as const satisfies Record<Style, string>;
const usualColumns = 80;

/**
 * The process's own streams. Whatever is written as text is made visible first; in JSON that is another way to write
 * the same value.
 */
export class ProcessTerminal implements Terminal {
  readonly layout: Layout;
  readonly isJson: boolean;
  readonly isData: boolean;
  readonly columns: number | null;
  readonly #streams: TerminalStreams;
  readonly #isQuiet: boolean;
  readonly #hasColor: boolean;
  /** Moves the cursor: a terminal that is none of the dumb ones. */
  readonly #hasProgressLine: boolean;
  readonly #signal: AbortSignal;
  readonly #values: ValueWriter;
  #ended: Error | null = null;
  #hasProgress = false;

  constructor({ streams, format, isQuiet, environment, signal, onEnd }: TerminalOptions) {
    this.#streams = streams;
    this.#signal = signal;
    this.#isQuiet = isQuiet;
    const isPerson = streams.output.isTTY === true;
    const isDumb = environment['TERM'] === 'dumb';
    this.layout = layoutOf(format, isPerson);
    this.isJson = this.layout === 'json';
    this.isData = this.isJson || this.layout === 'csv';
    this.columns = isPerson ? widthOf(streams.output) : null;
    this.#hasColor = isPerson && !isDumb && (environment['NO_COLOR'] ?? '') === '';
    this.#hasProgressLine = !isQuiet && streams.errors.isTTY === true && !isDumb;
    this.#values = new ValueWriter(format === null || format === 'table' ? 'jsonl' : format, (text) =>
      // CSV is made visible cell by cell; its line ends are CRLF.
      this.#write(format === 'csv' ? text : escaped(text)),
    );
    streams.output.on('error', (error) => {
      if (this.#ended === null) onEnd((this.#ended = whyEnded(error)));
    });
    // No reader is left for a report.
    streams.errors.on('error', () => {});
  }

  async line(text: string, style: Style | null = null): Promise<void> {
    const shown = escaped(text);
    await this.#write(style !== null && this.#hasColor ? `\x1b[${styles[style]}m${shown}\x1b[0m\n` : `${shown}\n`);
  }

  json(value: unknown): Promise<void> {
    return this.#values.listed(value);
  }

  value(value: object): Promise<void> {
    return this.#values.alone(value);
  }

  async end(isDone: boolean): Promise<void> {
    if (this.isJson && this.#ended === null) await this.#values.end(isDone);
  }

  async bytes(bytes: Uint8Array): Promise<void> {
    await this.#write(bytes);
  }

  print(text: string): void {
    if (!this.#isQuiet) this.complain(text);
  }

  complain(text: string): void {
    this.progress(null);
    this.#streams.errors.write(`${visibleLine(text)}\n`);
  }

  progress(text: string | null): void {
    if (!this.#hasProgressLine || (text === null && !this.#hasProgress)) return;
    const shown = visibleLine(text ?? '').slice(0, widthOf(this.#streams.errors) - 1);
    this.#streams.errors.write(`\r\x1b[2K${shown}`);
    this.#hasProgress = text !== null;
  }

  async ask(question: string): Promise<boolean | null> {
    if (!this.#streams.input().isTTY || this.#streams.errors.isTTY !== true) return null;
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input: this.#streams.input(), output: this.#streams.errors });
    const stopped = Promise.withResolvers<string>();
    // The terminal sends no signal for a Ctrl-C while a line is read; Ctrl-D gives no line.
    lines.on('SIGINT', () => stopped.reject(new ExitError(exitCodes.interrupted)));
    lines.on('close', () => stopped.resolve(''));
    try {
      const line = lines.question(`${visibleLine(question)} [y/N] `);
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

/** Some terminals report no width, or 0. */
const widthOf = ({ columns }: { columns?: number }): number => columns || usualColumns;

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
  const path = standardOutput;
  return new FailureError(
    code === 'ENOSPC' || code === 'EDQUOT' ? { kind: 'disk-full', path } : { kind: 'disk-failed', path, code },
  );
}

function layoutOf(format: OutputFormat | null, isPerson: boolean): Layout {
  if (format === null) return isPerson ? 'table' : 'plain';
  return format === 'jsonl' ? 'json' : format;
}

/** Escapes hidden characters, terminal control sequences and line ends. All text on stdout goes through here. */
const escaped = (text: string): string => (plain.test(text) ? text : visibleText(text).replace(lineEnds, spelledOut));
