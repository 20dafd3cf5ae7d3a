import type { KnownOfRules } from '../../rules/rule-library.ts';
import type { ScanReader } from '../../storage/scan-reader.ts';

export interface KnownRulesOptions {
  scans: Pick<ScanReader, 'ruleHits' | 'ruleHistory'>;
  mutedRules(workspaceId: string, where: 'everywhere' | 'anywhere'): ReadonlySet<string>;
}

/** All hits are read at once: while a list is scrolled and typed over, they are read once in this time. */
const keptMs = 5000;

interface Kept {
  hits: Promise<KnownOfRules['hits']>;
  number: number;
  until: number;
}

/** What this computer knows of the rules of a workspace, as a search over them asks for it. */
export class KnownRules {
  readonly #options: KnownRulesOptions;
  readonly #kept = new Map<string, Kept>();
  #read = 0;

  constructor(options: KnownRulesOptions) {
    this.#options = options;
  }

  async of(workspaceId: string): Promise<KnownOfRules> {
    const { hits, number } = this.#hits(workspaceId);
    const muted = [...this.#options.mutedRules(workspaceId, 'everywhere')].toSorted();
    return { stamp: JSON.stringify([number, muted]), hits: await hits, muted };
  }

  #hits(workspaceId: string): Kept {
    const kept = this.#kept.get(workspaceId);
    if (kept !== undefined && performance.now() < kept.until) return kept;
    const hits = this.#options.scans.ruleHits(workspaceId);
    const next: Kept = { hits, number: (this.#read += 1), until: performance.now() + keptMs };
    this.#kept.set(workspaceId, next);
    // Whoever asked hears why; the next one reads again.
    hits.catch(() => this.#kept.delete(workspaceId));
    return next;
  }
}
