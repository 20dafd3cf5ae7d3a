import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RuleCost, RuleSort } from '../../../shared/domain/publication.ts';
import { readRuleQuery } from '../../../shared/domain/rule-query.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import type { KnownOfRules } from '../../rules/rule-library.ts';
import type { RuleCostStore } from '../../storage/packages/rule-cost-store.ts';
import type { ScanReader } from '../../storage/scans/scan-reader.ts';
import { libraryKey, type LoadedRules } from './loaded-rules.ts';

export interface KnownRulesOptions {
  rules: LoadedRules;
  scans: Pick<ScanReader, 'ruleHits' | 'ruleHistory'>;
  costs: Pick<RuleCostStore, 'of' | 'version'>;
  /** That scans here now: costs with another one cannot be compared. */
  engine(): Promise<LocalEngine>;
  mutedRules(workspaceId: string, where: 'everywhere' | 'anywhere'): ReadonlySet<string>;
}

/** All hits are read at once: while a list is scrolled and typed over, they are read once in this time. */
const keptMs = 5000;
const costsARead = 1000;

interface Kept<T> {
  read: Promise<T>;
  number: number;
  until: number;
}

/** What this computer knows of the rules of a workspace, as a search over them asks for it. */
export class KnownRules {
  readonly #options: KnownRulesOptions;
  readonly #hits = new Map<string, Kept<KnownOfRules['hits']>>();
  /** By workspace, package and version of the store: the newest of each workspace. */
  readonly #costs = new Map<string, Kept<ReadonlyMap<string, RuleCost>> & { of: string }>();
  #read = 0;

  constructor(options: KnownRulesOptions) {
    this.#options = options;
  }

  /** `costs` of all rules, for their rows; a search gets them only where it asks for them. */
  async of(
    workspaceId: string,
    sha256: string,
    { find, sort }: { find: string; sort: RuleSort },
  ): Promise<KnownOfRules & { costOf: ReadonlyMap<string, RuleCost> }> {
    const muted = [...this.#options.mutedRules(workspaceId, 'everywhere')].toSorted();
    const hits = this.#hitsOf(workspaceId);
    const costs = this.#costsOf(workspaceId, sha256);
    const costOf = await costs.read;
    const isAsked = sort.by.column === 'cost' || isAboutCost(find);
    return {
      stamp: JSON.stringify([hits.number, muted, isAsked ? costs.number : null]),
      hits: await hits.read,
      muted,
      costOf,
      costs: isAsked
        ? Array.from(costOf, ([key, { msPerMegabyte, together }]) => ({ key, msPerMegabyte, together }))
        : [],
    };
  }

  /** What rules of a package cost, by their keys: those that were measured as they are now. */
  costs(workspaceId: string, sha256: string): Promise<ReadonlyMap<string, RuleCost>> {
    return this.#costsOf(workspaceId, sha256).read;
  }

  #hitsOf(workspaceId: string): Kept<KnownOfRules['hits']> {
    const kept = this.#hits.get(workspaceId);
    if (kept !== undefined && performance.now() < kept.until) return kept;
    const next = this.#kept(this.#options.scans.ruleHits(workspaceId));
    this.#hits.set(workspaceId, next);
    // Whoever asked hears why; the next one reads again.
    next.read.catch(() => this.#hits.delete(workspaceId));
    return next;
  }

  #costsOf(workspaceId: string, sha256: string): Kept<ReadonlyMap<string, RuleCost>> {
    const of = `${sha256} ${this.#options.costs.version}`;
    const kept = this.#costs.get(workspaceId);
    if (kept?.of === of && performance.now() < kept.until) return kept;
    const next = { ...this.#kept(this.#readCosts(workspaceId, sha256)), of };
    this.#costs.set(workspaceId, next);
    next.read.catch(() => this.#costs.delete(workspaceId));
    return next;
  }

  #kept<T>(read: Promise<T>): Kept<T> {
    return { read, number: (this.#read += 1), until: performance.now() + keptMs };
  }

  async #readCosts(workspaceId: string, sha256: string): Promise<ReadonlyMap<string, RuleCost>> {
    const { rules, costs, engine } = this.#options;
    const used = await engine();
    const prints = await rules.with(workspaceId, [sha256], (library) =>
      library.fingerprints(libraryKey(workspaceId, sha256), rules.variables(workspaceId)),
    );
    const all = new Map<string, RuleCost>();
    for (let at = 0; at < prints.length; at += costsARead) {
      const some = prints.slice(at, at + costsARead);
      const known = costs.of(
        some.map(({ print }) => print),
        used,
      );
      for (const { rule, print } of some) {
        const cost = known.get(print);
        if (cost !== undefined) all.set(rule, cost);
      }
      await nextTurn();
    }
    return all;
  }
}

function isAboutCost(find: string): boolean {
  const read = readRuleQuery(find);
  return read.kind === 'terms' && read.terms.some(({ field }) => field === 'cost');
}
