import { isUtf8 } from 'node:buffer';
import { createHash, hash, type Hash } from 'node:crypto';
import { YaraScanner } from '../../shared/domain/yara-scanner.ts';
import { textOfDamage, textOfWrongBytes } from './broken-format.ts';
import { type ConditionNames, readConditionNames } from './condition-names.ts';
import type { Counted, PackageBudget } from './package-files.ts';
import { type Span, type SplitRule, splitRules, type Statement, type Stray, textValue } from './split-rules.ts';

/**
 * SHA-256 in hex over the tokens of each part, space and comments left out; null where there is no such part. `text` is
 * over the rule as it is written.
 */
export interface RulePrints {
  text: string;
  modifiers: string;
  tags: string;
  meta: string | null;
  strings: string | null;
  condition: string | null;
}

export interface MetaEntry {
  key: string;
  value: string;
}

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

/** The words of a rule's tags. */
function readTags(source: string, span: Span | null): string[] {
  const tags: string[] = [];
  if (span === null) return tags;
  const scanner = new YaraScanner(source, span);
  while (scanner.nextSignificant()) {
    if (scanner.kind !== 'word') continue;
    tags.push(source.slice(scanner.start, scanner.end));
  }
  return tags;
}

/** Numbers, `true` and `false` as they are written, texts with their escapes resolved; keys may come again. */
function readMeta(source: string, span: Span | null): MetaEntry[] {
  const meta: MetaEntry[] = [];
  if (span === null) return meta;
  let key: string | null = null;
  let sign = '';
  const scanner = new YaraScanner(source, span);
  while (scanner.nextSignificant()) {
    const text = source.slice(scanner.start, scanner.end);
    if (scanner.kind === 'sign') {
      sign = sign.length < 2 ? sign + text : '';
    } else if (key !== null && (sign === '=' || sign === '=-') && !scanner.isOpen) {
      meta.push({ key, value: sign.slice(1) + (scanner.kind === 'text' ? textValue(text) : text) });
      key = null;
      sign = '';
    } else {
      key = scanner.kind === 'word' ? text : null;
      sign = '';
    }
  }
  return meta;
}

/** UTF-16 units that are gathered for one call; strings that are put together keep all their pieces until then. */
const gathered = 64 * 1024;
const lineEnd = /\r\n?/g;
const space = /\s+/g;

const printOf = (text: string): string => hash('sha256', text, 'hex');
const printOfNothing = printOf('');
const modifierPrints = new Map(['', 'global', 'private', 'global\nprivate'].map((text) => [text, printOf(text)]));

type PartPrints = Omit<RulePrints, 'text'>;

/**
 * SHA-256 over each part of a rule, so that two packages can be held against each other without their texts. Each is
 * made when it is first asked for.
 */
export class RulePrinter implements RulePrints {
  readonly #source: string;
  readonly #rule: SplitRule;
  #text: string | null = null;
  #parts: PartPrints | null = null;

  constructor(source: string, rule: SplitRule) {
    this.#source = source;
    this.#rule = rule;
  }

  get text(): string {
    return (this.#text ??= printOfText(this.#source, this.#rule));
  }

  get modifiers(): string {
    return this.#printed().modifiers;
  }

  get tags(): string {
    return this.#printed().tags;
  }

  get meta(): string | null {
    return this.#printed().meta;
  }

  get strings(): string | null {
    return this.#printed().strings;
  }

  get condition(): string | null {
    return this.#printed().condition;
  }

  #printed(): PartPrints {
    return (this.#parts ??= printParts(this.#source, this.#rule));
  }
}

/** Line ends make no difference. */
const printOfText = (source: string, { start, end }: Span): string =>
  printOf(source.slice(start, end).replace(lineEnd, '\n'));

const printParts = (source: string, rule: SplitRule): PartPrints => ({
  modifiers: printOfModifiers(rule),
  tags: rule.tags === null ? printOfNothing : printOfTokens(source, rule.tags),
  meta: rule.meta && printOfTokens(source, rule.meta),
  strings: rule.strings && printOfTokens(source, rule.strings),
  condition: rule.condition && printOfTokens(source, rule.condition),
});

/** Their order means nothing. */
function printOfModifiers({ isGlobal, isPrivate }: SplitRule): string {
  const text = [...(isGlobal ? ['global'] : []), ...(isPrivate ? ['private'] : [])].join('\n');
  return modifierPrints.get(text) ?? printOf(text);
}

/**
 * The tokens with one space after each. Read again, that text gives the same tokens, so two parts with different ones
 * never share a print. Where the source has one space between two of them it is taken as it is: a slice for each token
 * is what takes the time.
 */
function printOfTokens(source: string, span: Span): string {
  const scanner = new YaraScanner(source, span);
  let text = '';
  let long: Hash | null = null;
  let run: Span | null = null;
  while (scanner.nextSignificant()) {
    const { kind, start, end } = scanner;
    if (run !== null && start === run.end + 1 && kind !== 'hex' && source[run.end] === ' ') {
      run.end = end;
      continue;
    }
    if (run !== null) text += `${source.slice(run.start, run.end)} `;
    run = kind === 'hex' ? null : { start, end };
    if (kind === 'hex') text += `${withoutLayout(source.slice(start, end))} `;
    if (text.length < gathered) continue;
    long = (long ?? createHash('sha256')).update(text);
    text = '';
  }
  if (run !== null) text += `${source.slice(run.start, run.end)} `;
  return long === null ? printOf(text) : long.update(text).digest('hex');
}

/** A hex string without space and comments. */
function withoutLayout(hex: string): string {
  if (!hex.includes('/')) return hex.replace(space, '');
  const pieces: string[] = [];
  for (let at = 0; at < hex.length;) {
    const comment = hex.indexOf('/', at);
    pieces.push(hex.slice(at, comment < 0 ? hex.length : comment));
    at = comment < 0 ? hex.length : endOfComment(hex, comment);
  }
  return pieces.join('').replace(space, '');
}

function endOfComment(hex: string, start: number): number {
  const mark = hex.startsWith('/*', start) ? '*/' : '\n';
  const end = hex.indexOf(mark, start + 2);
  return end < 0 ? hex.length : end + mark.length;
}

interface DecodedText {
  /** Without a byte order mark; a replacement character for what is not UTF-8. */
  text: string;
  /** Where the first such character is in a stretch of it; null where there is none. To be asked in ascending order. */
  damageIn(start: number, end: number): number | null;
}

/** Leaves a byte order mark out. */
const utf8 = new TextDecoder();
const replacement = '\ufffd';
const encoded = Buffer.from(replacement);
/** Another character of as many bytes and as many UTF-16 units. */
const standIn = Buffer.from('\ufffc');

/** Reads any bytes. A replacement character that is in the bytes themselves is no damage. */
export function decodeRules(bytes: Uint8Array): DecodedText {
  const text = utf8.decode(bytes);
  if (isUtf8(bytes)) return { text, damageIn: () => null };
  const marked = utf8.decode(withoutReplacements(bytes));
  let found = marked.indexOf(replacement);
  return {
    text,
    damageIn(start, end) {
      if (found >= 0 && found < start) found = marked.indexOf(replacement, start);
      return found >= start && found < end ? found : null;
    },
  };
}

/** The first byte of one never continues another character: what looks like one is one, whatever is around it. */
function withoutReplacements(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(encoded); at >= 0; at = copy.indexOf(encoded, at)) standIn.copy(copy, at);
  return copy;
}
