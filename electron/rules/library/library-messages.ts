import type {
  BrokenRule,
  DifferenceCounts,
  DifferenceRow,
  RuleDifference,
  RuleWarning,
} from '../../../shared/domain/publication.ts';
import type { ReviewQuery, ReviewWindow, RuleExplanation } from '../../../shared/domain/rule-review.ts';
import type { RuleToTry } from '../../../shared/domain/rule-trial.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { ArrangedRules } from '../arranged-rules.ts';
import type { PatchWindow } from '../difference/package-patch.ts';
import type { RuleFile } from '../package-files.ts';
import type { RulePieces } from '../scanning/rule-program.ts';
import type { RuleQuestion, RuleRelations } from './rule-search.ts';
import type { FoundRules, PackageRuleRow, PackageRuleView, RuleFacts } from './rule-views.ts';
import type { FingerprintWindow, PieceWindow } from './usable-rules.ts';

/** What an engine found in a package. */
export interface Judged {
  broken: readonly BrokenRule[];
  warnings: readonly RuleWarning[];
}

/** Rules that were compiled and are not kept. */
export interface CheckedRules extends Judged {
  /** Names of those that can be used, private ones too. */
  names: string[];
  pieces: RulePieces;
}

export interface Window {
  offset: number;
  limit: number;
}

/**
 * What is answered at once. `recall`: a package that is there is used again, and hears what is broken if it does not
 * know.
 */
export type Question =
  | { kind: 'recall'; key: string; judged: Judged | null }
  | { kind: 'difference'; from: string | null; to: string; window: Window }
  | { kind: 'review'; from: string | null; to: string; query: ReviewQuery; window: Window }
  /** `at`: where its window begins. */
  | { kind: 'patch'; from: string | null; to: string; at: number }
  | { kind: 'ruleDifference'; from: string | null; to: string; rules: { old: number | null; new: number | null } }
  | { kind: 'rules'; key: string; question: RuleQuestion; columns: readonly string[]; window: Window }
  | { kind: 'ruleNames'; key: string; find: string; limit: number }
  | { kind: 'rule'; key: string; number: number }
  | { kind: 'relations'; key: string; number: number }
  | { kind: 'toTry'; key: string; number: number }
  | { kind: 'prints'; key: string; names: readonly string[] }
  /**
   * From a place in the order to compile in: a large package as one answer would keep the host's thread from its other
   * work.
   */
  | { kind: 'pieces'; key: string; from: number }
  | { kind: 'fingerprints'; key: string; from: number; variables: readonly RuleVariable[] }
  | { kind: 'facts'; key: string; names: readonly string[] };

/**
 * What takes its time: a package is read, its files having come before, and a package is compiled. `loads`: both at
 * once, so that no other one can push it out in between.
 */
export type Order =
  /** Each of the files that came. */
  | { kind: 'arrange' }
  | { kind: 'check'; isRelaxed: boolean; variables: readonly RuleVariable[] }
  | { kind: 'explain'; key: string; number: number; variables: readonly RuleVariable[] }
  | { kind: 'load'; key: string; judged: Judged | null }
  | {
      kind: 'gate';
      key: string;
      unread: readonly BrokenRule[];
      loads: boolean;
      isRelaxed: boolean;
      variables: readonly RuleVariable[];
    };

export type Answer =
  | { kind: 'recall'; contents: Contents }
  | { kind: 'difference'; difference: { counts: DifferenceCounts; rows: DifferenceRow[]; total: number } }
  | { kind: 'review'; review: PackageReview }
  | { kind: 'patch'; patch: PatchWindow }
  | { kind: 'ruleDifference'; difference: RuleDifference }
  | { kind: 'rules'; found: FoundRules }
  | { kind: 'ruleNames'; rows: PackageRuleRow[] }
  | { kind: 'rule'; view: PackageRuleView }
  /** Of files that are kept under no key. */
  | { kind: 'arrange'; arranged: ArrangedRules[] }
  | { kind: 'check'; checked: CheckedRules }
  | { kind: 'relations'; relations: RuleRelations }
  | { kind: 'toTry'; rule: RuleToTry }
  | { kind: 'explain'; explanation: RuleExplanation }
  | { kind: 'prints'; prints: (string | null)[] }
  | { kind: 'pieces'; pieces: PieceWindow }
  | { kind: 'fingerprints'; fingerprints: FingerprintWindow }
  | { kind: 'facts'; facts: (RuleFacts | null)[] }
  /** `keys`: of all packages that are in memory now. */
  | { kind: 'load'; contents: Contents; keys: string[] }
  /** `broken`: the first of them; `brokenTotal`: how many there are. */
  | {
      kind: 'gate';
      rules: number;
      namespaces: number;
      broken: BrokenRule[];
      brokenTotal: number;
      warnings: RuleWarning[];
      keys: string[];
    };

/** Mutes are the host's. */
export type PackageReview = Omit<ReviewWindow, 'muted'>;

export interface Contents {
  files: number;
  /** Those that can be used. */
  rules: number;
}

/** Messages between the host's thread and the library's; `number` identifies a request. */
export type ToLibrary =
  | { number: number; kind: 'ask'; question: Question | Order }
  /** Some of the files of the order that follows under the same number. */
  | { number: number; kind: 'files'; files: RuleFile[] }
  | { number: number; kind: 'cancel' };

export type FromLibrary = { number: number } & (
  | { kind: 'answer'; answer: Answer }
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'not-loaded'; key: string }
  /** An error that means nothing to a person. */
  | { kind: 'defect'; text: string }
);

/** What was asked about is not in memory: it is to be loaded, and then asked about again. */
export class NotLoadedError extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`no package is loaded as ${JSON.stringify(key)}`);
    this.name = 'NotLoadedError';
    this.key = key;
  }
}
