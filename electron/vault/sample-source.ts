import { stat } from 'node:fs/promises';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { DamagedContainerError } from './container/container.ts';
import { decodeContainer } from './container/container-bytes.ts';
import { readContainer } from './container/container-file.ts';
import { unlessMissing } from './disk-failures.ts';
import { packedContainer, type PackedSpot } from './packs/packed-container.ts';
import { openFile, type OpenFile } from './container/readable-file.ts';

/** Where the vault keeps a sample. It can be handed to a thread, and goes stale when the sample is removed. */
export interface SampleSource {
  sha256: string;
  packed: PackedSpot | null;
  /** Its own file; a packed sample need not have one. */
  path: string;
}

/** `damaged`, or the system's name of an error. `ENOENT`: the vault does not have it. */
export type UnreadableReason = string;

/**
 * The sample in pieces as the open file says, the last one only once all are verified. One may lie in a pack and in a
 * file: a damaged record is no loss while the file is there.
 * @throws DamagedContainerError, or the system's error
 */
export async function* readSource(
  { sha256, packed, path }: SampleSource,
  open: OpenFile = openFile,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const bytes = packed && (await unpacked(packed, { sha256, path, open }));
  if (bytes !== null) yield bytes;
  else yield* readContainer(path, sha256, open);
}

/** @returns null where there is nothing else to say of a thing that failed: it is a defect */
export function unreadableReason(error: unknown): UnreadableReason | null {
  return error instanceof DamagedContainerError ? 'damaged' : systemErrorCode(error);
}

/** A packed sample, verified; null where its record is damaged and it has a file. @throws as `readSource` does */
export async function unpacked(
  spot: PackedSpot,
  { sha256, path, open }: { sha256: string; path: string; open: OpenFile },
): Promise<Buffer<ArrayBuffer> | null> {
  try {
    return decodeContainer(await packedContainer(spot, open), sha256).bytes;
  } catch (error) {
    if (error instanceof DamagedContainerError && (await unlessMissing(stat(path))) !== null) return null;
    throw error;
  }
}
