import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fail } from '../../shared/failure-error.ts';

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

/** Files that were typed, and all below folders that were, in the order of their names. @throws FailureError `file-gone`, `file-unreadable` */
export async function givenFiles(typed: readonly string[]): Promise<GivenFiles> {
  const found: GivenFiles = { files: [], leftOut: [] };
  for (const shown of typed) {
    const path = resolve(shown);
    const facts = await stat(path).catch((error: NodeJS.ErrnoException) => unreadable(shown, error));
    if (facts.isDirectory()) await below({ top: path, shown, found }, path);
    else if (facts.isFile()) found.files.push({ path, shown, folder: '' });
    else found.leftOut.push(shown);
  }
  return found;
}

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
