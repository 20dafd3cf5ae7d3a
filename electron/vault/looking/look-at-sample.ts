import { openBlocking } from '../container/readable-file.ts';
import { openSource } from '../sample-access.ts';
import { readSource, type SampleSource } from '../sample-source.ts';
import { stripOf, stripOfHeld } from '../staged-facts/strip-of.ts';
import { fileType, headBytes } from './file-type.ts';

/**
 * A large sample is looked at by its parts. @returns null when it was stopped. @throws DamagedContainerError or the
 * system's error
 */
export async function lookAtSample(
  source: SampleSource,
  isStopped: () => boolean,
): Promise<{ type: string | null; strip: string | null } | null> {
  const bytes = await openSource(source);
  try {
    const head = await bytes.read(0, headBytes);
    const strip = head.length === bytes.sizeBytes ? stripOfHeld(head) : await stripOf(bytes, isStopped);
    return isStopped() ? null : { type: fileType(head), strip };
  } finally {
    await bytes.close();
  }
}

/**
 * For a worker only: its calls block. @returns whether it was read to its end. @throws DamagedContainerError or the
 * system's error
 */
export async function verifySample(source: SampleSource, isStopped: () => boolean): Promise<boolean> {
  for await (const _ of readSource(source, openBlocking)) if (isStopped()) return false;
  return true;
}
