import type {
  BrokenRule,
  DifferenceCounts,
  DifferenceRow,
  RuleDifference,
  RuleWarning,
} from '../../shared/domain/publication.ts';
import type { ReviewQuery, RuleExplanation } from '../../shared/domain/rule-review.ts';
import type { RuleToTry } from '../../shared/domain/rule-trial.ts';
import type { RuleVariable } from '../../shared/domain/rule-variable.ts';
import type { ArrangedRules } from './arranged-rules.ts';
import type { PatchWindow } from './difference/package-patch.ts';
import {
  type CheckedRules,
  type Judged,
  NotLoadedError,
  type PackageReview,
  type Window,
} from './library/library-messages.ts';
import { LibraryThread } from './library/library-thread.ts';
import type { RuleQuestion, RuleRelations } from './library/rule-search.ts';
import type { FoundRules, PackageRuleRow, PackageRuleView, RuleFacts } from './library/rule-views.ts';
import type { FingerprintWindow, RuleFingerprint } from './library/usable-rules.ts';
import type { RuleFile } from './package-files.ts';
import type { RulePiece, RulePieces } from './scanning/rule-program.ts';

export type { CheckedRules } from './library/library-messages.ts';
export type { KnownOfRules } from './library/rule-search.ts';
export { NotLoadedError } from './library/library-messages.ts';
export type { RuleFingerprint } from './library/usable-rules.ts';
export type { RuleFacts } from './library/rule-views.ts';
export type { RulePieces } from './scanning/rule-program.ts';

export interface GateOptions {
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
  /** Files of the package that could not be read: they are named first among what is broken. */
  unread?: readonly BrokenRule[];
  /** All of its files: it is read first. Between a `load` and a gate of its own others may push it out. */
  files?: readonly RuleFile[];
  /** Regular expressions that YARA 4 takes and YARA-X by itself refuses are compiled too. */
  isRelaxed?: boolean;
  /** That the workspace defines. */
  variables?: readonly RuleVariable[];
}

export interface Gated {
  /** Those that can be used. */
  rules: number;
  namespaces: number;
  /** The first 10,000 of them. */
  broken: BrokenRule[];
  brokenTotal: number;
  /** The first 20,000 of them. */
  warnings: RuleWarning[];
}

/** With regular expressions and variables as a workspace has them. */
export interface CheckOptions {
  signal: AbortSignal;
  isRelaxed: boolean;
  variables: readonly RuleVariable[];
}

/**
 * Packages of rules in the memory of a thread of its own, each under a key. A question about one that is not there
 * rejects with a NotLoadedError; where the thread ended, with `worker-ended`, and nothing is loaded then.
 */
export interface RuleLibrary {
  /** Whether this package is in memory (the thread keeps the four used last). */
  has(key: string): boolean;
  /**
   * Splits the files and keeps them under the key; files that are there already are kept as they are. `broken`: as an
   * earlier gate found them; null: not known yet, only faults that are seen without an engine count. Rejects with a
   * FailureError where the files are over the limits.
   */
  load(
    key: string,
    files: readonly RuleFile[],
    broken: readonly BrokenRule[] | null,
    warnings?: readonly RuleWarning[],
  ): Promise<{ files: number; rules: number }>;
  /** Compiles; what is broken is kept with the package. Rejects with `cancelled`, and with `files` as `load` does. */
  gate(key: string, options: GateOptions): Promise<Gated>;
  /** `from` null: nothing was there before. One window of the rows; `total` counts all. */
  difference(
    from: string | null,
    to: string,
    window: Window,
  ): Promise<{ counts: DifferenceCounts; rows: DifferenceRow[]; total: number }>;
  /** The same, filtered, sorted and grouped by the query. */
  review(from: string | null, to: string, query: ReviewQuery, window: Window): Promise<PackageReview>;
  /** What turns the files of one package into those of the other, as `git apply` takes it: some of it, from `at` on. */
  patch(from: string | null, to: string, at: number): Promise<PatchWindow>;
  /** One rule in two packages by its numbers, line by line. Rejects with `rule-missing`. */
  ruleDifference(
    from: string | null,
    to: string,
    rules: { old: number | null; new: number | null },
  ): Promise<RuleDifference>;
  /** Each file with its rules in an order of their own; they are kept nowhere. Rejects with `cancelled`. */
  arrange(files: readonly RuleFile[], signal: AbortSignal): Promise<ArrangedRules[]>;
  /** Compiles files that are kept nowhere. Rejects with `cancelled`, and where the files are over the limits. */
  check(files: readonly RuleFile[], options: CheckOptions): Promise<CheckedRules>;
  /** Those that a search finds; broken ones too. `columns`: keys of meta whose values are wanted. */
  rules(key: string, question: RuleQuestion, window: Window & { columns: readonly string[] }): Promise<FoundRules>;
  /** Those that `find` names, the best first. */
  ruleNames(key: string, find: string, limit: number): Promise<PackageRuleRow[]>;
  /** Rejects with `rule-missing`. */
  rule(key: string, number: number): Promise<PackageRuleView>;
  /** What it uses and what uses it. Rejects with `rule-missing`. */
  relations(key: string, number: number): Promise<RuleRelations>;
  /** With what it needs to compile by itself. Rejects with `rule-missing`. */
  toTry(key: string, number: number): Promise<RuleToTry>;
  /**
   * Compiles one rule again for the engine's words in whole. Rejects with `rule-missing`, and with `worker-ended` where
   * the engine does not end.
   */
  explain(key: string, number: number, variables: readonly RuleVariable[]): Promise<RuleExplanation>;
  /** The print of each usable rule's text by name; null where there is none. */
  prints(key: string, names: readonly string[]): Promise<(string | null)[]>;
  /** What is usable of it, for an engine. */
  pieces(key: string): Promise<RulePieces>;
  /** Of the usable rules that are not private, in the order to compile in. */
  fingerprints(key: string, variables: readonly RuleVariable[]): Promise<RuleFingerprint[]>;
  /** Of usable rules by name; null where there is none. */
  facts(key: string, names: readonly string[]): Promise<(RuleFacts | null)[]>;
  /** What is asked still rejects with `cancelled`. */
  close(): Promise<void>;
}

/** The thread starts with the first question, and does not keep the program from ending. */
export function openRuleLibrary(): RuleLibrary {
  return new ThreadedRuleLibrary();
}

class ThreadedRuleLibrary implements RuleLibrary {
  #keys: ReadonlySet<string> = new Set();
  readonly #thread = new LibraryThread(() => (this.#keys = new Set()));

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  async load(
    key: string,
    files: readonly RuleFile[],
    broken: readonly BrokenRule[] | null,
    warnings: readonly RuleWarning[] = [],
  ): Promise<{ files: number; rules: number }> {
    const judged = broken === null ? null : { broken, warnings };
    const known = this.has(key) ? await this.#recall(key, judged) : null;
    if (known !== null) return known;
    const { contents, keys } = await this.#thread.ask({ kind: 'load', key, judged }, { files });
    this.#keys = new Set(keys);
    return contents;
  }

  async gate(
    key: string,
    { unread = [], files, isRelaxed = false, variables = [], ...options }: GateOptions,
  ): Promise<Gated> {
    const { rules, namespaces, broken, brokenTotal, warnings, keys } = await this.#thread.ask(
      { kind: 'gate', key, unread, loads: files !== undefined, isRelaxed, variables },
      { ...options, files: files ?? [] },
    );
    this.#keys = new Set(keys);
    return { rules, namespaces, broken, brokenTotal, warnings };
  }

  async check(files: readonly RuleFile[], { signal, isRelaxed, variables }: CheckOptions): Promise<CheckedRules> {
    return (await this.#thread.ask({ kind: 'check', isRelaxed, variables }, { files, signal })).checked;
  }

  async arrange(files: readonly RuleFile[], signal: AbortSignal): Promise<ArrangedRules[]> {
    return (await this.#thread.ask({ kind: 'arrange' }, { files, signal })).arranged;
  }

  async difference(
    from: string | null,
    to: string,
    window: Window,
  ): Promise<{ counts: DifferenceCounts; rows: DifferenceRow[]; total: number }> {
    return (await this.#thread.ask({ kind: 'difference', from, to, window })).difference;
  }

  async review(from: string | null, to: string, query: ReviewQuery, window: Window): Promise<PackageReview> {
    return (await this.#thread.ask({ kind: 'review', from, to, query, window })).review;
  }

  async patch(from: string | null, to: string, at: number): Promise<PatchWindow> {
    return (await this.#thread.ask({ kind: 'patch', from, to, at })).patch;
  }

  async ruleDifference(
    from: string | null,
    to: string,
    rules: { old: number | null; new: number | null },
  ): Promise<RuleDifference> {
    return (await this.#thread.ask({ kind: 'ruleDifference', from, to, rules })).difference;
  }

  async rules(
    key: string,
    question: RuleQuestion,
    { columns, ...window }: Window & { columns: readonly string[] },
  ): Promise<FoundRules> {
    return (await this.#thread.ask({ kind: 'rules', key, question, columns, window })).found;
  }

  async ruleNames(key: string, find: string, limit: number): Promise<PackageRuleRow[]> {
    return (await this.#thread.ask({ kind: 'ruleNames', key, find, limit })).rows;
  }

  async rule(key: string, number: number): Promise<PackageRuleView> {
    return (await this.#thread.ask({ kind: 'rule', key, number })).view;
  }

  async relations(key: string, number: number): Promise<RuleRelations> {
    return (await this.#thread.ask({ kind: 'relations', key, number })).relations;
  }

  async toTry(key: string, number: number): Promise<RuleToTry> {
    return (await this.#thread.ask({ kind: 'toTry', key, number })).rule;
  }

  async explain(key: string, number: number, variables: readonly RuleVariable[]): Promise<RuleExplanation> {
    return (await this.#thread.ask({ kind: 'explain', key, number, variables })).explanation;
  }

  async prints(key: string, names: readonly string[]): Promise<(string | null)[]> {
    return (await this.#thread.ask({ kind: 'prints', key, names })).prints;
  }

  async pieces(key: string): Promise<RulePieces> {
    const { pieces } = await this.#thread.ask({ kind: 'pieces', key, from: 0 });
    const rules: RulePiece[] = [...pieces.rules];
    for (let from = pieces.next; from !== null;) {
      const { pieces: more } = await this.#thread.ask({ kind: 'pieces', key, from });
      for (const rule of more.rules) rules.push(rule);
      from = more.next;
    }
    return { imports: pieces.imports, rules };
  }

  async fingerprints(key: string, variables: readonly RuleVariable[]): Promise<RuleFingerprint[]> {
    const all: RuleFingerprint[] = [];
    for (let from: number | null = 0; from !== null;) {
      const answer: FingerprintWindow = (await this.#thread.ask({ kind: 'fingerprints', key, from, variables }))
        .fingerprints;
      for (const rule of answer.rules) all.push(rule);
      from = answer.next;
    }
    return all;
  }

  async facts(key: string, names: readonly string[]): Promise<(RuleFacts | null)[]> {
    return (await this.#thread.ask({ kind: 'facts', key, names })).facts;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** null: another package took its place meanwhile. */
  async #recall(key: string, judged: Judged | null): Promise<{ files: number; rules: number } | null> {
    try {
      return (await this.#thread.ask({ kind: 'recall', key, judged })).contents;
    } catch (error) {
      if (error instanceof NotLoadedError) return null;
      throw error;
    }
  }
}
