import type { OperationOutput } from '../../../shared/contract.ts';
import type { RuleDifference, RuleView } from '../../../shared/domain/publication.ts';
import type { ReviewQuery, ReviewWindow, RuleExplanation } from '../../../shared/domain/rule-review.ts';
import { fail } from '../../../shared/failure.ts';
import type { RuleLibrary } from '../../rules/rule-library.ts';
import type { PackageStore } from '../../storage/package-store.ts';
import { libraryKey, type LoadedRules } from './loaded-rules.ts';

export interface PackageReadingOptions {
  store: PackageStore;
  rules: LoadedRules;
  mutedRules(workspaceId: string, where: 'everywhere' | 'anywhere'): ReadonlySet<string>;
}

interface Window {
  offset: number;
  limit: number;
}

/** What a person reads of packages that are kept: their rules, and how two of them differ. Fails with `package-missing`, and with why one cannot be opened. */
export class PackageReading {
  readonly #options: PackageReadingOptions;

  constructor(options: PackageReadingOptions) {
    this.#options = options;
  }

  difference(workspaceId: string, from: string | null, to: string, window: Window): Promise<OperationOutput<'publications.difference'>> {
    const [fromKey, toKey] = keysOf(workspaceId, from, to);
    return this.#options.rules.with(workspaceId, present(from, to), async (library) => ({
      ...await library.difference(fromKey, toKey, window),
      muted: await this.#otherMuted(library, workspaceId, fromKey, toKey),
    }));
  }

  review(workspaceId: string, from: string | null, to: string, { query, ...window }: Window & { query: ReviewQuery }): Promise<ReviewWindow> {
    const [fromKey, toKey] = keysOf(workspaceId, from, to);
    return this.#options.rules.with(workspaceId, present(from, to), async (library) => ({
      ...await library.review(fromKey, toKey, query, window),
      muted: await this.#otherMuted(library, workspaceId, fromKey, toKey),
    }));
  }

  ruleDifference(workspaceId: string, from: string | null, to: string, numbers: { old: number | null; new: number | null }): Promise<RuleDifference> {
    const [fromKey, toKey] = keysOf(workspaceId, from, to);
    return this.#options.rules.with(workspaceId, present(from, to), (library) => library.ruleDifference(fromKey, toKey, numbers));
  }

  /** Of the active package. @throws FailureError `no-package` */
  async list(workspaceId: string, find: string, window: Window): Promise<OperationOutput<'publications.rules'>> {
    const { store, rules, mutedRules } = this.#options;
    const sha256 = store.pointers(workspaceId).active ?? fail({ kind: 'no-package' });
    const { rows, total } = await rules.with(workspaceId, [sha256], (library) => library.rules(libraryKey(workspaceId, sha256), find, window));
    const muted = mutedRules(workspaceId, 'everywhere');
    return { sha256, total, rows: rows.map((row) => ({ ...row, isMuted: muted.has(row.key) })) };
  }

  /** Of the active package. @throws FailureError `no-package` */
  async named(workspaceId: string, find: string, limit: number): Promise<OperationOutput<'publications.ruleNames'>> {
    const { store, rules, mutedRules } = this.#options;
    const sha256 = store.pointers(workspaceId).active ?? fail({ kind: 'no-package' });
    const rows = await rules.with(workspaceId, [sha256], (library) => library.ruleNames(libraryKey(workspaceId, sha256), find, limit));
    const muted = mutedRules(workspaceId, 'everywhere');
    return { rows: rows.map((row) => ({ ...row, isMuted: muted.has(row.key) })) };
  }

  /** @throws FailureError `rule-missing` */
  async rule(workspaceId: string, sha256: string, number: number): Promise<RuleView> {
    const { rules, mutedRules } = this.#options;
    const { row, ...view } = await rules.with(workspaceId, [sha256], (library) => library.rule(libraryKey(workspaceId, sha256), number));
    return { ...view, row: { ...row, isMuted: mutedRules(workspaceId, 'everywhere').has(row.key) } };
  }

  /** Some of the patch between two packages, from `at` on. */
  patch(workspaceId: string, from: string | null, to: string, at: number): Promise<OperationOutput<'publications.patch'>> {
    const [fromKey, toKey] = keysOf(workspaceId, from, to);
    return this.#options.rules.with(workspaceId, present(from, to), (library) => library.patch(fromKey, toKey, at));
  }

  /** @throws FailureError `rule-missing`, `worker-ended` */
  explain(workspaceId: string, sha256: string, number: number): Promise<RuleExplanation> {
    const { rules, store } = this.#options;
    return rules.with(workspaceId, [sha256], (library) => library.explain(libraryKey(workspaceId, sha256), number, store.options(workspaceId).variables));
  }

  async #otherMuted(library: RuleLibrary, workspaceId: string, from: string | null, to: string): Promise<string[]> {
    const names = [...this.#options.mutedRules(workspaceId, 'anywhere')];
    if (from === null || names.length === 0) return [];
    const [before, after] = [await library.prints(from, names), await library.prints(to, names)];
    return names.filter((_, index) => before[index] !== null && before[index] !== after[index]);
  }
}

const present = (from: string | null, to: string): string[] => (from === null ? [to] : [from, to]);
const keysOf = (workspaceId: string, from: string | null, to: string): [string | null, string] => [from && libraryKey(workspaceId, from), libraryKey(workspaceId, to)];
