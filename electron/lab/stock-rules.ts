import type { BlobStore } from './blob-store.ts';
import type { MetadataStore } from './metadata-store.ts';
import { starterPackages, starterRelease } from './starter-rules/starter-packages.ts';
import { storePackage } from './store-package.ts';

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
