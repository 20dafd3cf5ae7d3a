import { DamagedContainerError } from '../container/container.ts';
import { unlessMissing } from '../disk-failures.ts';
import { fill, openFile, type OpenFile } from '../container/readable-file.ts';

/** A container in the file at `path`: `length` bytes from `at` on. */
export interface PackedSpot {
  /** null: the index names a place that cannot be, which is damage of that sample, told where it is read. */
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
