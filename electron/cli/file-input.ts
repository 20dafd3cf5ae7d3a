import { constants, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { pathsLike, systemPath, typedPath } from '../base/name-bytes.ts';
import { UsageError, wrongUsage } from './exit.ts';
import type { Terminal } from './terminal.ts';

export interface NamedFile {
  path: string;
  /** That named it, without its dashes. */
  option: string;
  /** Aborted by Ctrl-C: a pipe without a writer is waited for no longer. */
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

const mostBytes = 1024 * 1024;

/**
 * All of standard input as text. @throws UsageError where it is a terminal, is no text, or longer than anybody types
 */
export async function allInput(terminal: Pick<Terminal, 'input'>): Promise<string> {
  const pieces = terminal.input() ?? wrongUsage('stdin is a terminal: pipe the text, or use a file');
  return readText(await allOf(pieces, mostBytes, 'stdin has more than 1 MiB'), 'stdin');
}

/** What comes in pieces, whole. @throws UsageError in the words of `tooMuch` beyond `most` bytes */
export async function allOf(pieces: AsyncIterable<Uint8Array>, most: number, tooMuch: string): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > most) wrongUsage(tooMuch);
    kept.push(piece);
  }
  return Buffer.concat(kept);
}

/**
 * UTF-8, or the UTF-16 that Windows PowerShell writes. @throws UsageError where it is neither, in which `place` is what
 * it came from
 */
export function readText(bytes: Uint8Array, place: string): string {
  const text = decoded(bytes);
  return text === null || text.includes('\0') ? wrongUsage(`${place} is not UTF-8 text`) : text;
}

/** The mark at its beginning is no part of it. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Decided by the mark that UTF-16 begins with. */
const encodingOf = (bytes: Uint8Array): 'utf-16le' | 'utf-8' =>
  bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
