import { hash } from 'node:crypto';
import { constants, existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { copyFile, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemErrorCode } from '../../../../shared/disk-failure.ts';
import { ignoreMissing, moveIntoPlace, syncFolder } from '../../../base/files.ts';
import type { DataLock } from '../../../storage/directory/data-lock.ts';
import { throwWriteFailure } from '../../../vault/disk-failures.ts';
import { SampleFiles } from '../../../vault/sample-files.ts';
import { newId, prepareFolder, unfinishedPath } from '../../../vault/vault-folder.ts';
import { OperatorError } from '../../errors.ts';
import type { MetadataStore } from '../metadata-store.ts';
import { holdLab, labLockName } from './folder-stores.ts';
import { labDatabaseName, openSqliteMetadata } from './sqlite-metadata-store.ts';

/** A folder that a move reads. */
export interface FolderToRead {
  metadata: MetadataStore;
  /** Where the container of these bytes is, or would be. */
  containerAt(sha256: string): string;
  /** Whether another process has changed the metadata since: commands about tokens do so without the lock. */
  isChanged(): Promise<boolean>;
  close(): Promise<void>;
}

/** A folder that a move writes. */
export interface FolderToFill {
  metadata: MetadataStore;
  /** Where the container of these bytes is, or would be. */
  containerAt(sha256: string): string;
  /** Where a container can be written before it is whole. */
  newPath(): string;
  /** Puts synced containers in their places; durable. */
  moveIn(files: readonly { path: string; sha256: string }[]): Promise<void>;
  /** From here on it is a lab's folder like any other. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

const vaultName = 'vault';
/** SQLite's own files; what it keeps in memory beside them is made again. */
const databaseFiles = [labDatabaseName, `${labDatabaseName}-wal`];
const snapshotAttempts = 5;

/**
 * The folder of a lab that is not running, held for this process and read without a change: its database is copied into
 * a temporary folder, as SQLite writes files beside a database that it only reads, and a database of an older release
 * has to be brought to this one. Fails with OperatorError where no lab is, else as `openFolderStores`.
 */
export async function openFolderToRead(directory: string): Promise<FolderToRead> {
  if (!existsSync(join(directory, labDatabaseName))) throw new OperatorError(`There is no lab in ${directory}.`);
  const held = holdLab(directory);
  const copies = join(tmpdir(), `vitrine-lab-move-${hash('sha256', realpathSync(directory)).slice(0, 16)}-`);
  const discard = async (): Promise<void> => {
    await removeCopies(copies);
    held.release();
  };
  try {
    // A killed process has left its own.
    await removeCopies(copies);
    const copy = mkdtempSync(copies);
    const state = await snapshot(directory, copy).catch((error: unknown) => throwWriteFailure(error, copy));
    const metadata = openSqliteMetadata(copy);
    const files = new SampleFiles(join(directory, vaultName));
    return {
      metadata,
      containerAt: (sha256) => files.pathOf(sha256),
      isChanged: async () => (await stateOf(directory)) !== state,
      close: async () => {
        await metadata.close();
        await discard();
      },
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** While the folder is held, no other process uses one. */
async function removeCopies(copies: string): Promise<void> {
  for (const name of await readdir(dirname(copies))) {
    if (!name.startsWith(basename(copies))) continue;
    // Another user can have made one where all may write.
    await rm(join(dirname(copies), name), { recursive: true, force: true }).catch((error: unknown) => {
      if (!['EPERM', 'EACCES'].includes(systemErrorCode(error) ?? '')) throw error;
    });
  }
}

/** @returns the state that was copied */
async function snapshot(directory: string, copy: string): Promise<string> {
  for (let attempt = 1; attempt <= snapshotAttempts; attempt += 1) {
    const before = await stateOf(directory);
    for (const name of databaseFiles) {
      await rm(join(copy, name), { force: true });
      await ignoreMissing(copyFile(join(directory, name), join(copy, name), constants.COPYFILE_FICLONE));
    }
    if ((await stateOf(directory)) === before) return before;
  }
  throw new OperatorError(`The database in ${directory} is being changed. Try again.`);
}

/** Changes with each write to the database. */
async function stateOf(directory: string): Promise<string> {
  const states = databaseFiles.map(async (name) => {
    const found = await ignoreMissing(stat(join(directory, name), { bigint: true }));
    return found === null ? '-' : [found.ino, found.size, found.mtimeNs].join(' ');
  });
  return (await Promise.all(states)).join('\n');
}

/** Its content names the lab that is moved here. */
const markName = 'lab-move.unfinished';
const namesBeforeTheMark = new Set<string>([labLockName, `${markName}.part`]);

/**
 * An empty folder, made if need be, or one that a move of the same lab began and did not finish; held for this process.
 * `lab` names the lab. Fails with OperatorError for any other folder, which stays as it is; else as `openFolderStores`.
 */
export async function openFolderToFill(directory: string, lab: string): Promise<FolderToFill> {
  await requireFillable(directory, lab);
  const held = holdLab(directory);
  try {
    await requireFillable(directory, lab);
    await writeMark(directory, lab);
    return await folderToFill(held, directory);
  } catch (error) {
    held.release();
    throw error;
  }
}

async function requireFillable(directory: string, lab: string): Promise<void> {
  const names = (await ignoreMissing(readdir(directory))) ?? [];
  if (names.every((name) => namesBeforeTheMark.has(name))) return;
  const mark = await ignoreMissing(readFile(join(directory, markName), 'utf8'));
  if (mark === null) throw new OperatorError(`${directory} is not empty. A lab is moved into an empty folder.`);
  if (mark !== lab) throw new OperatorError(`${directory} holds the unfinished move of another lab: ${mark}.`);
}

async function writeMark(directory: string, lab: string): Promise<void> {
  const path = join(directory, `${markName}.part`);
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(lab);
    await file.sync();
  } finally {
    await file.close();
  }
  await moveIntoPlace(path, join(directory, markName));
}

async function folderToFill(held: DataLock, directory: string): Promise<FolderToFill> {
  const vault = join(directory, vaultName);
  const incoming = join(vault, 'incoming');
  await prepareFolder(incoming);
  const metadata = openSqliteMetadata(directory);
  const files = new SampleFiles(vault);
  return {
    metadata,
    containerAt: (sha256) => files.pathOf(sha256),
    newPath: () => unfinishedPath(incoming, newId()),
    moveIn: (finished) => files.moveIn(finished),
    finish: async () => {
      await rm(join(directory, markName));
      await syncFolder(directory);
    },
    close: async () => {
      await metadata.close();
      held.release();
    },
  };
}
