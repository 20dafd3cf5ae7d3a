import { lstatSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { CopyRules } from './folder-copy.ts';
import { lockNames, moveRules } from './move-plan.ts';

/** The desk's own. */
export const databaseName = 'vitrine.db';
/** Databases of the data directory that may be open, and are copied by SQLite. */
const databaseNames: readonly string[] = [databaseName, join('lab', 'lab.db')];
/**
 * What a running program keeps there for itself: its log, its browser's profile, a way to it, what is still arriving.
 */
const ownNames: readonly string[] = [
  'logs',
  'page',
  'open-vitrine.html',
  join('vault', 'incoming'),
  join('lab', 'vault', 'incoming'),
];
/** What SQLite keeps beside a database that is open, and whoever is killed leaves there. */
const besideDatabase = (name: string): string[] => ['-wal', '-shm', '-journal'].map((ending) => name + ending);
export const besideOwnDatabase: readonly string[] = besideDatabase(databaseName);
const namedPaths: readonly string[] = [
  ...lockNames,
  ...ownNames,
  ...databaseNames.flatMap((name) => [name, ...besideDatabase(name)]),
];
const leftOut: ReadonlySet<string> = new Set(namedPaths);
/** As many parts has a path at the most that is left out by its name. */
const mostNamedParts = Math.max(...[...namedPaths, ...moveRules.leftOut].map((path) => path.split(sep).length));

/** Files that have no name yet. Only those of upload drafts bear theirs for good. */
const isUnfinished = (path: string): boolean =>
  path.endsWith('.unfinished') || (path.endsWith('.part') && !path.startsWith(`staging${sep}`));

/** What of a desk that is open is copied as files. */
export const backupRules: CopyRules = {
  leftOut: { has: (path) => leftOut.has(path) || moveRules.leftOut.has(path) || isUnfinished(path) },
  loose: new Set(),
  isInUse: true,
  refusal: 'backup-refused',
};

/**
 * Whether a backup can have a file or a folder of that path: none that leads into a desk, or that a run keeps for
 * itself. Also where case does not count.
 */
export function isOfBackup(path: string): boolean {
  const parts = path.toLowerCase().split(sep);
  if (databaseNames.includes(parts.join(sep))) return true;
  const [first = '', ...inside] = parts;
  // One after the other, as there may be thousands of them: further down only the ending of a name counts, and the
  // folder at the top.
  if (inside.some((part) => isUnfinished(first + sep + part))) return false;
  return parts
    .slice(0, mostNamedParts)
    .every((_, depth) => !backupRules.leftOut.has(parts.slice(0, depth + 1).join(sep)));
}

export interface FoundDatabase {
  path: string;
  /** With what is in its log alone. */
  sizeBytes: number;
}

/** Those that are there: a desk without a lab has one. Throws the system's errors. */
export function databasesIn(directory: string): FoundDatabase[] {
  return databaseNames.flatMap((path) => {
    const sizes = [path, `${path}-wal`].map(
      (name) => lstatSync(join(directory, name), { throwIfNoEntry: false })?.size,
    );
    return sizes[0] === undefined ? [] : [{ path, sizeBytes: sizes[0] + (sizes[1] ?? 0) }];
  });
}
