import { LabError } from './errors.ts';
import type { MetadataStore, StoredSample } from './metadata-store.ts';

/** @throws LabError `unknown-file` */
export async function knownSample(metadata: MetadataStore, md5: string): Promise<StoredSample> {
  const sample = await metadata.sampleByMd5(md5);
  if (sample === null) throw new LabError('unknown-file', 'No file has this MD5.');
  return sample;
}
