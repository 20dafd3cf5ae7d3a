import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { defectId, filteredLogLine, type Redact } from './log-filter.ts';

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
    const entry = filteredLogLine(line, redact);
    const text = write(entry);
    characters += text.length + 1;
    if (characters > mostCharacters) break;
    lines.push(text);
    const { time, id, operation, error } = entry;
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
