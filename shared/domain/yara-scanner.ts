/** The kind of token that begins with this character; the reader distinguishes quotes, slashes and braces. */
type YaraCharacter = 'space' | 'word' | 'number' | 'pattern' | 'sign';

const wordBit = 1;
const numberBit = 2;
const patternBit = 4;
const spaceBit = 8;
const hexBit = 16;
/** Of each UTF-16 unit. Bits and not names, because every character of a package is asked about. */
const bits = new Uint8Array(0x1_0000);

const mark = (characters: string, bit: number): void => {
  for (let at = 0; at < characters.length; at += 1)
    bits[characters.charCodeAt(at)] = (bits[characters.charCodeAt(at)] ?? 0) | bit;
};
const letters = 'abcdefghijklmnopqrstuvwxyz';
mark(`${letters}${letters.toUpperCase()}_`, wordBit);
mark('0123456789', numberBit);
mark('$#@!', patternBit);
mark('\t\n\v\f\r ', spaceBit);
/** A mark of the byte order in the middle of a text is one, too. */
mark(
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  spaceBit,
);
mark('0123456789abcdefABCDEF?~()|[]-', hexBit);

/** No character has any beyond the end of a text, where its code is NaN. */
const hasBit = (code: number, wanted: number): boolean => ((bits[code] ?? 0) & wanted) !== 0;

/** All take NaN, which a text gives beyond its end, for a sign. */
function kindOfCode(code: number): YaraCharacter {
  if (hasBit(code, wordBit)) return 'word';
  if (hasBit(code, spaceBit)) return 'space';
  if (hasBit(code, numberBit)) return 'number';
  return hasBit(code, patternBit) ? 'pattern' : 'sign';
}

const isWord = (code: number): boolean => hasBit(code, wordBit | numberBit);
export const isSpace = (code: number): boolean => hasBit(code, spaceBit);

/** The characters of a hex string: bytes, wildcards, jumps, choices, space. Comments are searched for separately. */
const isPartOfHex = (code: number): boolean => hasBit(code, hexBit | spaceBit);

export type YaraTokenKind = 'space' | 'comment' | 'word' | 'pattern' | 'number' | 'text' | 'hex' | 'regex' | 'sign';

/** What is read of a text: a string, or something that counts how often it is asked. */
export type YaraText = Pick<string, 'length' | 'charCodeAt' | 'indexOf'>;

/** Instead of a character: no character has this code. */
const beyond = 0xffff;
const newLine = 0x0a;
const quote = 0x22;
const star = 0x2a;
const dot = 0x2e;
const slash = 0x2f;
const equals = 0x3d;
const backslash = 0x5c;
const braceOpen = 0x7b;
const braceClosed = 0x7d;

/**
 * Goes through a YARA source token by token without an object for each: a package has millions. Loops and no regular
 * expressions, because those of V8 keep a stack for a token of ten megabytes. No character is looked at more than a few
 * times.
 */
export class YaraScanner {
  kind: YaraTokenKind = 'space';
  /** Of its first character. */
  code = 0;
  /** UTF-16 offsets; `end` is exclusive. */
  start = 0;
  end = 0;
  /** A comment, a text, a hex string or a regular expression whose end is missing. */
  isOpen = false;
  readonly #source: YaraText;
  readonly #length: number;
  readonly #limit: number;
  /** The last significant token is a `=`: a brace then begins a hex string. */
  #isAfterEquals = false;

  /** Part of a source begins and ends between two tokens of it, and not behind a `=`. */
  constructor(source: YaraText, part: { start: number; end: number } = { start: 0, end: source.length }) {
    this.#source = source;
    this.#length = source.length;
    this.end = part.start;
    this.#limit = part.end;
  }

  /** Never NaN, which would make all arithmetic with codes slow. */
  #codeAt(at: number): number {
    return at < this.#length ? this.#source.charCodeAt(at) : beyond;
  }

  /** To the next token; false at the end. */
  next(): boolean {
    this.start = this.end;
    if (this.start >= this.#limit) return false;
    this.isOpen = false;
    const code = this.#codeAt(this.start);
    this.code = code;
    this.#read(code);
    if (this.kind !== 'space' && this.kind !== 'comment') this.#isAfterEquals = code === equals;
    return true;
  }

  /** To the next significant token: an open comment is one, because it swallows what was meant. */
  nextSignificant(): boolean {
    do this.end = this.#endOfSpace(this.end);
    while (this.next() && this.kind === 'comment' && !this.isOpen);
    return this.start < this.#limit;
  }

  #read(code: number): void {
    switch (kindOfCode(code)) {
      case 'space':
        return this.#take('space', this.#endOfSpace(this.start + 1));
      case 'word':
        return this.#take('word', this.#endOfWord(this.start + 1));
      case 'number':
        return this.#take('number', this.#endOfNumber());
      case 'pattern':
        return this.#pattern();
      case 'sign':
        break;
    }
    if (code === quote) return this.#text();
    if (code === slash) return this.#slash();
    if (code === braceOpen && this.#isAfterEquals) return this.#hex();
    this.#take('sign', this.start + (isPair(code, this.#codeAt(this.start + 1)) ? 2 : 1));
  }

  #take(kind: YaraTokenKind, end: number): void {
    this.kind = kind;
    this.end = end;
  }

  #takeOpen(kind: YaraTokenKind, end: number): void {
    this.#take(kind, end);
    this.isOpen = true;
  }

  #endOfSpace(from: number): number {
    let at = from;
    while (isSpace(this.#codeAt(at))) at += 1;
    return at;
  }

  #endOfWord(from: number): number {
    let at = from;
    while (isWord(this.#codeAt(at))) at += 1;
    return at;
  }

  /** `0x5A4D`, `4MB`, `1.5`; the dots of `(0..5)` are signs. */
  #endOfNumber(): number {
    const end = this.#endOfWord(this.start + 1);
    const isFraction = this.#codeAt(end) === dot && kindOfCode(this.#codeAt(end + 1)) === 'number';
    return isFraction ? this.#endOfWord(end + 1) : end;
  }

  /** `$a`, `$a*`, `#a`, `@a`, `!a`; the star of `#a*2` multiplies, and `!=` compares. */
  #pattern(): void {
    const end = this.#endOfWord(this.start + 1);
    const isAlone = end === this.start + 1;
    if (isAlone && this.#codeAt(end) === equals) return this.#take(this.#isDollar() ? 'pattern' : 'sign', end);
    this.#take('pattern', this.#isDollar() && this.#codeAt(end) === star ? end + 1 : end);
  }

  #isDollar(): boolean {
    return this.#codeAt(this.start) === 0x24;
  }

  #text(): void {
    const isTriple = this.#codeAt(this.start + 1) === quote && this.#codeAt(this.start + 2) === quote;
    if (isTriple && this.#tripleText()) return;
    this.#delimited('text', quote);
  }

  /**
   * YARA-X: over lines, and with no quote inside that is not escaped; anything else that begins like it is an empty
   * text and more.
   */
  #tripleText(): boolean {
    for (let at = this.start + 3; at < this.#length; at += 1) {
      const code = this.#codeAt(at);
      if (code === backslash) {
        at += 1;
        if (this.#codeAt(at) === newLine) return false;
      }
      if (code !== quote) continue;
      const isClosed = this.#codeAt(at + 1) === quote && this.#codeAt(at + 2) === quote;
      if (isClosed) this.#take('text', at + 3);
      return isClosed;
    }
    return false;
  }

  #slash(): void {
    const second = this.#codeAt(this.start + 1);
    if (second === star || second === slash) return this.#comment(this.start);
    this.#delimited('regex', slash);
    if (this.isOpen) return;
    for (let count = 0; count < 2 && isModifier(this.#codeAt(this.end)); count += 1) this.end += 1;
  }

  /**
   * Up to the delimiter, which may be escaped, and never over the end of a line. A class of a regular expression may
   * not hold it either: so read YARA and YARA-X.
   */
  #delimited(kind: YaraTokenKind, delimiter: number): void {
    let at = this.start + 1;
    for (; at < this.#length; at += 1) {
      const code = this.#codeAt(at);
      if (code === delimiter) return this.#take(kind, at + 1);
      if (code === newLine) break;
      if (code === backslash && at + 1 < this.#length && this.#codeAt(at + 1) !== newLine) at += 1;
    }
    this.#takeOpen(kind, at);
  }

  #comment(start: number): void {
    const isBlock = this.#codeAt(start + 1) === star;
    const end = this.#source.indexOf(isBlock ? '*/' : '\n', start + 2);
    if (end >= 0) return this.#take('comment', isBlock ? end + 2 : end);
    if (isBlock) this.#takeOpen('comment', this.#source.length);
    else this.#take('comment', this.#source.length);
  }

  /**
   * Up to its brace, or to the first word or sign that no hex string may have: then the rule around it can still be
   * recognised.
   */
  #hex(): void {
    let at = this.start + 1;
    let code = this.#codeAt(at);
    while (isPartOfHex(code) || this.#isComment(at, code)) {
      if (code === slash) {
        this.#comment(at);
        at = this.end;
      } else {
        at += 1;
      }
      code = this.#codeAt(at);
    }
    if (this.isOpen) return this.#takeOpen('hex', at);
    if (code === braceClosed) return this.#take('hex', at + 1);
    this.#takeOpen('hex', this.#withoutWordBefore(at));
  }

  #isComment(at: number, code: number): boolean {
    if (code !== slash) return false;
    const second = this.#codeAt(at + 1);
    return second === star || second === slash;
  }

  /** `{ 01 condition:` stops behind the `c`; it should stop before the word, and before the space in front of it. */
  #withoutWordBefore(from: number): number {
    let at = from;
    if (isWord(this.#codeAt(at))) while (isWord(this.#codeAt(at - 1))) at -= 1;
    while (isSpace(this.#codeAt(at - 1))) at -= 1;
    return at;
  }
}

const isModifier = (code: number): boolean => kindOfCode(code) === 'word' && code !== 0x5f;
const isPair = (high: number, low: number): boolean =>
  high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;

/**
 * YARA source as tokens: enough of the language to distinguish rules, strings, comments and words (YARA's manual,
 * "Writing YARA rules"; the lexers of YARA 4 and YARA-X). Total: the tokens of any text join to exactly that text.
 */
export interface YaraToken {
  kind: YaraTokenKind;
  /** UTF-16 offsets; `end` is exclusive. */
  start: number;
  end: number;
  /** A comment, a text, a hex string or a regular expression whose end is missing. */
  isOpen?: true;
}

/** In order, none left out. Time grows with the length alone. */
export function* yaraTokens(source: YaraText): Generator<YaraToken, void, void> {
  const scanner = new YaraScanner(source);
  while (scanner.next()) {
    const { kind, start, end } = scanner;
    yield scanner.isOpen ? { kind, start, end, isOpen: true } : { kind, start, end };
  }
}

/** Words with a meaning of their own (YARA's manual, "YARA keywords"; `with` is one of YARA-X). */
export const yaraKeywords: ReadonlySet<string> = new Set([
  'all',
  'and',
  'any',
  'ascii',
  'at',
  'base64',
  'base64wide',
  'condition',
  'contains',
  'defined',
  'endswith',
  'entrypoint',
  'false',
  'filesize',
  'for',
  'fullword',
  'global',
  'icontains',
  'iendswith',
  'iequals',
  'import',
  'in',
  'include',
  'int16',
  'int16be',
  'int32',
  'int32be',
  'int8',
  'int8be',
  'istartswith',
  'matches',
  'meta',
  'nocase',
  'none',
  'not',
  'of',
  'or',
  'private',
  'rule',
  'startswith',
  'strings',
  'them',
  'true',
  'uint16',
  'uint16be',
  'uint32',
  'uint32be',
  'uint8',
  'uint8be',
  'wide',
  'with',
  'xor',
]);
