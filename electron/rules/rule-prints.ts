import { createHash, hash, type Hash } from 'node:crypto';
import { YaraScanner } from '../../shared/domain/yara-scanner.ts';
import type { RulePrints } from './parsed-package.ts';
import type { Span, SplitRule } from './split-file.ts';

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
