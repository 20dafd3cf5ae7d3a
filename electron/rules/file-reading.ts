import { textOfDamage, textOfWrongBytes } from './broken-words.ts';
import { type ConditionNames, readConditionNames } from './condition-names.ts';
import { decodeRules } from './decode-rules.ts';
import type { Counted, PackageBudget } from './package-limits.ts';
import type { MetaEntry, RulePrints, Statement } from './parsed-package.ts';
import { readMeta, readTags } from './rule-parts.ts';
import { RulePrinter } from './rule-prints.ts';
import type { SplitRule, Stray } from './split-file.ts';
import { splitRules } from './split-rules.ts';

/**
 * What the bytes of a file contain, independent of its path and of the files beside it: packages with the same bytes
 * share it.
 */
export interface FileReading {
  text: string;
  imports: readonly Statement[];
  includes: readonly Statement[];
  strays: readonly Stray[];
  rules: readonly RuleReading[];
  /** Towards the limits of a package. */
  counted: Counted;
}

/** Reads any bytes. Throws where the budget does. */
export function readRules(bytes: Uint8Array, budget: PackageBudget): FileReading {
  const before = budget.counted;
  const { text, damageIn } = decodeRules(bytes);
  const { rules, ...rest } = splitRules(text, budget);
  const counted = {
    rules: budget.counted.rules - before.rules,
    particulars: budget.counted.particulars - before.particulars,
  };
  return {
    ...rest,
    text,
    rules: rules.map((rule) => new RuleReading(text, rule, damageIn(rule.start, rule.end))),
    counted,
  };
}

/** One rule of it. Its parts are read on demand: those of most rules are never needed. */
export class RuleReading {
  readonly split: SplitRule;
  /** Why it cannot be one whole rule; null: it is one as far as can be seen without an engine. */
  readonly fault: string | null;
  /** One-based, of the fault itself; of the rule where there is none. */
  readonly faultLine: number;
  readonly #source: string;
  #prints: RulePrints | null = null;
  #tags: readonly string[] | null = null;
  #meta: readonly MetaEntry[] | null = null;
  #names: ConditionNames | null = null;

  /** `wrongBytes`: where what is no UTF-8 begins. */
  constructor(source: string, split: SplitRule, wrongBytes: number | null) {
    this.#source = source;
    this.split = split;
    this.fault = split.damage === null ? (wrongBytes === null ? null : textOfWrongBytes) : textOfDamage(split.damage);
    this.faultLine =
      split.line +
      newLinesIn(source, split.start, (split.damage === null ? wrongBytes : split.damageStart) ?? split.start);
  }

  /** Always the same object. */
  get prints(): RulePrints {
    return (this.#prints ??= new RulePrinter(this.#source, this.split));
  }

  get tags(): readonly string[] {
    return (this.#tags ??= readTags(this.#source, this.split.tags));
  }

  get meta(): readonly MetaEntry[] {
    return (this.#meta ??= readMeta(this.#source, this.split.meta));
  }

  get names(): ConditionNames {
    return (this.#names ??= readConditionNames(this.#source, this.split.condition));
  }
}

function newLinesIn(source: string, start: number, end: number): number {
  let count = 0;
  for (let at = source.indexOf('\n', start); at >= 0 && at < end; at = source.indexOf('\n', at + 1)) count += 1;
  return count;
}
