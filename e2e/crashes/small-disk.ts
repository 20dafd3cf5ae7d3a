import { execFile } from 'node:child_process';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemErrorCode } from '../../shared/disk-failure.ts';

const run = promisify(execFile);
const bytesInAll = 48 * 1024 * 1024;

/** A file system of its own, in memory, that can be filled: the only honest full disk. */
export interface SmallDisk {
  folder: string;
  /** Leaves this much free space, to the page. */
  fill(freeBytes: number): Promise<void>;
  empty(): Promise<void>;
  /** No file may be open there for writing. */
  forbidWriting(): Promise<void>;
  close(): Promise<void>;
}

/** Needs the right to mount. */
export async function mountSmallDisk(folder: string): Promise<SmallDisk> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${bytesInAll}`, 'tmpfs', folder]);
  mounted.add(folder);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: async (freeBytes) => fill(filler, freeBytes),
    empty: async () => rm(filler, { force: true }),
    forbidWriting: async () => void (await run('mount', ['-o', 'remount,ro', folder])),
    close: async () => unmount(folder),
  };
}

const mounted = new Set<string>();

/** Those that are left where a run broke off. */
export async function unmountAll(): Promise<void> {
  for (const folder of mounted) await unmount(folder);
}

/** Lazily: a process that still has a file open there keeps it to its end. */
async function unmount(folder: string): Promise<void> {
  await run('umount', ['--lazy', folder]);
  mounted.delete(folder);
}

/** What others write meanwhile takes space, too: the disk is filled, then space is given back. */
async function fill(filler: string, freeBytes: number): Promise<void> {
  const file = await open(filler, 'w');
  try {
    const piece = Buffer.alloc((await file.stat()).blksize);
    let size = 0;
    for (; await isTaken(file, piece); size += piece.length);
    await file.truncate(Math.max(0, size - freeBytes));
  } finally {
    await file.close();
  }
}

async function isTaken(file: FileHandle, piece: Buffer): Promise<boolean> {
  try {
    return (await file.write(piece)).bytesWritten === piece.length;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOSPC') return false;
    throw error;
  }
}
