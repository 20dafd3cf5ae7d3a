import type { SamplePreview } from '../../../shared/domain/library.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import { type InspectedSample, SampleInspector } from '../../vault/inspection/sample-inspector.ts';
import type { Vault } from '../../vault/vault.ts';

export interface SamplePreviewsOptions {
  vault: Pick<Vault, 'sourcesOf' | 'unreadable'>;
  library: Pick<LibraryStore, 'previewsOf' | 'keepPreviews'>;
}

interface RequestedPreviews {
  sha256s: readonly string[];
  done: PromiseWithResolvers<Map<string, SamplePreview>>;
}

/** Read and written in one go: a few milliseconds' worth. */
const samplesATurn = 25;
/** A user who walks through the library does not want the previews of samples passed long ago. */
const mostWaiting = 8;

/**
 * Previews of samples: kept ones at once, others made from the vault's bytes in a separate thread, the last requested
 * first.
 */
export class SamplePreviews {
  readonly #options: SamplePreviewsOptions;
  readonly #inspector = new SampleInspector();
  readonly #end = new AbortController();
  /** The newest is last. */
  readonly #waiting: RequestedPreviews[] = [];
  #isMaking = false;

  constructor(options: SamplePreviewsOptions) {
    this.#options = options;
  }

  /** Calls that have samples made. */
  get running(): number {
    return this.#waiting.length + Number(this.#isMaking);
  }

  /**
   * In their order. What the vault cannot give looks like nothing, which is not kept.
   * @throws FailureError `cancelled` when many others were wanted after it, or when it is closed; `worker-ended`
   */
  async previews(sha256s: readonly string[]): Promise<SamplePreview[]> {
    const kept = this.#kept(sha256s);
    const lacking = [...new Set(sha256s)].filter((sha256) => !kept.has(sha256));
    const made = lacking.length === 0 ? kept : await this.#made(lacking);
    return sha256s.map((sha256) => kept.get(sha256) ?? made.get(sha256) ?? nothingOf(sha256));
  }

  /** Resolves when no file is open any more. */
  async close(): Promise<void> {
    this.#end.abort();
    for (const requested of this.#waiting.splice(0)) giveUp(requested);
    await this.#inspector.close();
  }

  #kept(sha256s: readonly string[]): Map<string, SamplePreview> {
    return new Map(
      [...turnsOf(sha256s)].flatMap((some) =>
        this.#options.library.previewsOf(some).map((look): [string, SamplePreview] => [look.sha256, look]),
      ),
    );
  }

  #made(sha256s: readonly string[]): Promise<Map<string, SamplePreview>> {
    const done = Promise.withResolvers<Map<string, SamplePreview>>();
    this.#waiting.push({ sha256s, done });
    if (this.#waiting.length > mostWaiting) for (const oldest of this.#waiting.splice(0, 1)) giveUp(oldest);
    if (!this.#isMaking) void this.#makeAll();
    return done.promise;
  }

  async #makeAll(): Promise<void> {
    this.#isMaking = true;
    for (let requested = this.#waiting.pop(); requested !== undefined; requested = this.#waiting.pop()) {
      await this.#make(requested.sha256s).then(requested.done.resolve, requested.done.reject);
    }
    this.#isMaking = false;
  }

  async #make(sha256s: readonly string[]): Promise<Map<string, SamplePreview>> {
    const previews = new Map<string, SamplePreview>();
    for (const some of turnsOf(sha256s)) {
      for (const look of await this.#makeSome(some)) previews.set(look.sha256, look);
    }
    return previews;
  }

  /** Another call may have wanted the same meanwhile. */
  async #makeSome(sha256s: readonly string[]): Promise<SamplePreview[]> {
    const { vault, library } = this.#options;
    const kept = library.previewsOf(sha256s);
    const known = new Set(kept.map(({ sha256 }) => sha256));
    const lacking = sha256s.filter((sha256) => !known.has(sha256));
    if (lacking.length === 0) return kept;
    const seen = await this.#inspector.inspect(vault.sourcesOf(lacking), this.#end.signal);
    const made = lacking.flatMap((sha256, index) => this.#lookOf(sha256, seen[index]) ?? []);
    library.keepPreviews(made);
    return [...kept, ...made];
  }

  /** @returns null where there is nothing to look at */
  #lookOf(sha256: string, seen: InspectedSample | undefined): SamplePreview | null {
    if (seen === undefined) return null;
    if (!('reason' in seen)) return { sha256, ...seen };
    this.#options.vault.unreadable(sha256, seen.reason);
    return null;
  }
}

const nothingOf = (sha256: string): SamplePreview => ({ sha256, type: null, strip: null });
const giveUp = ({ done }: RequestedPreviews): void => done.reject(new FailureError({ kind: 'cancelled' }));

function* turnsOf(sha256s: readonly string[]): Generator<readonly string[], void, void> {
  for (let at = 0; at < sha256s.length; at += samplesATurn) yield sha256s.slice(at, at + samplesATurn);
}
