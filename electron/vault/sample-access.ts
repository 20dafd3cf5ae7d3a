import { DamagedContainerError } from './container/container.ts';
import { openFile } from './container/readable-file.ts';
import { unpacked, type SampleSource } from './sample-source.ts';
import { openContainer } from './staging/open-container.ts';
import { containerBytes, type StagedBytes } from './staging/staged-bytes.ts';

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
