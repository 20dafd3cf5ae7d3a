import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { FailureError } from '../../../shared/failure.ts';
import { LogRedaction } from '../../base/redaction.ts';

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
 * is cut, bounded, rotated. Never throws: a log must not break what it records.
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

/** A logged value may be anything, also an object that throws when it is read. */
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

type LogValue = null | boolean | number | string | LogValue[] | { [name: string]: LogValue };
type Redact = (text: string) => string;

const deepest = 4;
const mostItems = 40;
const longestText = 4_000;
const longestStack = 8_000;
const secretName = /token|password|passphrase|secret|authori[sz]ation|cookie/i;

/** Any value as bounded, redacted JSON. Bytes are counted, never shown. */
function logValueOf(value: unknown, redact: Redact, depth = 0): LogValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'object') return objectValue(value, redact, depth);
  return typeof value === 'string' || typeof value === 'bigint'
    ? cut(redact(String(value)), longestText)
    : `[${typeof value}]`;
}

/** Name, message, stack and code of an error, of a failure its facts, and of its causes the same. */
function logErrorOf(error: unknown, redact: Redact, depth = 0): LogValue {
  if (!(error instanceof Error)) return logValueOf(error, redact, depth);
  if (depth >= deepest) return '[deeper]';
  return {
    name: cut(redact(error.name), longestText),
    message: cut(redact(error.message), longestText),
    stack: cut(redact(error.stack ?? ''), longestStack),
    ...('code' in error && { code: logValueOf(error.code, redact, depth + 1) }),
    ...(error instanceof FailureError && { failure: logValueOf(error.failure, redact, depth + 1) }),
    ...(error instanceof AggregateError && {
      errors: error.errors.slice(0, mostItems).map((one) => logErrorOf(one, redact, depth + 1)),
    }),
    ...(error.cause !== undefined && { cause: logErrorOf(error.cause, redact, depth + 1) }),
  };
}

function objectValue(value: object, redact: Redact, depth: number): LogValue {
  if (depth >= deepest) return '[deeper]';
  if (value instanceof Error) return logErrorOf(value, redact, depth);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof URL) return cut(redact(value.href), longestText);
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => logValueOf(item, redact, depth + 1));
  const entries = Object.entries(value).slice(0, mostItems);
  return Object.fromEntries(
    entries.map(([name, item]) => [cut(redact(name), longestText), namedValue(name, item, redact, depth)]),
  );
}

/** What calls itself a secret is not shown, whether it is a known one or not. */
function namedValue(name: string, value: unknown, redact: Redact, depth: number): LogValue {
  return secretName.test(name) && typeof value === 'string' ? '[removed]' : logValueOf(value, redact, depth + 1);
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}… [${text.length} characters]` : text;

interface RotationLimits {
  /** Bytes a file may grow to before the next line begins a new one. */
  fileBytes: number;
  /** Files kept, the current one included. */
  files: number;
}

/** A file of lines that never takes more than its limits: `x`, then `x.1` (newer) to `x.n` (oldest). Mode 0600. */
class RotatingFile {
  readonly path: string;
  readonly #limits: RotationLimits;
  #file: number | null = null;
  #size = 0;

  constructor(path: string, limits: RotationLimits) {
    this.path = path;
    this.#limits = limits;
  }

  /** Throws the system's error; the next line tries again. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    let file = this.#file ?? this.#open();
    if (this.#size > 0 && this.#size + bytes.length > this.#limits.fileBytes) file = this.#rotate();
    this.#size += writeSync(file, bytes);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const file = openSync(this.path, 'a', 0o600);
    this.#file = file;
    // A file that was there may have been readable by others.
    fchmodSync(file, 0o600);
    this.#size = fstatSync(file).size;
    return file;
  }

  #rotate(): number {
    this.close();
    const { files } = this.#limits;
    rmSync(this.#older(files - 1), { force: true });
    for (let age = files - 2; age >= 1; age -= 1) renameIfThere(this.#older(age), this.#older(age + 1));
    renameIfThere(this.path, this.#older(1));
    return this.#open();
  }

  #older(age: number): string {
    return `${this.path}.${age}`;
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
