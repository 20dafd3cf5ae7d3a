import { randomBytes } from 'node:crypto';
import type { BrowserDownload } from '../../../shared/domain/export.ts';

/** A prepared browser download. `open` may be called once. */
export interface PreparedExport {
  fileName: string;
  sizeBytes: number | null;
  open(): AsyncIterable<Uint8Array>;
}

const preparedForMs = 5 * 60_000;
const preparedAtMost = 32;

/** Downloads the browser may fetch once, within a few minutes, by an id that nobody can guess. */
export class PreparedDownloads {
  readonly #prepared = new Map<string, { prepared: PreparedExport; until: number }>();

  offer(prepared: PreparedExport): BrowserDownload {
    const id = randomBytes(32).toString('hex');
    this.#forgetStale();
    this.#prepared.set(id, { prepared, until: Date.now() + preparedForMs });
    return { kind: 'browser', id, fileName: prepared.fileName };
  }

  /** Hands a prepared download out; its id is dead from then on. */
  take(id: string): PreparedExport | null {
    const found = this.#prepared.get(id);
    this.#prepared.delete(id);
    return found && found.until > Date.now() ? found.prepared : null;
  }

  #forgetStale(): void {
    const now = Date.now();
    for (const [id, { until }] of this.#prepared) {
      if (until < now || this.#prepared.size >= preparedAtMost) this.#prepared.delete(id);
    }
  }
}
