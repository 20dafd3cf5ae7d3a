import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  type BodyReader,
  type ContainerFacts,
  containerOverheadBytes,
  DamagedContainerError,
  headerBytes,
  readBody,
  readFacts,
  trailerBytes,
} from './container.ts';

/**
 * Reads the facts about the sample from the container at `path`, without its body. `sha256`, where it is known, must
 * match.
 *
 * @throws DamagedContainerError, or the system's error
 */
export async function readContainerFacts(path: string, sha256: string | null): Promise<ContainerFacts> {
  const file = await openFile(path);
  try {
    return (await readEnds(file, sha256)).facts;
  } finally {
    await file.close();
  }
}

/**
 * The sample in the container at `path`, in pieces of the size that the open file gives. The last piece, which may be
 * shorter, is given out only when the whole is as it was written, so a reader that counts bytes never takes a damaged
 * sample for complete.
 *
 * @throws DamagedContainerError, or the system's error
 */
export async function* readContainer(
  path: string,
  sha256: string | null,
  opening: OpenFile = openFile,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const file = await opening(path);
  try {
    const { body, facts } = await readEnds(file, sha256);
    const end = headerBytes + facts.sizeBytes;
    const { pieceBytes, readBytes } = file;
    const sealed = Buffer.allocUnsafeSlow(Math.min(readBytes, facts.sizeBytes));
    for (let position = headerBytes; position < end; position += readBytes) {
      const read = sealed.subarray(0, Math.min(readBytes, end - position));
      await fill(file, read, position);
      for (let at = 0; at < read.length; at += pieceBytes) {
        const piece = body.update(read.subarray(at, at + pieceBytes));
        if (position + at + piece.length === end) body.requireWhole();
        yield piece;
      }
    }
    if (facts.sizeBytes === 0) body.requireWhole();
  } finally {
    await file.close();
  }
}

async function readEnds(
  file: ReadableFile,
  sha256: string | null,
): Promise<{ body: BodyReader; facts: ContainerFacts }> {
  const { sizeBytes } = file;
  if (sizeBytes < containerOverheadBytes) throw new DamagedContainerError('cut off');
  const header = await readExactly(file, 0, headerBytes);
  const trailer = await readExactly(file, sizeBytes - trailerBytes, trailerBytes);
  const facts = readFacts(header, trailer, sizeBytes);
  if (sha256 !== null && facts.sha256 !== sha256) throw new DamagedContainerError('another sample');
  return { body: readBody(header, trailer), facts };
}

async function readExactly(file: ReadableFile, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  await fill(file, buffer, position);
  return buffer;
}

/** An open file. Its calls throw the system's errors. */
export interface ReadableFile {
  readonly sizeBytes: number;
  /** May read less than the buffer holds; 0 at the end. */
  read(buffer: Uint8Array, position: number): number | Promise<number>;
  close(): void | Promise<void>;
}

/** A file that is read from its beginning to its end. */
interface FileInPieces extends ReadableFile {
  /** How many bytes are given out at a time; at the end there may be fewer. */
  readonly pieceBytes: number;
  /** How many are read at a time: one piece or some. */
  readonly readBytes: number;
}

export type OpenFile = (path: string) => FileInPieces | Promise<FileInPieces>;

const pieceBytes = 128 * 1024;
/** The way to the disk and back costs as much as decrypting a piece. */
const readBytes = 4 * pieceBytes;

/** For a thread that has other things to do. */
export const openFile: OpenFile = async (path) => {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    sizeBytes: size,
    pieceBytes,
    readBytes,
    read: async (buffer, position) => (await handle.read(buffer, 0, buffer.length, position)).bytesRead,
    close: () => handle.close(),
  };
};

/** For a worker that reads and does nothing else: a third of the time, since no other thread is asked. */
export const openBlocking: OpenFile = (path) => {
  const file = openSync(path, 'r');
  return {
    sizeBytes: fstatSync(file).size,
    pieceBytes,
    readBytes,
    read: (buffer, position) => readSync(file, buffer, 0, buffer.length, position),
    close: () => closeSync(file),
  };
};

/**
 * For a worker that puts the pieces together: what is read and decrypted stays in the processor's cache, and takes no
 * fresh pages from the system.
 */
export const openToGather: OpenFile = async (path) => ({
  ...(await openBlocking(path)),
  pieceBytes: 32 * 1024,
  readBytes: 64 * 1024,
});

/** @throws DamagedContainerError when the file ends before */
export async function fill(file: ReadableFile, buffer: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < buffer.length;) {
    const count = await file.read(buffer.subarray(done), position + done);
    if (count === 0) throw new DamagedContainerError('cut off');
    done += count;
  }
}
