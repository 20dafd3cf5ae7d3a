import { join } from 'node:path';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { logErrorOf, logValueOf, type LogValue } from './log-value.ts';
import { Redaction } from './redaction.ts';
import { RotatingFile, type RotationLimits } from './rotating-file.ts';

const defaultLimits: RotationLimits = { fileBytes: 2 * 1024 * 1024, files: 5 };
const longestLine = 64 * 1024;

export interface LogOptions {
  limits?: RotationLimits;
  /** Where to say, once, that the log cannot be written. */
  complain?: (sentence: string) => void;
}

/** The log of a directory, `vitrine.log`, which is made with its first entry. */
export function openLog(directory: string, options: LogOptions = {}): Log {
  return new Log(join(directory, 'vitrine.log'), options);
}

/**
 * JSON Lines: `time`, `level`, `event` and facts; of a defect `id`, `operation` and `error`. Redacted before anything
 * is cut, bounded, rotated, and never thrown out of: a log must not break what it tells of.
 */
export class Log {
  readonly path: string;
  readonly #file: RotatingFile;
  readonly #redaction = new Redaction();
  readonly #complain: (sentence: string) => void;
  #complained = false;

  constructor(path: string, { limits = defaultLimits, complain = (sentence) => void process.stderr.write(`${sentence}\n`) }: LogOptions) {
    this.path = path;
    this.#file = new RotatingFile(path, limits);
    this.#complain = complain;
  }

  /** What went wrong inside us, under the id that the person sees. */
  defect(id: string, operation: string, error: unknown): void {
    this.#append('defect', (redact) => ({ id: redact(id), operation: redact(operation), error: logErrorOf(error, redact) }));
  }

  write(level: 'info' | 'warn', event: string, facts: Record<string, unknown> = {}): void {
    this.#append(level, (redact) => ({ event: redact(event), facts: logValueOf(facts, redact) }));
  }

  /** From now on this text is in no entry, in no encoding. */
  addSecret(value: string): void {
    this.#redaction.add(value);
  }

  removeSecret(value: string): void {
    this.#redaction.remove(value);
  }

  close(): void {
    this.#file.close();
  }

  #append(level: string, contentOf: (redact: (text: string) => string) => Record<string, LogValue>): void {
    try {
      const content = contentOf((text) => this.#redaction.redact(text));
      this.#file.append(lineOf({ time: new Date().toISOString(), level, ...content }));
    } catch (error) {
      this.#complainOnce(error);
    }
  }

  #complainOnce(error: unknown): void {
    if (this.#complained) return;
    this.#complained = true;
    this.#complain(`The log ${this.path} cannot be written (${systemErrorCode(error) ?? 'unexpected'}).`);
  }
}

function lineOf(entry: Record<string, LogValue>): string {
  const line = JSON.stringify(entry);
  if (line.length <= longestLine) return line;
  const { time = null, level = null, id = null, operation = null, event = null } = entry;
  return JSON.stringify({ time, level, id, operation, event, leftOut: `${line.length} characters` });
}
