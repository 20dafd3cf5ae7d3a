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

function wordAt(text: string, at: number, prefix: RegExp): QueryWord {
  const isNegated = text[at] === '-';
  const bodyAt = isNegated ? at + 1 : at;
  const prefixEnd = endOf(prefix, text, bodyAt);
  const hasPrefix = prefixEnd > bodyAt;
  const valueAt = hasPrefix ? prefixEnd + 1 : bodyAt;
  const start = { at, isNegated, bodyAt, prefix: hasPrefix ? text.slice(bodyAt, prefixEnd) : null, valueAt };
  return text[valueAt] === '"' ? { ...start, ...quotedAt(text, valueAt) } : { ...start, ...plainAt(text, valueAt) };
}

type ValuePart = Omit<QueryWord, 'at' | 'isNegated' | 'bodyAt' | 'prefix' | 'valueAt'>;

function plainAt(text: string, at: number): ValuePart {
  const end = endOf(nonSpace, text, at);
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

export const unescaped = (content: string): string => content.replace(/\\(["\\])/g, '$1');

/** Where what matches there ends. */
function endOf(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from;
  return sticky.test(text) ? sticky.lastIndex : from;
}
