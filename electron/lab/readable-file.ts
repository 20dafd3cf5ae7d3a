import { constants, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { labPassword } from '../../shared/domain/lab.ts';
import { WrongArguments } from './command-line.ts';

/** A file on this computer that cannot be read; the message is for a person. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

type Pieces = AsyncGenerator<Uint8Array, void, void>;

/**
 * All of a file, and of nothing else: a pipe without a writer never ends, and a device gives bytes for ever.
 *
 * @throws UnreadableFile
 */
export async function* readable(path: string): Pieces {
  try {
    yield* await pieces(path);
  } catch (error) {
    throw unreadable(error, path);
  }
}

/** The same, also of a pipe, which is waited for so long in all. @throws UnreadableFile */
export async function* readableOrPiped(path: string, withinMs: number): Pieces {
  const isPipe = await stat(path).then(
    (found) => found.isFIFO(),
    () => false,
  );
  yield* isPipe ? piped(path, withinMs) : readable(path);
}

async function* piped(path: string, withinMs: number): Pieces {
  const signal = AbortSignal.timeout(withinMs);
  try {
    // As a socket: a thread that waits for a pipe cannot be called off, and no process ends before it.
    yield* addAbortSignal(
      signal,
      new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false }),
    );
  } catch (error) {
    throw signal.aborted
      ? new UnreadableFile(`${path} is a pipe that did not end within ${withinMs / 1000} seconds.`, { cause: error })
      : unreadable(error, path);
  }
}

async function pieces(path: string): Promise<AsyncIterable<Uint8Array>> {
  // Without O_NONBLOCK, opening a pipe waits for a writer. Windows has neither: there it is undefined, which as a bit
  // is none.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file.createReadStream({ highWaterMark: 1024 * 1024 });
  await file.close();
  throw new UnreadableFile(`${path} is no file.`);
}

function unreadable(error: unknown, path: string): unknown {
  const code = systemErrorCode(error);
  return code === null ? error : new UnreadableFile(`${path} cannot be read (${code}).`, { cause: error });
}

/** No first line is longer that holds a password. */
const readBytesAtMost = 4 * 1024;
/** A shell passes the output of a command, such as a password store, as a pipe. */
const pipeEndsWithinMs = 10_000;
const lineEnd = 0x0a;

/** The first line of a file, in UTF-8. @throws WrongArguments when it is no password, UnreadableFile */
export async function readPasswordFile(path: string): Promise<string> {
  const [line = ''] = (await beginningOf(path))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/, 1);
  const password = labPassword.shape.password.safeParse(line).data ?? '';
  if (password === '' || password.includes('\ufffd'))
    throw new WrongArguments('The first line of the password file must be 1 to 128 characters of UTF-8.');
  return password;
}

async function beginningOf(path: string): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of readableOrPiped(path, pipeEndsWithinMs)) {
    read.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes >= readBytesAtMost || piece.includes(lineEnd)) break;
  }
  return Buffer.concat(read).subarray(0, readBytesAtMost);
}
