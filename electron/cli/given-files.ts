import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fail } from '../../shared/failure-error.ts';
import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';
import { Told } from './told.ts';
import { pathOf } from './typed-path.ts';

/** A file that is meant by what was typed. */
export interface GivenFile {
  /** Absolute. */
  path: string;
  /** As it was typed, and below a folder how to get there from it. */
  shown: string;
  /** The folders between the one that was typed, itself included, and the file, with "/"; "" for a file that was typed itself. */
  folder: string;
}

export interface GivenFiles {
  files: GivenFile[];
  /** Links, devices and the like below folders: they are not followed. */
  leftOut: string[];
}

/**
 * Files that were typed, and all below folders that were, in the order of their names.
 * @throws Told where one is not there; FailureError `file-unreadable`, and `file-gone` for what went meanwhile
 */
export async function givenFiles(terminal: Pick<Terminal, 'complain'>, typed: readonly string[]): Promise<GivenFiles> {
  const found: GivenFiles = { files: [], leftOut: [] };
  for (const shown of typed) {
    const path = pathOf(shown);
    const facts = await factsOf(terminal, shown);
    if (facts.isDirectory()) await below({ top: path, shown, found }, path);
    else if (facts.isFile()) found.files.push({ path, shown, folder: '' });
    else found.leftOut.push(shown);
  }
  return found;
}

/** Of a file or a folder. @throws Told where it is not there; FailureError `file-unreadable` */
export async function factsOf(terminal: Pick<Terminal, 'complain'>, shown: string): Promise<Stats> {
  try {
    return await stat(resolve(shown));
  } catch (error) {
    const { code = 'UNKNOWN' }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
    if (!notThere.has(code)) return fail({ kind: 'file-unreadable', name: shown, code }, error);
    terminal.complain(hasUnreadName(shown) ? `"${shown}" cannot be found by its name, which is no UTF-8. Rename it.` : `There is no file or folder "${shown}". Nothing was done.`);
    throw new Told(exitCodes.notFound);
  }
}

const notThere: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** Bytes of a name that are no UTF-8 come as this character, and nothing is found by it. */
export const hasUnreadName = (path: string): boolean => path.includes('\ufffd');

interface Walk {
  /** The folder that was typed, absolute. */
  top: string;
  shown: string;
  found: GivenFiles;
}

async function below(walk: Walk, folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => unreadable(folder, error));
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const shown = join(walk.shown, relative(walk.top, path));
    if (entry.isDirectory()) await below(walk, path);
    else if (entry.isFile()) walk.found.files.push({ path, shown, folder: relative(join(walk.top, '..'), folder).split(sep).join('/') });
    else walk.found.leftOut.push(shown);
  }
}

const unreadable = (name: string, { code = 'UNKNOWN' }: NodeJS.ErrnoException): never =>
  fail(code === 'ENOENT' ? { kind: 'file-gone', name } : { kind: 'file-unreadable', name, code });
