import { join } from 'node:path';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { currentInstant } from '../../shared/domain/clock.ts';
import { LogRedaction } from '../base/redaction.ts';
import { logErrorOf, type LogValue, logValueOf, type Redact } from './log-value.ts';
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
  readonly #redaction = new LogRedaction();
  readonly #complain: (sentence: string) => void;
  #complained = false;

  constructor(
    path: string,
    { limits = defaultLimits, complain = (sentence) => void process.stderr.write(`${sentence}\n`) }: LogOptions,
  ) {
    this.path = path;
    this.#file = new RotatingFile(path, limits);
    this.#complain = complain;
  }

  /** What went wrong inside us, under the id that the person sees. */
  defect(id: string, operation: string, error: unknown): void {
    this.#append({ level: 'defect', id, operation }, (redact) => ({ error: logErrorOf(error, redact) }));
  }

  write(level: 'info' | 'warn', event: string, facts: Record<string, unknown> = {}): void {
    this.#append({ level, event }, (redact) => ({ facts: logValueOf(facts, redact) }));
  }

  /** A text as an entry would have it: without the secrets. */
  redact(text: string): string {
    return this.#redaction.redact(text);
  }

  /** From now on this text is in no entry, in no encoding. */
  addSecret(value: string): void {
    this.#redaction.add(value);
  }

  removeSecret(value: string): void {
    this.#redaction.remove(value);
  }

  /** What `addSecret` was given. */
  get secrets(): string[] {
    return this.#redaction.secrets;
  }

  close(): void {
    this.#file.close();
  }

  #append(head: Record<string, string>, contentOf: (redact: Redact) => Record<string, LogValue>): void {
    const redact: Redact = (text) => this.#redaction.redact(text);
    const start = {
      time: currentInstant(),
      ...Object.fromEntries(Object.entries(head).map(([name, text]) => [name, redact(text)])),
    };
    try {
      this.#file.append(
        lineOf(
          start,
          readable(() => contentOf(redact)),
        ),
      );
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

/** What is told of may be anything, also an object that throws when it is looked at. */
function readable(contentOf: () => Record<string, LogValue>): Record<string, LogValue> {
  try {
    return contentOf();
  } catch {
    return { leftOut: 'it cannot be read' };
  }
}

function lineOf(start: Record<string, LogValue>, content: Record<string, LogValue>): string {
  const line = JSON.stringify({ ...start, ...content });
  return line.length <= longestLine ? line : JSON.stringify({ ...start, leftOut: `${line.length} characters` });
}
