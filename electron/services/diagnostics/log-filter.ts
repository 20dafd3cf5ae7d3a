import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isOperationName } from '../../../shared/contract.ts';
import { jobKind } from '../../../shared/domain/job.ts';
import { isFailureKind, plainFailureFacts } from '../../../shared/failure-kinds.ts';
import { readJson } from '../../storage/database/stored-json.ts';

/** Takes secrets and names out of a text that is no word of the program's own. */
export type Redact = (text: string) => string;

const deepest = 4;
const mostFrames = 40;
const mostNested = 10;

/**
 * Steps that are no operation, and entries that are no defect, as the code names them; a test holds this list against
 * the code.
 */
const knownSteps: ReadonlySet<string> = new Set([
  'started',
  'lab',
  'lab.exit',
  'scanner.exit',
  'journal-key',
  'diagnostics',
  'jobs.run',
  'jobs.change',
  'jobs.tell',
  ...jobKind.options.map((kind) => `jobs.${kind}`),
  'uploads',
  'additions',
  'bundles',
  'comments',
  'watch',
  'trials',
  'library.words',
  'library.forget',
  'publications',
  'scans',
  'exports',
  'data-open-to-others',
  'data.lost',
  'notification',
  'host.close',
  'window.remember',
  'window.close',
  'page',
  'local-socket',
  'listen',
  'call',
  'subscribe',
  'stage',
  'name-folder',
  'take',
  'export',
  'events',
  'session',
]);

const entry = z.object({
  time: z.string().optional(),
  level: z.string().optional(),
  event: z.string().optional(),
  id: z.string().optional(),
  operation: z.string().optional(),
  facts: z.unknown().optional(),
  error: z.unknown().optional(),
  leftOut: z.unknown().optional(),
});
const failureShape = z.looseObject({ kind: z.string(), code: z.unknown().optional() });
const errorShape = z.looseObject({ name: z.string() });
const factsShape = z.record(z.string(), z.unknown());

/**
 * A line of the log as it may be shown to others. It is read field by field, and only what is known to hold no free
 * text is kept: times, ids, words of the program, numbers, and of an error its class, its code, known phrases of its
 * message and the places in our code. Redacting the text would not do: a message may hold a sample's name or half of a
 * token, which cannot be recognised.
 */
export function filteredLogLine(line: string, redact: Redact): Record<string, unknown> {
  const read = entry.safeParse(readJson(line));
  if (!read.success) return { leftOut: `a line of ${line.length} characters that is no entry` };
  const { time, level, event, id, operation, facts, error, leftOut } = read.data;
  return defined({
    time: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, time),
    level: matching(/^(?:info|warn|defect)$/, level),
    id: defectId(id),
    event: event === undefined ? undefined : stepOf(event),
    operation: operation === undefined ? undefined : stepOf(operation),
    facts: facts === undefined ? undefined : filteredFacts(facts, redact),
    error: error === undefined ? undefined : filteredError(error, redact),
    leftOut: leftOut === undefined ? undefined : 'the entry was too long',
  });
}

/** The id under which the person saw the failure. */
export const defectId = (id: unknown): string | undefined => matching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, id);

/**
 * Kind, code and the facts that cannot hold a name; null for what is no failure. A kind of another version is not
 * named.
 */
export function filteredFailure(value: unknown, redact: Redact): Record<string, unknown> | null {
  const read = failureShape.safeParse(value);
  if (!read.success) return null;
  const { kind, code, end, lastWords } = read.data;
  if (!isFailureKind(kind)) return { kind: 'unknown to this version' };
  return defined({
    kind,
    ...plainFailureFacts(kind, read.data),
    code: systemCode(code, redact),
    end: processEnd(end),
    lastWords: wordsOf(lastWords),
  });
}

/** Of an error as the log has it. */
export function filteredError(value: unknown, redact: Redact, depth = 0): Record<string, unknown> {
  const read = errorShape.safeParse(value);
  if (!read.success || depth >= deepest) return { leftOut: 'no error, or nested too deeply' };
  const { name, message, stack, code, failure, errors, cause } = read.data;
  return defined({
    name: matching(/^(?:[A-Z][A-Za-z]{0,30})?(?:Error|Exception)$/, redact(name)) ?? 'Error',
    code: systemCode(code, redact),
    message: typeof message === 'string' ? phrasesIn(message) : undefined,
    frames: typeof stack === 'string' ? framesIn(stack) : undefined,
    failure: failure === undefined ? undefined : (filteredFailure(failure, redact) ?? undefined),
    errors: Array.isArray(errors)
      ? errors.slice(0, mostNested).map((one) => filteredError(one, redact, depth + 1))
      : undefined,
    cause: cause === undefined || cause === null ? undefined : filteredError(cause, redact, depth + 1),
  });
}

const numberFacts = ['restarts', 'restart', 'pauseMs', 'missing'] as const;

/** Facts of an entry by their names: another one may hold anything. */
function filteredFacts(value: unknown, redact: Redact): Record<string, unknown> {
  const read = factsShape.safeParse(value);
  if (!read.success) return {};
  const { version, platform, state, end, lastWords, failure, error } = read.data;
  return defined({
    version: matching(/^\d{1,5}(?:\.\d{1,5}){1,3}$/, version),
    platform: matching(/^(?:desktop|web)$/, platform),
    state: matching(/^(?:starting|running|restarting|stopped)$/, state),
    ...Object.fromEntries(numberFacts.map((name) => [name, numberOf(read.data[name])])),
    end: processEnd(end),
    lastWords: wordsOf(lastWords),
    failure: filteredFailure(failure, redact) ?? undefined,
    error: error === undefined || error === null ? undefined : filteredError(error, redact),
  });
}

/** How a process of ours ended: `exit code 1`, `SIGKILL`. */
const processEnd = (end: unknown): string | undefined =>
  matching(/^(?:exit code -?\d{1,10}|SIG[A-Z0-9]{2,10}|killed)$/, end);

/** The end of what a process wrote before it ended: mostly an error with its stack. */
const wordsOf = (words: unknown): object | undefined =>
  typeof words === 'string' && words !== '' ? { message: phrasesIn(words), frames: framesIn(words) } : undefined;

/**
 * What the engine of JavaScript, SQLite and the system say themselves. Between these phrases a message may quote
 * anything.
 */
const phrases = [
  'Cannot read properties of undefined',
  'Cannot read properties of null',
  'Cannot set properties of undefined',
  'Cannot set properties of null',
  'is not a function',
  'is not iterable',
  'is not a constructor',
  'is not defined',
  'before initialization',
  'Maximum call stack size exceeded',
  'Invalid array length',
  'Invalid string length',
  'Array buffer allocation failed',
  'out of memory',
  'is not valid JSON',
  'Unexpected end of JSON input',
  'Converting circular structure to JSON',
  'Invalid URL',
  'Assignment to constant variable',
  'Cannot destructure property',
  'UNIQUE constraint failed',
  'NOT NULL constraint failed',
  'FOREIGN KEY constraint failed',
  'CHECK constraint failed',
  'database is locked',
  'database disk image is malformed',
  'disk I/O error',
  'database or disk is full',
  'unable to open database file',
  'attempt to write a readonly database',
  'file is not a database',
  'no such table',
  'no such column',
  'database is not open',
  'statement has been finalized',
  'cannot start a transaction within a transaction',
  'no such file or directory',
  'permission denied',
  'operation not permitted',
  'no space left on device',
  'file already exists',
  'too many open files',
  'resource busy or locked',
  'read-only file system',
  'cross-device link not permitted',
  'broken pipe',
  'socket hang up',
  'connection refused',
  'connection reset',
  'The operation was aborted',
  'write after end',
  'Premature close',
  'other side closed',
  'unable to verify the first certificate',
  'self-signed certificate',
  'certificate has expired',
  'Cannot find module',
  'Invalid digest',
  'Digest method not supported',
  'ERR_MODULE_NOT_FOUND',
  'invalid_type',
  'invalid_value',
  'unrecognized_keys',
  'invalid_union',
  'invalid_format',
  'too_big',
  'too_small',
] as const;

function phrasesIn(message: string): string {
  const found = phrases.filter((phrase) => message.includes(phrase));
  return [...found, `[message of ${message.length} characters left out]`].join('; ');
}

const frameLine = /^\s+at (?:.{1,200} \()?(?<place>\S.{0,1000}?):(?<line>\d{1,7}):(?<column>\d{1,7})\)?$/;

/**
 * Places in files of this program. Without the names of functions, and no other file: a message may have lines that
 * look like these. So places of another version are lost.
 */
function framesIn(stack: string): string[] {
  const frames = stack.split('\n').flatMap((line) => {
    const { place, line: at, column } = frameLine.exec(line)?.groups ?? {};
    return place === undefined
      ? []
      : [`${ownFile(place) ?? (place.startsWith('node:') ? 'node' : '(elsewhere)')}:${at}:${column}`];
  });
  return frames.slice(0, mostFrames);
}

/** The last such folder of a path: the program may itself lie in a folder of that name. */
const inProgram = /.*[\\/]((?:electron|shared|chunks|node_modules)[\\/](?:[@\w.-]+[\\/]){0,10}[\w.-]+\.[cm]?[jt]s)$/;
const program = new URL('../../../', import.meta.url);
/** Where the sources are, what is built of them lies below. */
const folders = [fileURLToPath(program), fileURLToPath(new URL('.out/host/', program))];
const known = new Map<string, boolean>();

function ownFile(place: string): string | null {
  const path = inProgram.exec(place)?.[1]?.replaceAll('\\', '/');
  if (path === undefined || path.includes('..')) return null;
  const isOwn = known.get(path) ?? folders.some((folder) => existsSync(join(folder, path)));
  known.set(path, isOwn);
  return isOwn ? path : null;
}

/** Codes of the system, of Node, of SQLite and of TLS. */
function systemCode(code: unknown, redact: Redact): string | number | undefined {
  if (typeof code === 'number') return code;
  return matching(
    /^(?:E[A-Z0-9]{2,20}|(?:ERR|SQLITE|UND|HPE|CERT|UNABLE|DEPTH|SELF|HOSTNAME)_[A-Z0-9_]{2,60})$/,
    typeof code === 'string' ? redact(code) : code,
  );
}

/** An operation, or a step of the code's own. */
export const stepOf = (name: string): string => (isOperationName(name) || knownSteps.has(name) ? name : 'another step');

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const matching = (pattern: RegExp, value: unknown): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const mostFiles = 10;
/** Of each file its end. */
const mostBytesOfAFile = 2 * 1024 * 1024;
const mostCharacters = 6 * 1024 * 1024;
const mostDefects = 200;

export interface FilteredLog {
  /** JSON Lines, oldest first; of a very long log its newest entries. */
  text: string;
  /** Newest first. */
  defects: object[];
}

/**
 * Reads the log with all its older parts, and filters each line; `write` makes JSON of an entry. Throws the system's
 * error where the folder cannot be read.
 */
export function filteredLog(folder: string, redact: Redact, write: (entry: object) => string): FilteredLog {
  const lines: string[] = [];
  const defects: object[] = [];
  let characters = 0;
  for (const line of newestFirst(folder)) {
    const filtered = filteredLogLine(line, redact);
    const text = write(filtered);
    characters += text.length + 1;
    if (characters > mostCharacters) break;
    lines.push(text);
    const { time, id, operation, error } = filtered;
    if (defectId(id) !== undefined && defects.length < mostDefects)
      defects.push({ time, id, operation, error: nameOf(error) });
  }
  return {
    text: lines
      .toReversed()
      .map((line) => `${line}\n`)
      .join(''),
    defects,
  };
}

const nameOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;

function* newestFirst(folder: string): Generator<string, void, void> {
  for (const name of partNames(folder))
    yield* endOf(join(folder, name))
      .split('\n')
      .filter((line) => line.trim() !== '')
      .toReversed();
}

/** `vitrine.log`, then `vitrine.log.1` and the older ones. */
const partNames = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^vitrine\.log(?:\.\d{1,3})?$/.test(name))
    .toSorted((one, other) => ageOf(one) - ageOf(other))
    .slice(0, mostFiles);
const ageOf = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 0);

/** Without the line that the cut went through. */
function endOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - mostBytesOfAFile);
    const bytes = Buffer.alloc(size - from);
    const read = readSync(file, bytes, 0, bytes.length, from);
    const text = bytes.toString('utf8', 0, read);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(file);
  }
}
