import type { Statement } from './parsed-package.ts';

/** UTF-16 offsets into the file; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/**
 * In UTF-16 units. YARA itself takes 128 (its manual, "Writing YARA rules"); what shows, mutes and looks for rules need
 * not expect more than this.
 */
export const longestRuleName = 200;

/** Why a rule cannot be one whole rule. */
export type Damage = 'long-name' | 'no-body' | 'no-end' | 'open-comment' | 'open-text' | 'open-regex' | 'open-hex';

export interface SplitRule extends Span {
  name: string;
  isGlobal: boolean;
  isPrivate: boolean;
  /** One-based, of its first modifier or of `rule`. */
  line: number;
  /** One-based, of its closing brace. */
  endLine: number;
  /** The text after the colon of each; null when it is not there. */
  tags: Span | null;
  meta: Span | null;
  strings: Span | null;
  condition: Span | null;
  /** null: it is a whole rule as far as can be seen without an engine. */
  damage: Damage | null;
  /** Where the damage begins; null: nowhere, or with the rule. */
  damageStart: number | null;
}

/** A run of tokens that is in no rule and no statement. */
export interface Stray {
  line: number;
  /**
   * `no-name`: it begins with `rule`. `no-target`: with `import` or `include`. `modifiers`: with `private` or `global`.
   */
  cause: 'no-name' | 'no-target' | 'modifiers' | 'brace' | 'open-comment' | 'other';
}

export interface SplitFile {
  rules: readonly SplitRule[];
  imports: readonly Statement[];
  includes: readonly Statement[];
  strays: readonly Stray[];
}
