import { csvLine } from '../../shared/domain/csv.ts';
import type { OutputFormat } from './terminal.ts';

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
