import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OperationInput, OperationOutput } from '../../../shared/contract.ts';
import type {
  PackageWithRule,
  RuleCost,
  RuleDifference,
  RuleFactsView,
  RuleSort,
  RuleView,
} from '../../../shared/domain/publication.ts';
import { readRuleQuery } from '../../../shared/domain/rule-query.ts';
import type { ReviewQuery, ReviewWindow, RuleExplanation } from '../../../shared/domain/rule-review.ts';
import type { RuleToTry } from '../../../shared/domain/rule-trial.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { KnownOfRules, RuleLibrary } from '../../rules/rule-library.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { RuleCostStore } from '../../storage/packages/rule-cost-store.ts';
import type { ScanReader } from '../../storage/scans/scan-reader.ts';
import { libraryKey, type LoadedRules } from './loaded-rules.ts';

interface KnownRulesOptions {
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
class KnownRules {
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
    // The caller gets the reason; the next one reads again.
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

interface PackageReadingOptions extends KnownRulesOptions {
  store: PackageStore;
}

interface Window {
  offset: number;
  limit: number;
}

/**
 * What a person reads of packages that are kept: their rules, and how two of them differ. Fails with `package-missing`,
 * and with why one cannot be opened.
 */
export class PackageReading {
  readonly #options: PackageReadingOptions;
  readonly #known: KnownRules;

  constructor(options: PackageReadingOptions) {
    this.#options = options;
    this.#known = new KnownRules(options);
  }

  difference(
    workspaceId: string,
    from: string | null,
    to: string,
    window: Window,
  ): Promise<OperationOutput<'publications.difference'>> {
    const [fromKey, toKey] = keysOf(workspaceId, from, to);
    return this.#options.rules.with(workspaceId, present(from, to), async (library) => ({
      ...(await library.difference(fromKey, toKey, window)),
      muted: await this.#otherMuted(library, workspaceId, fromKey, toKey),
    }));
  }

  review(
    workspaceId: string,
    from: string | null,
    to: string,
    { query, ...window }: Window & { query: ReviewQuery },
  ): Promise<ReviewWindow> {
    const [fromKey, toKey] = keysOf(workspaceId, from, to);
    return this.#options.rules.with(workspaceId, present(from, to), async (library) => ({
      ...(await library.review(fromKey, toKey, query, window)),
      muted: await this.#otherMuted(library, workspaceId, fromKey, toKey),
    }));
  }

  ruleDifference(
    workspaceId: string,
    from: string | null,
    to: string,
    numbers: { old: number | null; new: number | null },
  ): Promise<RuleDifference> {
    const [fromKey, toKey] = keysOf(workspaceId, from, to);
    return this.#options.rules.with(workspaceId, present(from, to), (library) =>
      library.ruleDifference(fromKey, toKey, numbers),
    );
  }

  /** Of the active package. @throws FailureError `no-package` */
  async list({
    workspaceId,
    find,
    sort,
    columns,
    ...window
  }: OperationInput<'publications.rules'>): Promise<OperationOutput<'publications.rules'>> {
    const { store, rules } = this.#options;
    const sha256 = store.pointers(workspaceId).active ?? fail({ kind: 'no-package' });
    const { costOf, ...known } = await this.#known.of(workspaceId, sha256, { find, sort });
    const found = await rules.with(workspaceId, [sha256], (library) =>
      library.rules(libraryKey(workspaceId, sha256), { find, sort, known }, { ...window, columns }),
    );
    const [muted, hits] = [new Set(known.muted), new Map(known.hits.map((one) => [one.key, one]))];
    const rows = found.rows.map((row) => ({
      ...row,
      isMuted: muted.has(row.key),
      hits: hits.get(row.key)?.samples ?? 0,
      lastHit: hits.get(row.key)?.lastHit ?? null,
      cost: costOf.get(row.key) ?? null,
    }));
    return { sha256, total: found.total, metaKeys: [...found.metaKeys], rows };
  }

  /** Of the active package. @throws FailureError `no-package` */
  async named(workspaceId: string, find: string, limit: number): Promise<OperationOutput<'publications.ruleNames'>> {
    const { store, rules, mutedRules } = this.#options;
    const sha256 = store.pointers(workspaceId).active ?? fail({ kind: 'no-package' });
    const rows = await rules.with(workspaceId, [sha256], (library) =>
      library.ruleNames(libraryKey(workspaceId, sha256), find, limit),
    );
    const muted = mutedRules(workspaceId, 'everywhere');
    return { rows: rows.map((row) => ({ ...row, isMuted: muted.has(row.key) })) };
  }

  /** @throws FailureError `rule-missing` */
  async rule(workspaceId: string, sha256: string, number: number): Promise<RuleView> {
    const { rules, mutedRules } = this.#options;
    const { row, ...view } = await rules.with(workspaceId, [sha256], (library) =>
      library.rule(libraryKey(workspaceId, sha256), number),
    );
    return { ...view, row: { ...row, isMuted: mutedRules(workspaceId, 'everywhere').has(row.key) } };
  }

  /** @throws FailureError `rule-missing` */
  ruleToTry(workspaceId: string, sha256: string, number: number): Promise<RuleToTry> {
    return this.#options.rules.with(workspaceId, [sha256], (library) =>
      library.toTry(libraryKey(workspaceId, sha256), number),
    );
  }

  /** @throws FailureError `rule-missing` */
  async facts(workspaceId: string, sha256: string, number: number): Promise<RuleFactsView> {
    const { rules, scans } = this.#options;
    const { key, ...relations } = await rules.with(workspaceId, [sha256], (library) =>
      library.relations(libraryKey(workspaceId, sha256), number),
    );
    const [history, costs] = await Promise.all([
      scans.ruleHistory(workspaceId, key),
      this.#known.costs(workspaceId, sha256),
    ]);
    return { ...history, ...relations, cost: costs.get(key) ?? null };
  }

  /**
   * Of all that are kept, one after the other: few are in memory at a time, and the one that is looked at comes last,
   * so that it stays there.
   */
  async packagesWith(
    workspaceId: string,
    sha256: string,
    key: string,
  ): Promise<OperationOutput<'publications.rulePackages'>> {
    const { store } = this.#options;
    const kept = store.list(workspaceId);
    const { active, candidate } = store.pointers(workspaceId);
    const prints = new Map<string, string | null>();
    const unread: string[] = [];
    for (const one of [
      ...kept.filter((each) => each.sha256 !== sha256),
      ...kept.filter((each) => each.sha256 === sha256),
    ]) {
      try {
        if (one.contents === null) unread.push(one.version);
        else prints.set(one.sha256, await this.#printIn(workspaceId, one.sha256, key));
      } catch (error) {
        if (!(error instanceof FailureError)) throw error;
        unread.push(one.version);
      }
    }
    const packages = kept.flatMap(({ sha256: id, version }): PackageWithRule[] => {
      const print = prints.get(id) ?? null;
      const standing = id === active ? 'active' : id === candidate ? 'candidate' : 'kept';
      return print === null
        ? []
        : [{ sha256: id, version, standing, text: print === prints.get(sha256) ? 'same' : 'other' }];
    });
    return { packages, unread };
  }

  async #printIn(workspaceId: string, sha256: string, key: string): Promise<string | null> {
    const [print = null] = await this.#options.rules.with(workspaceId, [sha256], (library) =>
      library.prints(libraryKey(workspaceId, sha256), [key]),
    );
    return print;
  }

  /** Some of the patch between two packages, from `at` on. */
  patch(
    workspaceId: string,
    from: string | null,
    to: string,
    at: number,
  ): Promise<OperationOutput<'publications.patch'>> {
    const [fromKey, toKey] = keysOf(workspaceId, from, to);
    return this.#options.rules.with(workspaceId, present(from, to), (library) => library.patch(fromKey, toKey, at));
  }

  /** @throws FailureError `rule-missing`, `worker-ended` */
  explain(workspaceId: string, sha256: string, number: number): Promise<RuleExplanation> {
    const { rules, store } = this.#options;
    return rules.with(workspaceId, [sha256], (library) =>
      library.explain(libraryKey(workspaceId, sha256), number, store.options(workspaceId).variables),
    );
  }

  async #otherMuted(library: RuleLibrary, workspaceId: string, from: string | null, to: string): Promise<string[]> {
    const names = [...this.#options.mutedRules(workspaceId, 'anywhere')];
    if (from === null || names.length === 0) return [];
    const [before, after] = [await library.prints(from, names), await library.prints(to, names)];
    return names.filter((_, index) => before[index] !== null && before[index] !== after[index]);
  }
}

const present = (from: string | null, to: string): string[] => (from === null ? [to] : [from, to]);
const keysOf = (workspaceId: string, from: string | null, to: string): [string | null, string] => [
  from && libraryKey(workspaceId, from),
  libraryKey(workspaceId, to),
];
