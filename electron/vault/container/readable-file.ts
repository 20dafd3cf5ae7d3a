import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { DamagedContainerError } from './container.ts';

/** An open file. Its calls throw the system's errors. */
export interface ReadableFile {
  readonly sizeBytes: number;
  /** May read less than there is room for; 0 at the end. */
  read(buffer: Uint8Array, position: number): number | Promise<number>;
  close(): void | Promise<void>;
}

/** A file that is read from its beginning to its end. */
export interface FileInPieces extends ReadableFile {
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
