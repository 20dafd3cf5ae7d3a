import { YaraScanner } from '../../../shared/domain/yara-scanner.ts';
import type { Span } from '../split-rules.ts';

interface Token {
  kind: 'word' | 'pattern' | 'number' | 'sign' | 'other';
  text: string;
  start: number;
  end: number;
}

/** Words for what an engine knows of a file before it searches for strings. */
const headWords = /^(?:filesize|u?int(?:8|16|32)(?:be)?)$/;

/**
 * The tests of the size and of bytes at fixed places with which a condition begins, joined by `and`; in source order.
 * Where one of them does not hold, the whole condition does not.
 */
export function headOf(source: string, span: Span): string[] {
  const operands: string[] = [];
  try {
    const tokens = tokensOf(source, span);
    let operand: Token[] = [];
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at];
      if (token === undefined) break;
      if (token.kind === 'word' && token.text === 'or') return [];
      if (token.kind === 'word' && token.text === 'and') {
        operands.push(wordsOf(operand));
        operand = [];
        continue;
      }
      const end = token.kind === 'sign' && opening.has(token.text) ? endOfBrackets(tokens, at) : at;
      operand.push(...tokens.slice(at, end + 1));
      at = end;
    }
    operands.push(wordsOf(operand));
  } catch (error) {
    if (!(error instanceof AskedError)) throw error;
    return [];
  }
  return operands.filter((text) => text !== '');
}

/** Empty where it asks for anything else. */
function wordsOf(operand: readonly Token[]): string {
  const isHead =
    operand.length > 1 &&
    operand.every(
      ({ kind, text }) => kind === 'number' || kind === 'sign' || (kind === 'word' && headWords.test(text)),
    );
  return isHead
    ? operand.map(({ text }, index) => (index > 0 && isSpaced(operand[index - 1], text) ? ` ${text}` : text)).join('')
    : '';
}

/** Signs of two characters are two tokens. */
const isSpaced = (before: Token | undefined, text: string): boolean =>
  /\w$/.test(before?.text ?? '') && /^\w/.test(text);

/** A part of a condition as it is where no string is found: a truth value, or a text that asks for no string. */
type Part = boolean | string;

/** What cannot be said of a condition without a look at its strings. */
class AskedError extends Error {
  override readonly name = 'AskedError';
}

/**
 * What a condition is for a file in which none of the rule's strings is found: `false`, `true`, or a condition that
 * asks for no string. Only plain ways to ask for strings are understood: `$a`, `#a > 2`, `any of ($a*)`, `$a at 0`,
 * `for any of them : (…)`. What an engine calls undefined counts as false in an operand of `and` and `or`, and nowhere
 * else: inside of `not` only what is always defined is understood.
 * @returns null where that is not enough
 */
export function conditionWithoutStrings(source: string, span: Span): Part | null {
  try {
    const reader = new ConditionReader(source, tokensOf(source, span));
    return reader.read();
  } catch (error) {
    if (error instanceof AskedError) return null;
    throw error;
  }
}

function tokensOf(source: string, span: Span): Token[] {
  const tokens: Token[] = [];
  const scanner = new YaraScanner(source, span);
  while (scanner.nextSignificant()) {
    const { start, end, kind } = scanner;
    if (scanner.isOpen) throw new AskedError();
    tokens.push({
      kind: kind === 'word' || kind === 'pattern' || kind === 'number' || kind === 'sign' ? kind : 'other',
      text: source.slice(start, end),
      start,
      end,
    });
  }
  return tokens;
}

const opening = new Set(['(', '[']);
const closing = new Set([')', ']']);
const isStringToken = ({ kind, text }: Token): boolean => kind === 'pattern' || (kind === 'word' && text === 'them');
const comparisons = new Set(['<', '>', '=', '!']);
/** Brackets and `not` inside of each other: thousands would take all of the stack. */
const deepest = 100;

class ConditionReader {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth: number;

  /** `depth`: brackets around these tokens. */
  constructor(source: string, tokens: readonly Token[], depth = 0) {
    this.#source = source;
    this.#tokens = tokens;
    this.#depth = depth;
  }

  read(): Part {
    const part = this.#either(false);
    if (this.#at < this.#tokens.length) throw new AskedError();
    return part;
  }

  /** `isDenied`: inside of `not`. */
  #either(isDenied: boolean): Part {
    const parts = [this.#both(isDenied)];
    while (this.#takes('or')) parts.push(this.#both(isDenied));
    return parts.includes(true) ? true : this.#rest(parts, { word: 'or', isDenied });
  }

  #both(isDenied: boolean): Part {
    const parts = [this.#one(isDenied)];
    while (this.#takes('and')) parts.push(this.#one(isDenied));
    return parts.includes(false) ? false : this.#rest(parts, { word: 'and', isDenied });
  }

  /**
   * Of operands that do not decide by themselves. To leave out some of them may make something undefined of what was
   * false, which matters inside of `not`.
   */
  #rest(parts: readonly Part[], { word, isDenied }: { word: 'and' | 'or'; isDenied: boolean }): Part {
    const open = parts.filter((part) => typeof part === 'string');
    if (open.length === 0) return word === 'and';
    if (isDenied && open.length < parts.length) throw new AskedError();
    return joined(open, word);
  }

  #one(isDenied: boolean): Part {
    if (this.#depth === deepest) throw new AskedError();
    this.#depth += 1;
    const part = this.#operand(isDenied);
    this.#depth -= 1;
    return part;
  }

  #operand(isDenied: boolean): Part {
    if (this.#takes('not')) {
      const part = this.#one(true);
      return typeof part === 'boolean' ? !part : `not (\n${part}\n)`;
    }
    const end = this.#endOfGroup();
    if (end === null) return this.#leaf(isDenied);
    this.#at += 1;
    const part = this.#either(isDenied);
    if (this.#at !== end) throw new AskedError();
    this.#at += 1;
    return part;
  }

  #takes(word: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word' || token.text !== word) return false;
    this.#at += 1;
    return true;
  }

  /**
   * Of brackets that are a whole operand; null: they belong to something, as those of `(1 + 2) * 3`, or there are none.
   */
  #endOfGroup(): number | null {
    if (this.#tokens[this.#at]?.text !== '(') return null;
    const end = endOfBrackets(this.#tokens, this.#at);
    const next = this.#tokens[end + 1];
    return next === undefined ||
      next.text === ')' ||
      (next.kind === 'word' && (next.text === 'and' || next.text === 'or'))
      ? end
      : null;
  }

  /** Up to `and`, `or`, or the bracket around it. */
  #leaf(isDenied: boolean): Part {
    const first = this.#at;
    for (let token = this.#tokens[this.#at]; token !== undefined; token = this.#tokens[this.#at]) {
      if (token.kind === 'word' && (token.text === 'and' || token.text === 'or')) break;
      if (token.kind === 'sign' && closing.has(token.text)) break;
      this.#at =
        (token.kind === 'sign' && opening.has(token.text) ? endOfBrackets(this.#tokens, this.#at) : this.#at) + 1;
    }
    const leaf = this.#tokens.slice(first, this.#at);
    const [start, end] = [leaf[0], leaf.at(-1)];
    if (start === undefined || end === undefined) throw new AskedError();
    if (!leaf.some(isStringToken)) return this.#source.slice(start.start, end.end);
    return this.#withoutStrings(leaf, isDenied);
  }

  #withoutStrings(leaf: readonly Token[], isDenied: boolean): boolean {
    const answer = stringAlone(leaf) ?? countCompared(leaf) ?? setAlone(leaf);
    if (answer !== null) return answer;
    if (isDenied || !(isPlaced(leaf) || isOffsetCompared(leaf) || this.#isLoopOverStrings(leaf)))
      throw new AskedError();
    return false;
  }

  /** `for any of them : (…)`, where nothing that is not found fulfils what is in the brackets. */
  #isLoopOverStrings(leaf: readonly Token[]): boolean {
    const [first, ...rest] = leaf;
    if (first?.text !== 'for') return false;
    const colon = rest.findIndex(({ kind, text }) => kind === 'sign' && text === ':');
    const body = rest.slice(colon + 1);
    if (
      colon < 0 ||
      body[0]?.text !== '(' ||
      endOfBrackets(body, 0) !== body.length - 1 ||
      setAlone(rest.slice(0, colon)) !== false
    )
      return false;
    return new ConditionReader(this.#source, body.slice(1, -1), this.#depth).read() === false;
  }
}

const joined = (parts: readonly string[], word: 'and' | 'or'): string =>
  parts.length === 1 ? (parts[0] ?? '') : `(${parts.map((part) => `(${part}\n)`).join(` ${word} `)})`;

/** Where the bracket at `from` is closed. */
function endOfBrackets(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'sign') continue;
    if (opening.has(token.text)) depth += 1;
    if (closing.has(token.text)) depth -= 1;
    if (depth === 0) return at;
  }
  throw new AskedError();
}

const isDollar = (token: Token | undefined): boolean =>
  token?.kind === 'pattern' && token.text.startsWith('$') && !token.text.endsWith('*');

/** `$a`; in a loop `$`. */
const stringAlone = (leaf: readonly Token[]): boolean | null => (leaf.length === 1 && isDollar(leaf[0]) ? false : null);

/** `#a > 2`, and the other way round. */
function countCompared(leaf: readonly Token[]): boolean | null {
  const [first, ...signs] = leaf;
  const last = signs.pop();
  if (first === undefined || last === undefined || signs.length === 0 || signs.some(({ kind }) => kind !== 'sign'))
    return null;
  const isFirst = isCount(first) && last.kind === 'number';
  if (!isFirst && !(isCount(last) && first.kind === 'number')) return null;
  const number = /^\d{1,9}$/.exec((isFirst ? last : first).text)?.[0];
  const sign = signs.map(({ text }) => text).join('');
  if (number === undefined) return null;
  return compared(isFirst ? 0 : Number(number), sign, isFirst ? Number(number) : 0);
}

const isCount = ({ kind, text }: Token): boolean => kind === 'pattern' && text.startsWith('#');

function compared(one: number, sign: string, other: number): boolean | null {
  switch (sign) {
    case '<':
      return one < other;
    case '<=':
      return one <= other;
    case '>':
      return one > other;
    case '>=':
      return one >= other;
    case '==':
      return one === other;
    case '!=':
      return one !== other;
    default:
      return null;
  }
}

/** `any of them`, `2 of ($a*, $b)`: a set is never empty. `none of them` is fulfilled. */
function setAlone(leaf: readonly Token[]): boolean | null {
  const rest = setOf(leaf);
  if (rest === null || rest.length > 0) return null;
  return leaf[0]?.text === 'none';
}

/** The text after a set with its quantity; null: it begins with none. */
function setOf(leaf: readonly Token[]): readonly Token[] | null {
  const [quantity, ...behind] = leaf;
  const isSome =
    quantity?.kind === 'word'
      ? ['any', 'all', 'none'].includes(quantity.text)
      : quantity?.kind === 'number' && /^[1-9]\d{0,5}$/.test(quantity.text);
  const [of, ...set] = behind;
  if (!isSome || of?.text !== 'of') return null;
  if (set[0]?.text === 'them') return set.slice(1);
  if (set[0]?.text !== '(') return null;
  const end = set.findIndex(({ text }) => text === ')');
  const isOfStrings = set
    .slice(1, end)
    .every(({ kind, text }, index) => (index % 2 === 0 ? kind === 'pattern' && text.startsWith('$') : text === ','));
  return end < 2 || !isOfStrings ? null : set.slice(end + 1);
}

/** `$a at 0`, `$a in (0..100)`, `any of them in (0..100)`. */
function isPlaced(leaf: readonly Token[]): boolean {
  const behind = isDollar(leaf[0]) ? leaf.slice(1) : leaf[0]?.text === 'none' ? null : setOf(leaf);
  const [word, ...place] = behind ?? [];
  return (
    word?.kind === 'word' && (word.text === 'at' || word.text === 'in') && place.length > 0 && place.every(isValue)
  );
}

const loopWords = new Set(['for', 'of', 'with', 'defined', 'not', 'and', 'or', 'them']);
const isValue = (token: Token): boolean =>
  token.kind !== 'pattern' && !(token.kind === 'word' && loopWords.has(token.text));

/**
 * `@a < 100`, `uint16(@a[1] + 4) == 2`: where a string is not found its place and length are undefined, and so is what
 * is made of them.
 */
function isOffsetCompared(leaf: readonly Token[]): boolean {
  const isOffset = ({ kind, text }: Token): boolean =>
    kind === 'pattern' && (text.startsWith('@') || text.startsWith('!'));
  if (!leaf.some(isOffset) || !leaf.every((token) => isOffset(token) || isValue(token))) return false;
  let depth = 0;
  return leaf.some(({ kind, text }) => {
    if (kind !== 'sign') return false;
    if (opening.has(text)) depth += 1;
    if (closing.has(text)) depth -= 1;
    return depth === 0 && comparisons.has(text[0] ?? '');
  });
}
