import { setImmediate as immediately } from 'node:timers/promises';
import type { Specimen } from '../../shared/domain/lab.ts';
import { Mutex } from '../../shared/mutex.ts';
import { type BlobStore, keepAll, type SealedBlob } from './blob-store.ts';
import type { MetadataStore } from './metadata-store.ts';
import { storePackage } from './package-archive.ts';
import { type SpecimenPlan, specimenRelease, specimens } from './specimens.ts';
import { starterPackages, starterRelease } from './starter-rules/starter-packages.ts';

/**
 * Stocks a lab that lacks this release's specimens. Ended half-way it goes on at the next start;
 * done, it does nothing, so a specimen somebody changed stays as they left it.
 */
export async function stock({ metadata, blobs }: { metadata: MetadataStore; blobs: BlobStore }): Promise<void> {
  if ((await metadata.stockedRelease('specimens')) >= specimenRelease) return;
  const lacking: SpecimenPlan[] = [];
  for (const plan of specimens) if ((await metadata.sampleByMd5(plan.md5)) === null) lacking.push(plan);
  const stored = await keepEach(blobs, lacking);
  await metadata.addSamples(
    stored.map(({ plan, blob }) => ({
      sample: { ...plan, ...blob, restricted: false, virusTotal: false, sandbox: false },
      comments: plan.comments,
    })),
  );
  await metadata.recordStocked('specimens', specimenRelease);
}

/**
 * Stores the bytes of all at the same time, one made after the other, so that noise is computed while the disk is busy
 * with what came before it. Waits for all, even when one fails.
 */
async function keepEach(
  blobs: BlobStore,
  plans: readonly SpecimenPlan[],
): Promise<{ plan: SpecimenPlan; blob: SealedBlob }[]> {
  const mutex = new Mutex();
  const pending = plans.map(async (plan) => {
    await mutex.run(() => immediately());
    return { plan, blob: await keepAll(blobs, [plan.make()]) };
  });
  await Promise.allSettled(pending);
  return Promise.all(pending);
}

/** The specimens by the MD5 they are asked with. */
export const specimenList = (): Specimen[] => specimens.map(({ md5, name, sizeBytes }) => ({ md5, name, sizeBytes }));

/**
 * Publishes this release's starter rules in a lab that lacks them. Ended half-way it goes on at the next start; done,
 * it does nothing. A version that somebody published stays as it is.
 */
export async function stockRules(stores: { metadata: MetadataStore; blobs: BlobStore }): Promise<void> {
  if ((await stores.metadata.stockedRelease('starter-rules')) >= starterRelease) return;
  const published = new Set((await stores.metadata.publications()).map(({ version }) => version));
  for (const starter of starterPackages) if (!published.has(starter.version)) await storePackage(stores, starter);
  await stores.metadata.recordStocked('starter-rules', starterRelease);
}
