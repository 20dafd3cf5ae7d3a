import { currentInstant } from '../../shared/domain/clock.ts';
import type { LabPublication } from '../../shared/domain/lab.ts';
import type { BrokenRule } from '../../shared/domain/publication.ts';
import { fail } from '../../shared/failure.ts';
import { Mutex } from '../../shared/mutex.ts';
import type { RuleFile } from '../rules/rule-file.ts';
import { openRuleLibrary } from '../rules/rule-library.ts';
import { withoutBroken } from '../rules/without-broken.ts';
import type { BlobStore } from './blob-store.ts';
import type { MetadataStore } from './metadata-store.ts';
import { type NewPackage, storePackage } from './store-package.ts';

export interface PackageDraft extends Pick<NewPackage, 'version' | 'group' | 'files'> {
  /** Blanks stand in the package where rules do not compile. */
  leavesOutBroken?: boolean;
}

export type PublishOutcome =
  /** `leftOut`: what was broken, and is not in it. */
  | { kind: 'published'; publication: LabPublication; leftOut: readonly BrokenRule[] }
  | { kind: 'broken'; broken: readonly BrokenRule[] }
  | { kind: 'version-taken' };

/**
 * Compiles packages in threads, one at a time, and publishes what is whole. With one broken rule nothing is published,
 * unless it is to be left out.
 */
export class Publisher {
  readonly #stores: { metadata: MetadataStore; blobs: BlobStore };
  readonly #mutex = new Mutex();

  constructor(stores: { metadata: MetadataStore; blobs: BlobStore }) {
    this.#stores = stores;
  }

  /** @throws FailureError `cancelled`, and what the rules room says of files that are over its limits */
  publish(draft: PackageDraft, signal: AbortSignal): Promise<PublishOutcome> {
    return this.#mutex.run(() => this.#publish(draft, signal));
  }

  async #publish(draft: PackageDraft, signal: AbortSignal): Promise<PublishOutcome> {
    if (signal.aborted) fail({ kind: 'cancelled' });
    const published = await this.#stores.metadata.publications();
    if (published.some(({ version }) => version === draft.version)) return { kind: 'version-taken' };
    const { version, group, leavesOutBroken = false } = draft;
    const { rules, files, broken, leftOut } = await compiled(draft, { signal, leavesOutBroken });
    if (broken.length > 0 || (rules === 0 && leftOut.length > 0))
      return { kind: 'broken', broken: [...leftOut, ...broken] };
    const publication = await storePackage(this.#stores, { version, group, files, rules, published: currentInstant() });
    return publication === null ? { kind: 'version-taken' } : { kind: 'published', publication, leftOut };
  }
}

/** What was left out may have been used by others; and of very many only the first are named. */
const roundsAtMost = 20;

interface Compiled {
  rules: number;
  files: readonly RuleFile[];
  /** What cannot be left out. */
  broken: readonly BrokenRule[];
  leftOut: readonly BrokenRule[];
}

/** In a library of its own: publishing is rare, and the lab should not carry thread, engine and rules from then on. */
async function compiled(
  { version, files: given }: PackageDraft,
  { signal, leavesOutBroken }: { signal: AbortSignal; leavesOutBroken: boolean },
): Promise<Compiled> {
  const library = openRuleLibrary();
  const leftOut: BrokenRule[] = [];
  let files = given;
  try {
    for (let round = 0; ; round += 1) {
      const { rules, broken } = await library.gate(`${version}/${round}`, { signal, onProgress: () => {}, files });
      if (broken.length === 0 || !leavesOutBroken || round === roundsAtMost) return { rules, files, broken, leftOut };
      const left = withoutBroken(files, broken);
      const isOther = left.some(({ bytes }, at) => Buffer.compare(bytes, files[at]?.bytes ?? bytes) !== 0);
      // Text outside of every rule: no engine sees it, and whoever gets the package is told of it.
      if (!isOther) return { rules, files, broken: [], leftOut: [...leftOut, ...broken] };
      leftOut.push(
        ...broken.filter(
          (one) =>
            !leftOut.some((other) => other.file === one.file && other.line === one.line && other.rule === one.rule),
        ),
      );
      files = left;
    }
  } finally {
    await library.close();
  }
}
