import { constants, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { pathsLike, systemPath, typedPath } from '../base/name-bytes.ts';
import { allOf, readText } from './all-input.ts';
import { UsageError, wrongUsage } from './usage-error.ts';

export interface NamedFile {
  path: string;
  /** That named it, without its dashes. */
  option: string;
  /** Aborted by Ctrl-C: a pipe that nobody writes into is waited for no longer. */
  signal: AbortSignal;
}

const mostTextMiB = 1;
const usualPiece = 64 * 1024;

/** All of a file as text. @throws UsageError where it cannot be read, is no text, or longer than anybody types */
export async function fileText(file: NamedFile): Promise<string> {
  return readText(await fileBytes(file, mostTextMiB), `--${file.option}: ${file.path}`);
}

/** All of a file. @throws UsageError where it cannot be read, or is longer than `mostMiB` */
export async function fileBytes({ path, option, signal }: NamedFile, mostMiB: number): Promise<Uint8Array> {
  try {
    // Of several names that are given alike the first is meant.
    const [like = path] = await pathsLike(typedPath(path));
    return await allOf(
      await piecesOf(like, signal),
      mostMiB * 1024 * 1024,
      `--${option}: ${path} has more than ${mostMiB} MiB`,
    );
  } catch (error) {
    if (signal.aborted || error instanceof UsageError || !(error instanceof Error)) throw error;
    return wrongUsage(`--${option}: ${unreadable(path, error)}`);
  }
}

/** Why a file cannot be read, without a full stop. */
export function unreadable(shown: string, error: Error): string {
  const code = 'code' in error ? String(error.code) : error.message;
  if (code === 'EISDIR') return `${shown} is a folder`;
  if (code === 'ENOENT' || code === 'ENOTDIR') return `${shown} does not exist`;
  return code === 'EACCES' ? `no permission to read ${shown}` : `cannot read ${shown} (${code})`;
}

/**
 * The bytes of a file, a few at a time. `path` is as `systemPath` takes it. A thread that waits for a pipe cannot be
 * called off, and no process ends before it: a pipe is read without one.
 */
export async function piecesOf(
  path: string,
  signal: AbortSignal,
  highWaterMark = usualPiece,
): Promise<AsyncIterable<Uint8Array>> {
  const where = systemPath(path);
  if (!(await stat(where)).isFIFO()) return createReadStream(where, { signal, highWaterMark });
  const fd = openSync(where, constants.O_RDONLY | constants.O_NONBLOCK);
  return addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }));
}
