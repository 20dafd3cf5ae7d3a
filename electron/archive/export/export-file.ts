import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk, placeFile, removeQuietly, requirePlainName, type Placed } from './export-place.ts';

export interface WrittenFile extends Placed {
  sizeBytes: number;
}

/**
 * Writes a new file into a folder of the person's. It appears under its name only when it is complete and on the disk;
 * a file that is there is never written over; nothing is left when the bytes or the disk fail. `underWay` is what it is
 * called until then.
 * @throws FailureError `disk-full`, `not-writable`, `disk-failed`, or what the bytes throw
 */
export async function writeFileSafely(
  folder: string,
  fileName: string,
  bytes: AsyncIterable<Uint8Array>,
  underWay: string,
): Promise<WrittenFile> {
  requirePlainName(fileName);
  const unfinished = join(folder, underWay);
  const handle = await onDisk(folder, () => open(unfinished, 'wx', 0o600));
  try {
    const sizeBytes = await writeAll(handle, folder, bytes);
    return { ...(await placeFile(unfinished, folder, fileName)), sizeBytes };
  } catch (error) {
    await removeQuietly(unfinished);
    throw error;
  }
}

async function writeAll(handle: FileHandle, folder: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  try {
    let sizeBytes = 0;
    for await (const piece of bytes) {
      await onDisk(folder, () => writeWhole(handle, piece));
      sizeBytes += piece.length;
    }
    await onDisk(folder, () => handle.sync());
    return sizeBytes;
  } finally {
    await onDisk(folder, () => handle.close());
  }
}

async function writeWhole(handle: FileHandle, piece: Uint8Array): Promise<void> {
  for (let done = 0; done < piece.length;) done += (await handle.write(piece, done)).bytesWritten;
}
