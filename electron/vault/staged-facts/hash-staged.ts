import { createHash, hash } from 'node:crypto';
import type { Hashes } from '../../../shared/domain/hash.ts';
import { openBlocking, type ReadableFile } from '../container/container-file.ts';
import {
  ChangedFileError,
  type InPlaceSource,
  openContainer,
  openInPlaceBlocking,
  type StagedSource,
} from '../staging/staged-bytes.ts';

export interface HashedBytes {
  hashes: Hashes;
  sizeBytes: number;
}

/**
 * An amount that stays in a processor's cache from the first hash to the last. A file smaller than that is hashed in
 * one go.
 */
export const readBytes = 256 * 1024;
/** The same memory for every file; one is read at a time. */
const buffer = Buffer.allocUnsafeSlow(readBytes);

/**
 * For a worker only: its calls block. A container's hashes were made of its bytes when it was written, and are in its
 * trailer. @returns null when it was stopped. @throws ChangedFileError, DamagedContainerError or the system's error
 */
export function hashStaged(source: StagedSource, isStopped: () => boolean): Promise<HashedBytes | null> {
  return source.kind === 'container' ? hashesInTrailer(source.path) : hashInPlace(source, isStopped);
}

async function hashesInTrailer(path: string): Promise<HashedBytes> {
  const {
    file,
    facts: { md5, sha1, sha256, sizeBytes },
  } = await openContainer(path, openBlocking);
  await file.close();
  return { hashes: { md5, sha1, sha256 }, sizeBytes };
}

async function hashInPlace(source: InPlaceSource, isStopped: () => boolean): Promise<HashedBytes | null> {
  const file = await openInPlaceBlocking(source);
  try {
    const hashes = source.sizeBytes < readBytes ? await hashAtOnce(file) : await hashInPieces(file, isStopped);
    if (hashes === null) return null;
    await file.requireUnchanged();
    return { hashes, sizeBytes: source.sizeBytes };
  } finally {
    await file.close();
  }
}

async function hashAtOnce(file: ReadableFile): Promise<Hashes> {
  const filled = await fillFrom(file, 0);
  if (filled !== file.sizeBytes) throw new ChangedFileError('another length');
  const bytes = buffer.subarray(0, filled);
  return { md5: hash('md5', bytes), sha1: hash('sha1', bytes), sha256: hash('sha256', bytes) };
}

async function hashInPieces(file: ReadableFile, isStopped: () => boolean): Promise<Hashes | null> {
  const [md5, sha1, sha256] = [createHash('md5'), createHash('sha1'), createHash('sha256')];
  let position = 0;
  for (let filled = await fillFrom(file, 0); filled > 0; filled = await fillFrom(file, position)) {
    if (isStopped()) return null;
    const bytes = buffer.subarray(0, filled);
    for (const each of [md5, sha1, sha256]) each.update(bytes);
    position += filled;
    if (position > file.sizeBytes) break;
  }
  if (position !== file.sizeBytes) throw new ChangedFileError('another length');
  return { md5: md5.digest('hex'), sha1: sha1.digest('hex'), sha256: sha256.digest('hex') };
}

/** @returns how much of the buffer is full: less than all of it only at the end of the file */
async function fillFrom(file: ReadableFile, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const count = await file.read(filled === 0 ? buffer : buffer.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
    // What was asked for is here, but for a file that grows, which is seen by its size
    if (position + filled === file.sizeBytes) break;
  }
  return filled;
}
