import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { OutputGone } from './output-gone.ts';
import type { Terminal } from './terminal.ts';

export interface TerminalStreams {
  output: Writable & { isTTY?: boolean };
  errors: Writable & { isTTY?: boolean; columns?: number };
  input(): Readable & { isTTY?: boolean };
}

export interface TerminalOptions {
  streams: TerminalStreams;
  isJson: boolean;
  isQuiet: boolean;
  /** Called once, when whoever read the output went away. */
  onGone(): void;
}

/** Nothing in it could be hidden, or steer a terminal. */
const plain = /^[\t\n\x20-\x7e]*$/;
/** What a terminal obeys, or what turns text around. */
// oxlint-disable-next-line no-control-regex
const steering = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const usualColumns = 80;

/** The process's own streams. Whatever is written as text is made visible first; in JSON that is another way to write the same value. */
export class ProcessTerminal implements Terminal {
  readonly isJson: boolean;
  readonly isPerson: boolean;
  readonly #streams: TerminalStreams;
  readonly #isQuiet: boolean;
  #isGone = false;
  #hasProgress = false;

  constructor({ streams, isJson, isQuiet, onGone }: TerminalOptions) {
    this.#streams = streams;
    this.#isQuiet = isQuiet;
    this.isJson = isJson;
    this.isPerson = streams.output.isTTY === true && !isJson;
    streams.output.on('error', () => {
      if (!this.#isGone) onGone();
      this.#isGone = true;
    });
    // Nobody is left to tell.
    streams.errors.on('error', () => {});
  }

  async line(text: string): Promise<void> {
    await this.#write(`${await visible(text)}\n`);
  }

  async json(value: unknown): Promise<void> {
    await this.#write(`${await visible(JSON.stringify(value))}\n`);
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
    try {
      return /^y(?:es)?$/i.test((await lines.question(`${withoutSteering(question)} [y/N] `)).trim());
    } finally {
      lines.close();
    }
  }

  input(): AsyncIterable<Uint8Array> | null {
    const input = this.#streams.input();
    return input.isTTY ? null : input;
  }

  async #write(chunk: string | Uint8Array): Promise<void> {
    if (this.#isGone) throw new OutputGone();
    const { output } = this.#streams;
    if (output.write(chunk)) return;
    await once(output, 'drain').catch((error: unknown) => {
      throw new OutputGone('the output is gone', { cause: error });
    });
  }
}

const withoutSteering = (text: string): string => text.replace(steering, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What is hidden or would be is spelt out. Telling that takes Unicode's tables, which most text needs not. */
async function visible(text: string): Promise<string> {
  if (plain.test(text)) return text;
  const { visibleText } = await import('../../shared/domain/visible-text.ts');
  return visibleText(text);
}
