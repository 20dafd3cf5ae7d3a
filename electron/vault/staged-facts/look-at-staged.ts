import { blocking, openStagedBytes } from '../staging/staged-bytes.ts';
import type { StagedSource } from '../staging/staged-source.ts';
import { blockBytes, holdsZip, mimeOf } from './mime-of.ts';
import { stripOf, stripOfHeld } from './strip-of.ts';

export interface LookedBytes {
  mime: string | null;
  strip: string | null;
  isZip: boolean;
}

/**
 * For a worker only: its calls block. @returns null when it was stopped. @throws ChangedFileError,
 * DamagedContainerError or the system's error
 */
export async function lookAtStaged(source: StagedSource, isStopped: () => boolean): Promise<LookedBytes | null> {
  const bytes = await openStagedBytes(source, blocking);
  try {
    const block = await bytes.read(0, blockBytes);
    const mime = await mimeOf(block, bytes);
    const strip = block.length === bytes.sizeBytes ? stripOfHeld(block) : await stripOf(bytes, isStopped);
    const isZip = await holdsZip(mime, block, bytes);
    if (isStopped()) return null;
    await bytes.requireUnchanged();
    return { mime, strip, isZip };
  } finally {
    await bytes.close();
  }
}
