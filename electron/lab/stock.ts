import type { Specimen } from '../../shared/domain/lab.ts';
import type { BlobStore } from './blob-store.ts';
import { takeIn } from './intake.ts';
import type { MetadataStore } from './metadata-store.ts';
import { type SpecimenPlan, specimenRelease, specimens } from './specimens.ts';

/**
 * Stocks a lab that lacks this release's specimens. Ended half-way it goes on at the next start;
 * done, it does nothing, so a specimen somebody changed stays as they left it.
 */
export async function stock(stores: { metadata: MetadataStore; blobs: BlobStore }): Promise<void> {
  if ((await stores.metadata.stockedRelease('specimens')) >= specimenRelease) return;
  for (const plan of specimens) await stockOne(stores, plan);
  await stores.metadata.recordStocked('specimens', specimenRelease);
}

async function stockOne(stores: { metadata: MetadataStore; blobs: BlobStore }, { make, md5, comments, ...facts }: SpecimenPlan): Promise<void> {
  if ((await stores.metadata.sampleByMd5(md5)) === null) await takeIn(stores, [make()], { ...facts, restricted: false, virusTotal: false, sandbox: false }, comments);
}

/** The specimens by the MD5 they are asked with. */
export const specimenList = (): Specimen[] => specimens.map(({ md5, name, sizeBytes }) => ({ md5, name, sizeBytes }));
