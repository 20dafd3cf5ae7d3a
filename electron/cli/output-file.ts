import { randomBytes } from 'node:crypto';
import { constants, openSync, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fail, FailureError } from '../../shared/failure.ts';
import type { CommandRun, Flag } from './command.ts';
import { exitCodes, ExitError } from './exit.ts';
import { untilStopped } from './interruption.ts';
import type { Terminal } from './terminal.ts';

const tryAgainMs = 50;

/**
 * Writes into a pipe, once it has a reader. No thread waits for that, as no process ends before its threads do. Rejects
 * when the signal is aborted, with the system's error, and as the pieces do.
 *
 * @returns how many bytes
 */
async function writeIntoPipe(path: string, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
  const pipe = new Socket({ fd: await openedPipe(path, signal), readable: false, writable: true });
  await pipeline(pieces, pipe, { signal });
  return pipe.bytesWritten;
}

async function openedPipe(path: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    const fd = openIfRead(path);
    if (fd !== null) return fd;
    await wait(tryAgainMs, undefined, { signal });
  }
}

/** null: it has no reader yet. */
function openIfRead(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENXIO') return null;
    throw error;
  }
}

export interface OutputFile {
  /** As it was typed; "-" is standard output. */
  out: string;
  /**
   * A file that is there already may be replaced, also one that a link leads to. Devices and pipes are written into.
   */
  isForced: boolean;
  /**
   * A file of CSV begins with a byte order mark for spreadsheets. Standard output, pipes and devices, which programs
   * read, are given none.
   */
  isCsv?: boolean;
}

/** For commands that write one file. */
export const outFlag: Flag = {
  value: 'FILE',
  text: 'output file; - for stdout. A CSV file begins with a byte order mark for spreadsheets',
};
export const forceFlag: Flag = { text: 'replace an existing file' };

/**
 * To be called before anything is prepared.
 *
 * @throws ExitError where the file is there and may not be replaced
 */
export async function refuseExisting(
  terminal: Pick<Terminal, 'complain'>,
  { out, isForced }: OutputFile,
): Promise<void> {
  if (out !== '-' && !isForced && (await isThere(resolve(out)))) throw there(terminal, out);
}

/**
 * Where the file will lie, as operations name a folder: they refuse one that it would come back from. Nowhere: standard
 * output, devices and pipes.
 */
export async function outputFolder(run: Pick<CommandRun, 'client'>, file: OutputFile): Promise<{ folder?: string }> {
  if (file.out === '-') return {};
  const { path, found } = await placeOf(file);
  return found === null || found.isFile() ? { folder: await (await run.client()).nameFolder(dirname(path)) } : {};
}

/**
 * A file appears whole, under its name, or not at all. What is there and is no file, a device or a pipe, takes the
 * bytes as they come.
 * @returns how many. Fails with `disk-full`, `not-writable`, and as its bytes do
 */
export async function writeOut(
  { terminal, signal }: Pick<CommandRun, 'terminal' | 'signal'>,
  file: OutputFile,
  given: AsyncIterable<Uint8Array>,
): Promise<number> {
  const pieces = untilStopped(signal, given);
  const forPrograms = (): AsyncIterable<Uint8Array> => (file.isCsv === true ? withoutMark(pieces) : pieces);
  if (file.out === '-') return toTerminal(terminal, forPrograms());
  const { path, found } = await placeOf(file);
  if (found?.isFIFO()) return intoPipe(path, forPrograms(), signal);
  if (found && !found.isFile()) return written(await openFor(path, 'w'), path, forPrograms());
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`);
  const handle = await openFor(part, 'wx');
  try {
    const bytes = await written(handle, path, pieces);
    await take(terminal, { ...file, part, path });
    return bytes;
  } finally {
    await rm(part, { force: true });
  }
}

const mark = [0xef, 0xbb, 0xbf];

/** The mark is in the first piece, with the head of the table. */
async function* withoutMark(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let isFirst = true;
  for await (const piece of pieces) {
    yield isFirst && mark.every((byte, at) => piece[at] === byte) ? piece.subarray(mark.length) : piece;
    isFirst = false;
  }
}

const placeOf = async ({ out, isForced }: OutputFile): Promise<{ path: string; found: Stats | null }> =>
  isForced ? behindLinks(resolve(out)) : { path: resolve(out), found: null };

/** Where a link leads, and what is there, if anything is; a link that leads nowhere fails with `not-writable`. */
async function behindLinks(path: string): Promise<{ path: string; found: Stats | null }> {
  if (!(await isThere(path))) return { path, found: null };
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => notWritten(path, error));
  const found = await stat(real).catch((error: NodeJS.ErrnoException) => notWritten(path, error));
  return { path: real, found };
}

const intoPipe = (path: string, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> =>
  writeIntoPipe(path, pieces, signal).catch((error: unknown) => {
    if (signal.aborted || error instanceof FailureError) throw error;
    return notWritten(path, error instanceof Error ? error : new Error(String(error)));
  });

async function toTerminal(terminal: Pick<Terminal, 'bytes'>, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    await terminal.bytes(piece);
  }
  return bytes;
}

/** Where a new file cannot be made, it is the folder that takes nothing. */
const openFor = (path: string, how: 'w' | 'wx'): Promise<FileHandle> =>
  open(path, how, 0o600).catch((error: NodeJS.ErrnoException) =>
    notWritten(how === 'wx' ? dirname(path) : path, error),
  );

/** `path`: what the file will be called, where it is written under another name first; failures name it. */
async function written(handle: FileHandle, path: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.byteLength;
      await handle.appendFile(piece).catch((error: NodeJS.ErrnoException) => notWritten(path, error));
    }
    // A device has nothing to sync.
    if ((await handle.stat()).isFile())
      await handle.sync().catch((error: NodeJS.ErrnoException) => notWritten(path, error));
    return bytes;
  } finally {
    await handle.close();
  }
}

/** A second name is given only where there is none: a rename would replace what came meanwhile. */
async function take(
  terminal: Pick<Terminal, 'complain'>,
  { part, path, out, isForced }: OutputFile & { part: string; path: string },
): Promise<void> {
  if (isForced) return rename(part, path).catch((error: NodeJS.ErrnoException) => notWritten(path, error));
  try {
    await link(part, path);
  } catch (error) {
    if (isCode(error, 'EEXIST') || (await isThere(path))) throw there(terminal, out);
    // A disk without second names.
    await rename(part, path).catch((failed: NodeJS.ErrnoException) => notWritten(path, failed));
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

function notWritten(path: string, { code = 'UNKNOWN' }: NodeJS.ErrnoException): never {
  return fail(
    code === 'ENOSPC' || code === 'EDQUOT' ? { kind: 'disk-full', path } : { kind: 'not-writable', path, code },
  );
}

function there(terminal: Pick<Terminal, 'complain'>, out: string): ExitError {
  terminal.complain(`${out} exists and was not changed. Replace it with --force.`);
  return new ExitError(exitCodes.refused);
}
