import { setImmediate as immediately } from 'node:timers/promises';
import type { SampleFile } from '../../shared/domain/lab.ts';
import { Mutex } from '../../shared/mutex.ts';
import { storePackage } from './package-archive.ts';
import { type BlobReceiver, type BlobStore, sealAll, type SealedBlob, type Stores } from './stores/blob-store.ts';
import { type SampleFilePlan, sampleFileRelease, sampleFiles } from './sample-files.ts';
import { starterPackages, starterRelease } from './starter-rules/starter-packages.ts';

/**
 * Stocks a lab that lacks this release's sample files. Interrupted, it resumes at the next start; done, it does
 * nothing, so a sample file that a user changed stays as they left it.
 */
export async function stock({ metadata, blobs }: Stores): Promise<void> {
  if ((await metadata.stockedRelease('sample-files')) >= sampleFileRelease) return;
  const there = await metadata.filesByMd5(sampleFiles.map(({ md5 }) => md5));
  const lacking = sampleFiles.filter((_, index) => there[index] === null);
  const sealed = await sealEach(blobs, lacking);
  await blobs.commit(
    sealed.map(({ receiver }) => receiver),
    () =>
      metadata.addSamples(
        sealed.map(({ plan, blob }) => ({
          sample: { ...plan, ...blob, restricted: false, virusTotal: false, sandbox: false },
          comments: plan.comments,
        })),
      ),
  );
  await metadata.recordStocked('sample-files', sampleFileRelease);
}

/**
 * Stores the bytes of all at the same time, one made after the other, so that noise is computed while the disk is busy
 * with what came before it. Waits for all, even when one fails.
 */
async function sealEach(
  blobs: BlobStore,
  plans: readonly SampleFilePlan[],
): Promise<{ plan: SampleFilePlan; receiver: BlobReceiver; blob: SealedBlob }[]> {
  const mutex = new Mutex();
  const pending = plans.map(async (plan) => {
    await mutex.run(() => immediately());
    const receiver = blobs.receive();
    return { plan, receiver, blob: await sealAll(receiver, [plan.make()]) };
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
export async function stockRules(stores: Stores): Promise<void> {
  if ((await stores.metadata.stockedRelease('starter-rules')) >= starterRelease) return;
  const published = new Set((await stores.metadata.publications()).map(({ version }) => version));
  for (const starter of starterPackages) if (!published.has(starter.version)) await storePackage(stores, starter);
  await stores.metadata.recordStocked('starter-rules', starterRelease);
}
