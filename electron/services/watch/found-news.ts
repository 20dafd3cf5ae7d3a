import type { EventPayload } from '../../../shared/contract.ts';
import type { Timing } from '../../api/limits.ts';

type Found = EventPayload<'watch.found'>;

/** Nobody waits longer to hear of what came. */
const longestSilenceMs = 60_000;

/** Tells of files that came as one sum for each burst. */
export class FoundNews {
  readonly #now: Timing['now'];
  readonly #tell: (found: Found) => void;
  #files = 0;
  #hits = 0;
  #since = 0;
  readonly #scansWithHits = new Set<number>();

  constructor({ now, tell }: { now: Timing['now']; tell(found: Found): void }) {
    this.#now = now;
    this.#tell = tell;
  }

  /** `jobId`: the scan that looked at them; null: none did. */
  add(files: number, hits: number, jobId: number | null): void {
    if (this.#files === 0) this.#since = this.#now();
    this.#files += files;
    this.#hits += hits;
    if (hits > 0 && jobId !== null) this.#scansWithHits.add(jobId);
  }

  /** `isMore`: some of the burst is on its way. */
  tell({ isMore }: { isMore: boolean }): void {
    if (this.#files === 0 || (isMore && this.#now() - this.#since < longestSilenceMs)) return;
    const [only = null, ...more] = this.#scansWithHits;
    const found = { files: this.#files, hits: this.#hits, scan: more.length === 0 ? only : null };
    this.#files = 0;
    this.#hits = 0;
    this.#scansWithHits.clear();
    this.#tell(found);
  }
}
