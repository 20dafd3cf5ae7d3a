import { currentInstant } from '../../shared/domain/clock.ts';
import type { LabPublication } from '../../shared/domain/lab.ts';
import type { BrokenRule } from '../../shared/domain/publication.ts';
import { fail } from '../../shared/failure.ts';
import { openRuleLibrary } from '../rules/rule-library.ts';
import type { BlobStore } from './blob-store.ts';
import type { MetadataStore } from './metadata-store.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { type NewPackage, storePackage } from './store-package.ts';

export type PackageDraft = Pick<NewPackage, 'version' | 'group' | 'files'>;

export type PublishOutcome =
  | { kind: 'published'; publication: LabPublication }
  | { kind: 'broken'; broken: readonly BrokenRule[] }
  | { kind: 'version-taken' };

/** Compiles packages in threads, one at a time, and publishes what is whole. With one broken rule nothing is published. */
export class Publisher {
  readonly #stores: { metadata: MetadataStore; blobs: BlobStore };
  readonly #turns = new OneAtATime();

  constructor(stores: { metadata: MetadataStore; blobs: BlobStore }) {
    this.#stores = stores;
  }

  /** @throws FailureError `cancelled`, and what the rules room says of files that are over its limits */
  publish(draft: PackageDraft, signal: AbortSignal): Promise<PublishOutcome> {
    return this.#turns.run(() => this.#publish(draft, signal));
  }

  async #publish(draft: PackageDraft, signal: AbortSignal): Promise<PublishOutcome> {
    if (signal.aborted) fail({ kind: 'cancelled' });
    const published = await this.#stores.metadata.publications();
    if (published.some(({ version }) => version === draft.version)) return { kind: 'version-taken' };
    const { rules, broken } = await compiled(draft, signal);
    if (broken.length > 0) return { kind: 'broken', broken };
    const publication = await storePackage(this.#stores, { ...draft, rules, published: currentInstant() });
    return publication === null ? { kind: 'version-taken' } : { kind: 'published', publication };
  }
}

/** In a library of its own: publishing is rare, and the lab should not carry thread, engine and rules from then on. */
async function compiled({ version, files }: PackageDraft, signal: AbortSignal): Promise<{ rules: number; broken: BrokenRule[] }> {
  const library = openRuleLibrary();
  try {
    return await library.gate(version, { signal, onProgress: () => {}, files });
  } finally {
    await library.close();
  }
}
