/** A part of a query between white space. Offsets are UTF-16 code units of the whole text, ends exclusive. */
export interface QueryWord {
  at: number;
  end: number;
  isNegated: boolean;
  /** Behind the minus. */
  bodyAt: number;
  /**
   * The letters and digits in front of the first colon, or what else the language has there, whether or not a field is
   * called so.
   */
  prefix: string | null;
  /** Behind the colon of the prefix; of a quoted value, the place of its quote. */
  valueAt: number;
  /** Of the value without its quotes, its escapes as they were typed. */
  contentAt: number;
  contentEnd: number;
  quote: 'none' | 'closed' | 'open';
  /** A `*` directly behind the closing quote. */
  hasStar: boolean;
  /** Without quotes and escapes. */
  value: string;
}

const space = /\s*/y;
const nonSpace = /\S*/y;
const letters = /[a-z0-9]+(?=:)/iy;

/**
 * The words of a query, in order, whatever was typed. A quote counts at the beginning of a word or of a value; inside,
 * `\"` is a quote and `\\` a backslash; behind the closing one another word begins. Time grows with the length alone.
 * `prefix`: sticky; what may be in front of a colon.
 */
export function* queryWords(text: string, prefix: RegExp = letters): Generator<QueryWord, void, void> {
  for (let at = endOf(space, text, 0); at < text.length;) {
    const word = wordAt(text, at, prefix);
    yield word;
    at = endOf(space, text, word.end);
  }
}

/** A part of a library query: a word, or what joins words. */
export type QueryToken =
  | { kind: 'word'; at: number; end: number; word: QueryWord }
  | { kind: 'open'; at: number; end: number; isNegated: boolean }
  | { kind: 'close'; at: number; end: number }
  | { kind: 'operator'; at: number; end: number; operator: QueryOperator };

export const queryOperators = ['AND', 'OR', 'NOT'] as const;
export type QueryOperator = (typeof queryOperators)[number];

/** In capitals alone; in other letters they are words as any. */
const operator = /(?:AND|OR|NOT)(?=[\s()]|$)/y;

/**
 * The same of a library query, with its operators and parentheses. A parenthesis opens where a word would begin, and
 * closes where none was opened inside of its word: `(tag:a OR name:copy(1))`. Time grows with the length alone.
 */
export function* queryTokens(text: string): Generator<QueryToken, void, void> {
  for (let at = endOf(space, text, 0); at < text.length;) {
    const token = tokenAt(text, at);
    yield token;
    at = endOf(space, text, token.end);
  }
}

function tokenAt(text: string, at: number): QueryToken {
  const isNegated = text[at] === '-';
  const bodyAt = isNegated ? at + 1 : at;
  if (text[bodyAt] === '(') return { kind: 'open', at, end: bodyAt + 1, isNegated };
  if (text[at] === ')') return { kind: 'close', at, end: at + 1 };
  const end = endOf(operator, text, at);
  const joining = queryOperators.find((one) => end > at && text.slice(at, end) === one);
  if (joining !== undefined) return { kind: 'operator', at, end, operator: joining };
  const word = wordAt(text, at, letters, endOfBalanced);
  return { kind: 'word', at, end: word.end, word };
}

/** Where white space begins, or a parenthesis closes that was not opened in between. */
function endOfBalanced(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at += 1) {
    const one = text[at] ?? '';
    if (one === ')' && open === 0) return at;
    if (/\s/.test(one)) return at;
    if (one === '(') open += 1;
    else if (one === ')') open -= 1;
  }
  return text.length;
}

type EndOfPlain = (text: string, from: number) => number;
const endOfLetters: EndOfPlain = (text, from) => endOf(nonSpace, text, from);

function wordAt(text: string, at: number, prefix: RegExp, endOfPlain: EndOfPlain = endOfLetters): QueryWord {
  const isNegated = text[at] === '-';
  const bodyAt = isNegated ? at + 1 : at;
  const prefixEnd = endOf(prefix, text, bodyAt);
  const hasPrefix = prefixEnd > bodyAt;
  const valueAt = hasPrefix ? prefixEnd + 1 : bodyAt;
  const start = { at, isNegated, bodyAt, prefix: hasPrefix ? text.slice(bodyAt, prefixEnd) : null, valueAt };
  return text[valueAt] === '"'
    ? { ...start, ...quotedAt(text, valueAt) }
    : { ...start, ...plainAt(text, valueAt, endOfPlain) };
}

type ValuePart = Omit<QueryWord, 'at' | 'isNegated' | 'bodyAt' | 'prefix' | 'valueAt'>;

function plainAt(text: string, at: number, endOfPlain: EndOfPlain): ValuePart {
  const end = endOfPlain(text, at);
  return { end, contentAt: at, contentEnd: end, quote: 'none', hasStar: false, value: text.slice(at, end) };
}

function quotedAt(text: string, quoteAt: number): ValuePart {
  const contentAt = quoteAt + 1;
  const contentEnd = endOfQuoted(text, contentAt);
  const isClosed = contentEnd < text.length;
  const hasStar = isClosed && text[contentEnd + 1] === '*';
  const end = contentEnd + (isClosed ? 1 : 0) + (hasStar ? 1 : 0);
  return {
    end,
    contentAt,
    contentEnd,
    quote: isClosed ? 'closed' : 'open',
    hasStar,
    value: unescaped(text.slice(contentAt, contentEnd)),
  };
}

function endOfQuoted(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at, text.length);
}

/** A value as text alone, whatever is in it. */
export const quotedValue = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&')}"`;

export const unescaped = (content: string): string => content.replace(/\\(["\\])/g, '$1');

/** Where what matches there ends. */
function endOf(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from;
  return sticky.test(text) ? sticky.lastIndex : from;
}
