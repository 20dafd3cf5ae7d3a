import { randomBytes } from 'node:crypto';
import type { LabPublication } from '../../shared/domain/lab.ts';
import type { RuleFile } from '../rules/rule-file.ts';
import type { BlobStore } from './blob-store.ts';
import { sealAll } from './intake.ts';
import type { MetadataStore } from './metadata-store.ts';
import { packageZip } from './package-archive.ts';

export interface NewPackage extends Omit<LabPublication, 'id' | 'files'> {
  files: readonly RuleFile[];
}

/**
 * Publishes: first the bytes, made durable, then the row that makes them visible. A process killed in between leaves
 * bytes that the next start sweeps. Null when the version is taken.
 */
export async function storePackage(
  stores: { metadata: MetadataStore; blobs: BlobStore },
  { files, rules, ...facts }: NewPackage,
): Promise<LabPublication | null> {
  const receiver = stores.blobs.receive();
  const { hashes, sizeBytes } = await sealAll(receiver, packageZip(facts, files));
  await receiver.keep();
  const publication: LabPublication = { id: randomBytes(8).toString('hex'), ...facts, files: files.length, rules };
  return (await stores.metadata.addPublication({ ...publication, sha256: hashes.sha256, sizeBytes }))
    ? publication
    : null;
}
