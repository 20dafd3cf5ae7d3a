import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, lstatSync } from 'node:fs';
import { type FileHandle, open, readdir, rename } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../../shared/domain/hash.ts';
import { readJson } from '../database/stored-json.ts';
import type { CopiedFile, CopyRules } from '../directory/folder-copy.ts';
import { lockNames, moveRules, pathInside } from '../directory/move-plan.ts';

/** That a date can be. */
const latestMs = 8.64e15;
/** So much is lost when a time is given to a file that was restored. */
const sameTimeMs = 0.001;

/** `changedMs` is the time of the file that was copied; null for a file that is read again each time. */
const listedFile = z.object({
  path: z.string(),
  sizeBytes: z.number().int().nonnegative(),
  changedMs: z.number().min(-latestMs).max(latestMs).nullable(),
  sha256,
});
const entry = z.union([z.object({ folder: z.string() }), listedFile]);
export type BackupEntry = z.infer<typeof entry>;
export type BackedUpFile = z.infer<typeof listedFile>;

/** On every system alike: a backup is restored on any. */
const portable = (path: string): string => path.split(sep).join('/');
const isListName = (name: string): boolean => /^[0-9a-f]{32}\.jsonl(?:\.unfinished)?$/.test(name);
const linesKept = 500;
/** The longest path that a system takes, each unit of it escaped. */
const longestLine = 256 * 1024;

/**
 * The list of files in one state of a backup, written during the copy: after an interrupted backup, it names the files
 * that the next one need not copy. Throws the system's errors.
 */
export class BackupListWriter {
  readonly name: string;
  readonly #folder: string;
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #lines: string[] = [];

  private constructor(folder: string, name: string, file: FileHandle) {
    this.#folder = folder;
    this.name = name;
    this.#file = file;
  }

  static async open(folder: string): Promise<BackupListWriter> {
    const name = `${randomBytes(16).toString('hex')}.jsonl`;
    return new BackupListWriter(folder, name, await open(`${join(folder, name)}.unfinished`, 'wx', 0o600));
  }

  async add(line: BackupEntry): Promise<void> {
    const kept = 'folder' in line ? { folder: portable(line.folder) } : { ...line, path: portable(line.path) };
    this.#lines.push(`${JSON.stringify(kept)}\n`);
    if (this.#lines.length >= linesKept) await this.flush();
  }

  /** So that a crash from now on does not cost what was added. */
  async flush(): Promise<void> {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#hash.update(text);
    await this.#file.appendFile(text);
  }

  /** Brings it to the disk under its name. @returns its SHA-256 */
  async finish(): Promise<string> {
    await this.flush();
    await this.#file.sync();
    await this.#file.close();
    await rename(`${join(this.#folder, this.name)}.unfinished`, join(this.#folder, this.name));
    return this.#hash.digest('hex');
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** null for a line that is none, or names a place that is not inside. Throws the system's errors. */
export async function* readBackupList(path: string): AsyncGenerator<BackupEntry | null, void, void> {
  const bytes = createReadStream(path, 'utf8');
  try {
    for await (const line of boundedLines(bytes, longestLine)) yield line === null ? null : entryOf(line);
  } finally {
    bytes.destroy();
  }
}

function entryOf(line: string): BackupEntry | null {
  const read = entry.safeParse(readJson(line)).data ?? null;
  if (read === null) return null;
  const path = pathInside.safeParse(('folder' in read ? read.folder : read.path).split('/').join(sep)).data;
  if (path === undefined || !isOfBackup(path)) return null;
  return 'folder' in read ? { folder: path } : { ...read, path };
}

/** Every list in the folder, of states that are whole, were, or never became so. Throws the system's errors. */
export async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter(isListName);
}

/** What the lists in a backup say. What cannot be read of them is not known. */
export interface EarlierStates {
  /** Of each path; of the same path whichever was read last. */
  files: ReadonlyMap<string, BackedUpFile>;
  /** SHA-256s of Vitrine's own database, as each state has it. */
  databases: ReadonlySet<string>;
}

/** `whole`: the list in force. Throws the system's errors. */
export async function earlierStates(folder: string, whole: string | null): Promise<EarlierStates> {
  const [files, databases] = [new Map<string, BackedUpFile>(), new Set<string>()];
  // The state in force first: one that was begun since knows better.
  const names = (await listNames(folder)).toSorted((one, other) => Number(other === whole) - Number(one === whole));
  for (const name of names) {
    for await (const line of readBackupList(join(folder, name))) {
      if (line === null || 'folder' in line) continue;
      files.set(line.path, line);
      if (line.path === databaseName) databases.add(line.sha256);
    }
  }
  return { files, databases };
}

/** All bytes that any list names. Throws the system's errors. */
export async function digestsIn(folder: string): Promise<Set<string>> {
  const digests = new Set<string>();
  for (const name of await listNames(folder)) {
    for await (const line of readBackupList(join(folder, name)))
      if (line !== null && 'path' in line) digests.add(line.sha256);
  }
  return digests;
}

export const isUnchanged = (file: CopiedFile, known: BackedUpFile | undefined): known is BackedUpFile =>
  known !== undefined &&
  known.sizeBytes === file.sizeBytes &&
  known.changedMs !== null &&
  Math.abs(known.changedMs - file.changedMs) < sameTimeMs;

/** Vitrine's own. */
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
/** The files that SQLite keeps beside an open database, and that a killed process leaves behind. */
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

/** What is copied as files of data that is in use. */
export const backupRules: CopyRules = {
  leftOut: { has: (path) => leftOut.has(path) || moveRules.leftOut.has(path) || isUnfinished(path) },
  loose: new Set(),
  isInUse: true,
  refusal: 'backup-refused',
};

/**
 * Whether a backup can have a file or a folder of that path: none that leads into the data, or that a run keeps for
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

/** Those that are there: data without a lab has one. Throws the system's errors. */
export function databasesIn(directory: string): FoundDatabase[] {
  return databaseNames.flatMap((path) => {
    const sizes = [path, `${path}-wal`].map(
      (name) => lstatSync(join(directory, name), { throwIfNoEntry: false })?.size,
    );
    return sizes[0] === undefined ? [] : [{ path, sizeBytes: sizes[0] + (sizes[1] ?? 0) }];
  });
}

/**
 * The lines of a text that comes in pieces, without their ends; null for one that is longer than `most` UTF-16 units,
 * of which no more is held than that and a piece.
 */
async function* boundedLines(pieces: AsyncIterable<string>, most: number): AsyncGenerator<string | null, void, void> {
  let line = '';
  const whole = (): string | null => (line.length > most ? null : line);
  for await (const piece of pieces) {
    for (const [at, part] of piece.split('\n').entries()) {
      if (at > 0) {
        yield whole();
        line = '';
      }
      if (line.length <= most) line += part;
    }
  }
  if (line !== '') yield whole();
}
