import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { fill, openBlocking, readContainer } from '../vault/container/container-file.ts';
import { containerOverheadBytes, DamagedContainerError, decodeContainer } from '../vault/container/container.ts';
import {
  encodeFrameInto,
  frameBytes,
  fullPackBytes,
  isPackedLength,
  packedContainerBytes,
} from '../vault/packs/pack-frame.ts';
import type { RecordPlace } from './expected-in-vault.ts';

/** No container is smaller. */
export const leastContainerBytes = containerOverheadBytes;

/**
 * Whether this file is the container of that sample, as it was written. Throws the system's errors, and what `onBytes`
 * throws.
 */
export async function isWholeContainer(path: string, sha256: string, onPiece: () => void): Promise<boolean> {
  try {
    for await (const piece of readContainer(path, sha256, openBlocking)) if (piece.length > 0) onPiece();
    return true;
  } catch (error) {
    if (error instanceof DamagedContainerError) return false;
    throw error;
  }
}

/** Bytes of a file. */
export interface ContainerSpot {
  path: string;
  at: number;
  length: number;
}

/** The container of that sample; null where it is not whole, or cannot be read. */
export async function wholeContainerAt({ path, at, length }: ContainerSpot, sha256: string): Promise<Buffer | null> {
  try {
    const file = await openBlocking(path);
    try {
      const container = Buffer.alloc(length);
      await fill(file, container, at);
      decodeContainer(container, sha256);
      return container;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof DamagedContainerError || systemErrorCode(error) !== null) return null;
    throw error;
  }
}

/** A container of the same length from elsewhere; null: there is none. */
export type FindContainer = (place: RecordPlace) => Promise<Buffer | null>;

/**
 * Puts into a pack, at their places, the containers that are not whole there and are found elsewhere; all else stays as
 * it is, and so does a record that was made unreadable. @returns what is missing from it still, and whether it was
 * changed. Throws the system's errors
 */
export async function mendPack(
  path: string,
  places: readonly RecordPlace[],
  find: FindContainer,
): Promise<{ missing: string[]; isChanged: boolean }> {
  const mended: { missing: string[]; isChanged: boolean } = { missing: [], isChanged: false };
  const file = openSync(path, 'r+');
  try {
    for (const place of places) {
      if (await isWholeIn(file, place)) continue;
      const container = isPlace(place) ? await find(place) : null;
      if (container === null) {
        mended.missing.push(place.sha256);
        continue;
      }
      writeRecord(file, place, container);
      mended.isChanged = true;
    }
    if (mended.isChanged) fsyncSync(file);
    return mended;
  } finally {
    closeSync(file);
  }
}

const isPlace = ({ at, length }: RecordPlace): boolean =>
  isPackedLength(length) && at >= frameBytes && at <= fullPackBytes + packedContainerBytes;

async function isWholeIn(file: number, { at, length, sha256 }: RecordPlace): Promise<boolean> {
  if (!isPackedLength(length)) return false;
  try {
    const container = Buffer.alloc(length);
    await fill(
      {
        sizeBytes: at + length,
        read: (buffer, position) => readSync(file, buffer, 0, buffer.length, position),
        close: () => {},
      },
      container,
      at,
    );
    decodeContainer(container, sha256);
    return true;
  } catch (error) {
    if (error instanceof DamagedContainerError) return false;
    throw error;
  }
}

/** A disk that fills up takes a part of the bytes first, and refuses only the next ones. */
function writeRecord(file: number, { at, length }: RecordPlace, container: Buffer): void {
  const record = Buffer.alloc(frameBytes + length);
  encodeFrameInto(record, { isVoid: false, length });
  container.copy(record, frameBytes);
  for (let done = 0; done < record.length;)
    done += writeSync(file, record, done, record.length - done, at - frameBytes + done);
}
