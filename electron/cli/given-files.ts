import type { Stats } from 'node:fs';
import { access, constants, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fail, type Failure } from '../../shared/failure.ts';
import { pathOfBytes, pathsLike, readableName, shownPath, systemPath, typedPath } from '../base/name-bytes.ts';
import { type ExitCode, exitCodes, ExitError, wrongUsage } from './exit.ts';
import type { Terminal } from './terminal.ts';

/** A file that is meant by what was typed. */
export interface GivenFile {
  /** Absolute; as text, see `systemPath`. */
  path: string;
  /** As it was typed, and below a folder how to get there from it. Bytes that are no UTF-8 as `\x82`. */
  shown: string;
  /**
   * The folders between the one that was typed, itself included, and the file, with "/"; "" for a file that was typed
   * itself.
   */
  folder: string;
}

interface GivenFiles {
  files: GivenFile[];
  /** Links, devices and the like below folders: they are not followed. */
  leftOut: string[];
  /** Folders that cannot be read, with the reason: nothing below them is among `files`. */
  unread: { shown: string; failure: Failure }[];
}

/**
 * Files that were typed, and all below folders that were, in the order of their names.
 *
 * @throws ExitError where one that was typed is not there; FailureError `file-unreadable` for one that cannot be read
 */
export async function givenFiles(terminal: Pick<Terminal, 'complain'>, typed: readonly string[]): Promise<GivenFiles> {
  const found: GivenFiles = { files: [], leftOut: [], unread: [] };
  for (const given of new Set(typed)) {
    const paths = await namedPaths(given);
    if (paths.length === 0) await factsOf(terminal, given);
    for (const { path, shown } of paths) {
      const facts = await factsOf(terminal, shown, path);
      if (facts.isDirectory()) await below({ top: path, shown, found }, path);
      else if (facts.isFile()) found.files.push({ path, shown, folder: '' });
      else found.leftOut.push(shown);
    }
  }
  return found;
}

/** What arguments are given with in the place of bytes that are no UTF-8. */
const lost = '\ufffd';

/**
 * What an argument names. It may be several files whose names differ in bytes that are no UTF-8 alone: a shell has then
 * named each, and each is meant once. Nothing where there is none.
 */
export async function namedPaths(given: string): Promise<Pick<GivenFile, 'path' | 'shown'>[]> {
  const paths = await pathsLike(typedPath(pathOf(given)));
  return paths.map((path) => ({ path, shown: paths.length === 1 && !given.includes(lost) ? given : shownPath(path) }));
}

/**
 * Of a file or a folder.
 *
 * @throws ExitError where it is not there; FailureError `file-unreadable`
 */
export async function factsOf(
  terminal: Pick<Terminal, 'complain'>,
  shown: string,
  path = typedPath(pathOf(shown)),
): Promise<Stats> {
  try {
    return await stat(systemPath(path));
  } catch (error) {
    const { code = 'UNKNOWN' }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
    if (!notThere.has(code)) return fail({ kind: 'file-unreadable', name: shown, code }, error);
    terminal.complain(`No such file or folder: "${shown}". Nothing was done.`);
    throw new ExitError(exitCodes.notFound);
  }
}

const notThere: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

interface Walk {
  /** The folder that was typed, absolute. */
  top: string;
  shown: string;
  found: GivenFiles;
}

async function below(walk: Walk, folder: string): Promise<void> {
  const listed = await readdir(systemPath(folder), { withFileTypes: true, encoding: 'buffer' }).catch(
    (error: NodeJS.ErrnoException) => unreadable(shownPath(folder), error),
  );
  if ('kind' in listed) {
    walk.found.unread.push({ shown: join(walk.shown, shownPath(relative(walk.top, folder))), failure: listed });
    return;
  }
  const entries = listed
    .map((entry) => ({ entry, name: pathOfBytes(entry.name) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const inside = await readablePath(relative(join(walk.top, '..'), folder));
  for (const { entry, name } of entries) {
    const path = join(folder, name);
    const shown = join(walk.shown, shownPath(relative(walk.top, path)));
    if (entry.isDirectory()) await below(walk, path);
    else if (entry.isFile()) walk.found.files.push({ path, shown, folder: inside });
    else walk.found.leftOut.push(shown);
  }
}

const readablePath = async (path: string): Promise<string> =>
  (await Promise.all(path.split(sep).map((part) => readableName(part)))).join('/');

const unreadable = (name: string, { code = 'UNKNOWN' }: NodeJS.ErrnoException): Failure =>
  code === 'ENOENT' ? { kind: 'file-gone', name } : { kind: 'file-unreadable', name, code };

export const tooManyFiles = (most: number, given: number): string =>
  `at most ${most.toLocaleString('en')} files at a time, not ${given.toLocaleString('en')}`;

export function reportNoFiles(
  { terminal }: { terminal: Pick<Terminal, 'complain'> },
  verb: 'upload' | 'add',
): ExitCode {
  terminal.complain(`No files to ${verb}`);
  return exitCodes.notFound;
}

/** Absolute. An empty argument, such as an unset variable of a script, is not the current folder. @throws UsageError */
export const pathOf = (typed: string): string => (typed === '' ? wrongUsage('a path is empty') : resolve(typed));

/**
 * A folder that can be written to, by its absolute path; it is made where it is not there. @throws FailureError
 * `not-writable`
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await make(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    fail({ kind: 'not-writable', path, code: codeOf(error) }, error);
  }
}

/** Node's own way of making the folders above it too never ends where none can be made, as in /proc. */
async function make(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await make(above);
  await mkdir(path).catch(async (error: unknown) => {
    // Another program may have made it meanwhile.
    if (!(await isFolder(path))) throw error;
  });
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN');
