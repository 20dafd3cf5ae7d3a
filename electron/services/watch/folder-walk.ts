import { isUtf8 } from 'node:buffer';
import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { asPlainFile } from '../../base/name-bytes.ts';
import { isBackup } from '../../storage/backup/backup-folder.ts';
import type { FolderFile } from '../../storage/uploads/watch-store.ts';
import { isMissingCode } from '../../vault/staging/staged-bytes.ts';

/**
 * Of one folder: some of its files, and what is not looked into, with the reason. Names are those inside the watched
 * folder, with `/`.
 */
export interface WalkedPage {
  files: FolderFile[];
  shut: Shut[];
}

interface Shut {
  path: string;
  failure: Failure;
}

interface WalkOptions {
  /** Folders are entered up to this depth; the watched one has 0. */
  depth: number;
  /** Files in all. */
  limit: number;
  signal: AbortSignal;
  /** Called with each folder before it is read. */
  entered(path: string): void;
}

const namesATurn = 256;

/**
 * The files of a folder and of those below `from`, in pages. Links are not followed, and devices, pipes and sockets are
 * none. What goes meanwhile is passed over, and a backup of Vitrine is shut.
 *
 * @throws FailureError `watch-too-many`, and the system's error where the folder itself cannot be read
 */
export async function* walkFolder(
  root: string,
  options: WalkOptions,
  from = '',
): AsyncGenerator<WalkedPage, void, void> {
  let files = 0;
  const folders = [from];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const page of pagesOf(root, folder, options)) {
      files += page.files.length;
      if (files > options.limit) fail({ kind: 'watch-too-many', path: root, limit: options.limit });
      folders.push(...page.folders);
      yield page;
    }
  }
}

type FolderPage = WalkedPage & { folders: string[] };

async function* pagesOf(root: string, folder: string, options: WalkOptions): AsyncGenerator<FolderPage, void, void> {
  // Vitrine's own data is no news to it, and bytes that come and go with each backup are no one's samples.
  if (await isBackup(join(root, folder))) {
    yield { files: [], folders: [], shut: backupAt(folder) };
    return;
  }
  options.entered(folder);
  try {
    const names = await opendir(join(root, folder), { bufferSize: namesATurn });
    let areRead = true;
    for await (const entries of inGroups(names)) {
      options.signal.throwIfAborted();
      areRead &&= !entries.some(({ name }) => name.includes(replacement));
      yield await pageOf(root, folder, entries, options);
    }
    if (!areRead) yield { files: [], folders: [], shut: await unreadNames(root, folder) };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null || folder === '') throw error;
    if (!isMissingCode(code)) yield { files: [], folders: [], shut: [shutBy(folder, code)] };
  }
}

/** In a name, it replaces bytes that are no UTF-8; or is itself. */
const replacement = '\u{fffd}';

/** Nothing is found under the replacement characters: such names are shown by their bytes. */
async function unreadNames(root: string, folder: string): Promise<Shut[]> {
  const names = await readdir(join(root, folder), { encoding: 'buffer' });
  return names.filter((name) => !isUtf8(name)).map((name) => shutBy(inFolder(folder, bytesShown(name)), 'EILSEQ'));
}

const bytesShown = (name: Buffer): string =>
  name
    .toString('latin1')
    .replaceAll(/[\\\x80-\xff]/g, (byte) => (byte === '\\' ? '\\\\' : `\\x${byte.charCodeAt(0).toString(16)}`));

const shutBy = (path: string, code: string): Shut => ({
  path,
  failure: { kind: 'file-unreadable', name: posix.basename(path), code },
});
/** The watched folder itself is not watched while it is one. */
const backupAt = (folder: string): Shut[] =>
  folder === '' ? [] : [{ path: folder, failure: { kind: 'watch-refused', path: folder, reason: 'inside-backup' } }];

async function* inGroups(names: AsyncIterable<Dirent>): AsyncGenerator<Dirent[], void, void> {
  let group: Dirent[] = [];
  for await (const name of names) {
    group.push(name);
    if (group.length < namesATurn) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

async function pageOf(
  root: string,
  folder: string,
  entries: readonly Dirent[],
  { depth }: WalkOptions,
): Promise<FolderPage> {
  const pathOf = ({ name }: Dirent): string => inFolder(folder, name);
  const found = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => folderFile(root, pathOf(entry))),
  );
  const isDeep = folder !== '' && folder.split('/').length >= depth;
  return {
    files: found.filter((file) => file !== null),
    folders: isDeep ? [] : entries.filter((entry) => entry.isDirectory()).map(pathOf),
    shut: [],
  };
}

const inFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** null for what is gone, or is no file. @throws the system's error */
async function folderFile(root: string, path: string): Promise<FolderFile | null> {
  const found = await statOf(root, path);
  return found?.isFile() ? { path, sizeBytes: found.size, changedMs: found.mtimeMs } : null;
}

/** Whether a path inside the watched folder lies in a backup there. */
export async function liesInBackup(root: string, path: string): Promise<boolean> {
  const folder = posix.dirname(path);
  return (await isBackup(join(root, folder))) || (folder !== '.' && (await liesInBackup(root, folder)));
}

/** Of the link itself, where it is one; null for what is gone. @throws the system's error */
export async function statOf(root: string, path: string): Promise<Stats | null> {
  try {
    return await asPlainFile(() => lstat(join(root, path)));
  } catch (error) {
    if (isMissingCode(systemErrorCode(error))) return null;
    throw error;
  }
}
