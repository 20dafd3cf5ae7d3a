import { setImmediate as immediately } from 'node:timers/promises';
import type { SampleFile } from '../../shared/domain/lab.ts';
import { Mutex } from '../../shared/mutex.ts';
import { type BlobStore, keepAll, type SealedBlob } from './blob-store.ts';
import type { MetadataStore } from './metadata-store.ts';
import { storePackage } from './package-archive.ts';
import { type SampleFilePlan, sampleFileRelease, sampleFiles } from './sample-files.ts';
import { starterPackages, starterRelease } from './starter-rules/starter-packages.ts';

/**
 * Stocks a lab that lacks this release's sample files. Interrupted, it resumes at the next start; done, it does
 * nothing, so a sample file that a user changed stays as they left it.
 */
export async function stock({ metadata, blobs }: { metadata: MetadataStore; blobs: BlobStore }): Promise<void> {
  if ((await metadata.stockedRelease('sample-files')) >= sampleFileRelease) return;
  const lacking: SampleFilePlan[] = [];
  for (const plan of sampleFiles) if ((await metadata.sampleByMd5(plan.md5)) === null) lacking.push(plan);
  const stored = await keepEach(blobs, lacking);
  await metadata.addSamples(
    stored.map(({ plan, blob }) => ({
      sample: { ...plan, ...blob, restricted: false, virusTotal: false, sandbox: false },
      comments: plan.comments,
    })),
  );
  await metadata.recordStocked('sample-files', sampleFileRelease);
}

/**
 * Stores the bytes of all at the same time, one made after the other, so that noise is computed while the disk is busy
 * with what came before it. Waits for all, even when one fails.
 */
async function keepEach(
  blobs: BlobStore,
  plans: readonly SampleFilePlan[],
): Promise<{ plan: SampleFilePlan; blob: SealedBlob }[]> {
  const mutex = new Mutex();
  const pending = plans.map(async (plan) => {
    await mutex.run(() => immediately());
    return { plan, blob: await keepAll(blobs, [plan.make()]) };
  });
  await Promise.allSettled(pending);
  return Promise.all(pending);
}

/** The sample files by the MD5 they are requested with. */
export const sampleFileList = (): SampleFile[] =>
  sampleFiles.map(({ md5, name, sizeBytes }) => ({ md5, name, sizeBytes }));

/**
 * Publishes this release's starter rules in a lab that lacks them. Interrupted, it resumes at the next start; done, it
 * does nothing. A version that a user published stays as it is.
 */
export async function stockRules(stores: { metadata: MetadataStore; blobs: BlobStore }): Promise<void> {
  if ((await stores.metadata.stockedRelease('starter-rules')) >= starterRelease) return;
  const published = new Set((await stores.metadata.publications()).map(({ version }) => version));
  for (const starter of starterPackages) if (!published.has(starter.version)) await storePackage(stores, starter);
  await stores.metadata.recordStocked('starter-rules', starterRelease);
}
