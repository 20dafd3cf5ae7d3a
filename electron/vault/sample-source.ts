import { stat } from 'node:fs/promises';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import { fill, openFile, type OpenFile, readContainer } from './container/container-file.ts';
import { DamagedContainerError, decodeContainer } from './container/container.ts';
import { unlessMissing } from './disk-failures.ts';
import { containerBytes, openContainer, type StagedBytes } from './staging/staged-bytes.ts';

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
 * The sample in pieces of the size that the open file gives, the last one only once all are verified. A sample may lie
 * both in a pack and in a file: a damaged record is no loss while the file is there.
 *
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
async function unpacked(
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

/** A container in the file at `path`: `length` bytes from `at` on. */
export interface PackedSpot {
  /** null: the index names an impossible place. That is damage of that sample, reported where it is read. */
  path: string | null;
  at: number;
  length: number;
}

/** @throws DamagedContainerError, or the system's error */
export async function packedContainer(spot: PackedSpot, open: OpenFile = openFile): Promise<Buffer> {
  const container = await unlessMissing(readAt(spot, open));
  if (container === null) throw new DamagedContainerError('the pack is gone');
  return container;
}

async function readAt({ path, at, length }: PackedSpot, open: OpenFile): Promise<Buffer> {
  if (path === null) throw new DamagedContainerError('no place in a pack');
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(length);
    await fill(file, bytes, at);
    return bytes;
  } finally {
    await file.close();
  }
}

/** A sample, to be read at any place. Its calls throw DamagedContainerError or the system's error. */
export type SampleAccess = Pick<StagedBytes, 'sizeBytes' | 'read' | 'close'>;

/**
 * A packed sample is small: it is read whole, and verified. The bytes of any other are not. As with `readSource`, a
 * damaged record is no loss while the sample has a file.
 */
export async function openSource({ sha256, packed, path }: SampleSource): Promise<SampleAccess> {
  const bytes = packed && (await unpacked(packed, { sha256, path, open: openFile }));
  return bytes === null ? openSampleFile(path, sha256) : heldBytes(bytes);
}

async function openSampleFile(path: string, sha256: string): Promise<SampleAccess> {
  const container = await openContainer(path, openFile);
  if (container.facts.sha256 === sha256) return containerBytes(container);
  await container.file.close();
  throw new DamagedContainerError('another sample');
}

const heldBytes = (bytes: Buffer): SampleAccess => ({
  sizeBytes: bytes.length,
  read: async (position, length) => bytes.subarray(position, position + length),
  close: async () => {},
});
