import type { BrokenRule } from '../../../shared/domain/publication.ts';
import type { BrokenCause } from '../../../shared/domain/rule-review.ts';
import { withRelaxedRegexes } from '../engine/relaxed-regexes.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';
import { textOf } from '../library/rule-rows.ts';
import type { ParsedRule } from '../parsed-package.ts';

const unknownName = /^unknown identifier `(\w+)`/;
const unknownModule = /^unknown module `(\w+)`/;
/** As `textOfUse` has it, of a rule as a whole or of its part in some namespaces. */
const brokenUse = /(?:^|: )It uses ([^ ]+), which is broken: /;
/** YARA refuses it as well. */
const backReference = /(?:^|[^\\])(?:\\\\)*\\[0-9]/;
const regexFault = 'invalid regular expression';
const regexFaultsTakenByYara = [
  'unrecognized escape sequence',
  'repetition ',
  'unclosed counted repetition',
  'invalid escape sequence found in character class',
  'invalid range boundary',
];
/** Refused by YARA-X 1 and compiled by YARA 4.2: tried with both. */
const takenByYara: readonly RegExp[] = [
  new RegExp(`^${regexFault}: (?:${regexFaultsTakenByYara.join('|')})`),
  /^invalid pattern `[^`]*`: this pattern is too short: `base64/,
];

/** Determines why rules of one package are broken, so that those of one cause can be reported together. */
export class BrokenCauses {
  readonly #pack: IndexedPackage;
  readonly #modules: ReadonlySet<string>;
  readonly #brokenNames: ReadonlySet<string>;

  constructor(pack: IndexedPackage) {
    this.#pack = pack;
    this.#modules = new Set(
      pack.broken.flatMap(({ broken: { rule, text } }) => (rule === null ? (unknownModule.exec(text)?.[1] ?? []) : [])),
    );
    this.#brokenNames = new Set(
      pack.broken.flatMap(({ rule }) => (rule === null || pack.usable.has(rule.name) ? [] : [rule.name])),
    );
  }

  causeOf({ kind, text }: BrokenRule, rule: ParsedRule | null): BrokenCause {
    const used = kind === 'uses' ? brokenUse.exec(text)?.[1] : undefined;
    if (used !== undefined) return { kind: 'rule', subject: used, isTakenByYara: false };
    if (kind !== 'engine') return { kind, subject: '', isTakenByYara: false };
    const name = unknownModule.exec(text)?.[1] ?? unknownName.exec(text)?.[1];
    if (name !== undefined && (this.#modules.has(name) || unknownModule.test(text)))
      return { kind: 'module', subject: name, isTakenByYara: false };
    if (name !== undefined && this.#brokenNames.has(name)) return { kind: 'rule', subject: name, isTakenByYara: false };
    const isTakenByYara = takenByYara.some((expression) => expression.test(text));
    if (text.startsWith(regexFault) && rule !== null && this.#isRelaxable(rule))
      return { kind: 'strict', subject: '', isTakenByYara: true };
    return { kind: 'engine', subject: text.replaceAll(/`[^`]*`/g, '`…`').replaceAll(/\d+/g, 'N'), isTakenByYara };
  }

  #isRelaxable(rule: ParsedRule): boolean {
    const text = textOf(this.#pack, rule).slice(rule.start, rule.end);
    const relaxed = withRelaxedRegexes(text);
    return relaxed !== text && !backReference.test(relaxed);
  }
}
