import { Buffer } from 'node:buffer';

/** Removes the secrets of one connection from anything that may be shown, logged or thrown. */
export interface Redaction {
  /** The text with every form of every secret replaced by `[secret]`. */
  text(value: string): string;
  /** The same for data that is kept: a secret so short that data would hold it by chance is left there. */
  data(value: string): string;
  /** The first characters of a reply, printable, on one line, without secrets. */
  excerpt(bytes: Uint8Array): string;
}

/** A redaction that can also report where it found something. */
interface TokenRedaction extends Redaction {
  /** Where `data` replaces something: first UTF-16 unit and how many. */
  placesInData(value: string): [from: number, length: number][];
}

export const excerptCharacters = 200;
const excerptBytesRead = 256 * 1024;
const replacement = '[secret]';
/** Replaces one hidden character while positions still matter; private use, so no reply's own text is taken for it. */
const mask = '\u{E0F0}';
const redactionsKept = 8;
const shortestInData = 8;
/** `%2525XX` and `\u00XX` are the longest ways one byte of a secret is recognised; three bytes make a character. */
const longestFormOfCharacter = 24;

/** Recognises each secret in every form of `patternOf`, wherever it is. */
export function createRedaction(secrets: readonly string[]): TokenRedaction {
  const present = secrets.filter((secret) => secret !== '');
  const pattern = patternOf(present.map(formsOf));
  const long = present.filter((secret) => secret.length >= shortestInData);
  const dataPattern = long.length === present.length ? pattern : patternOf(long.map(formsOf));
  const longest = longestFormOfCharacter * Math.max(0, ...present.map((secret) => secret.length));
  return {
    text: (value) => value.replace(pattern, replacement),
    data: (value) => value.replace(dataPattern, replacement),
    placesInData: (value) => [...value.matchAll(dataPattern)].map((found) => [found.index, found[0].length]),
    excerpt: (bytes) => {
      const masked = printable(decode(bytes)).replace(pattern, (found) => mask.repeat(found.length));
      // A secret that the cut went through is not recognised: leave out as much as one could have covered.
      const whole = bytes.length > excerptBytesRead ? masked.slice(0, Math.max(0, masked.length - longest)) : masked;
      return whole
        .slice(0, excerptCharacters)
        .replace(new RegExp(`${mask}+`, 'gu'), replacement)
        .trim();
    },
  };
}

/** With the replacement in each of the places, which are in order and apart. */
export function redactedText(text: string, places: readonly (readonly [from: number, length: number])[]): string {
  let [left, at] = ['', 0];
  for (const [from, length] of places) {
    left += `${text.slice(at, from)}${replacement}`;
    at = from + length;
  }
  return left + text.slice(at);
}

const known = new Map<string, TokenRedaction>();

/** The redaction of a connection's secrets. Compiling its pattern takes some 20 ms: once for them, not once a call. */
export function redactionFor(...secrets: readonly (string | null | undefined)[]): TokenRedaction {
  const present = secrets.filter((secret) => typeof secret === 'string');
  const key = JSON.stringify(present);
  const kept = known.get(key);
  if (kept) return kept;
  const made = createRedaction(present);
  const oldest = known.keys().next().value;
  if (known.size >= redactionsKept && oldest !== undefined) known.delete(oldest);
  known.set(key, made);
  return made;
}

/** The same, and one secret more. */
export function withSecret(redaction: Redaction, secret: string): Redaction {
  const more = redactionFor(secret);
  return {
    text: (value) => more.text(redaction.text(value)),
    data: (value) => more.data(redaction.data(value)),
    excerpt: (bytes) => {
      const start = printable(decode(bytes));
      const longest = bytes.length > excerptBytesRead ? longestFormOfCharacter * secret.length : 0;
      return redaction.excerpt(Buffer.from(more.text(start.slice(0, Math.max(0, start.length - longest)))));
    },
  };
}

const removed = '[removed]';
const longestRedacted = 256 * 1024;
/**
 * A shorter secret is a part of many words: their gaps would show it. It is removed only where no letters or digits
 * adjoin it, as around a value.
 */
const shortestInWords = 6;
/** An escape ends with a letter or a digit, too. */
const valueStart = String.raw`(?<=^|[^0-9A-Za-z]|%(?:25){0,4}[0-9A-Fa-f]{2}|\\[bfnrt])`;
/** `token=…` in any spelling of the equals sign, up to what ends a value in a URL, JSON or a sentence. */
const tokenValues = /(token)(=|%(?:25)*3d)([^&\s"'<>#\\;,)\]}]*)/gi;

/**
 * Takes known secrets out of the log, in every form of `patternOf`. Values of `token=` go always, known or not. A
 * secret of a few characters is found as a value alone.
 */
export class LogRedaction {
  readonly #patterns = new Map<string, RegExp>();

  add(secret: string): void {
    if (secret === '' || this.#patterns.has(secret)) return;
    const [itself = '', ...encoded] = formsOf(secret);
    const found = secret.length < shortestInWords ? `${valueStart}(?:${itself})(?![0-9A-Za-z])` : itself;
    this.#patterns.set(secret, patternOf([[found, ...encoded]]));
  }

  remove(secret: string): void {
    this.#patterns.delete(secret);
  }

  get secrets(): string[] {
    return [...this.#patterns.keys()];
  }

  /** A text too long to search is left out whole: a cut could leave half of a secret. */
  redact(text: string): string {
    if (text.length > longestRedacted) return `[${text.length} characters left out]`;
    let clean = text;
    for (const pattern of this.#longestFirst()) clean = clean.replaceAll(pattern, removed);
    return clean.replaceAll(tokenValues, `$1$2${removed}`);
  }

  /** A secret that begins with another one goes whole. */
  #longestFirst(): RegExp[] {
    return [...this.#patterns].toSorted(([one], [other]) => other.length - one.length).map(([, pattern]) => pattern);
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, excerptBytesRead));
}

/**
 * White space becomes one space; control, format and private characters go before secrets are looked for, or they could
 * hide one.
 */
function printable(text: string): string {
  return text
    .replace(/[^\S ]+/gu, ' ')
    .replace(/[\p{C}\uFFFD]+/gu, '')
    .replace(/ {2,}/g, ' ');
}

/** A secret is known by its first characters, and ends where its own characters end: so is one that was cut short. */
const knownBy = 16;
/** A pattern is nested so deep at the most. */
const mostOrdered = 256;
/** Backslashes for one character, in JSON that lies in JSON that lies in JSON. */
const mostEscapes = 8;
const shortestInBase64 = 4;
const shortestInHex = 8;

/**
 * Finds secrets raw, percent-encoded (once or repeatedly, wholly or in part), escaped for HTML or for JSON (in JSON in
 * JSON), as hexadecimal digits, in base64 of any alignment, and cut short. Over-eager on purpose: letter case is
 * ignored. Matches nothing when there is nothing to hide.
 */
function patternOf(secrets: readonly (readonly string[])[]): RegExp {
  return secrets.length === 0 ? /(?!)/gu : new RegExp(secrets.flat().join('|'), 'giu');
}

/** The pattern of the secret itself, then those of its encodings as a whole. */
function formsOf(secret: string): string[] {
  const pieces = piecesOf(secret);
  const itself = pieces.slice(0, knownBy).map(patternOfPiece).join('');
  const tail = tailOf(pieces.slice(knownBy), /^[\w.~+/=-]+$/.test(secret));
  return [`${itself}${tail}`, ...hexForms(secret), ...base64Forms(secret)];
}

/**
 * Of plain characters, as many as are left, and none of what ends a value: a short pattern compiles ten times as fast.
 * Of others, whose encodings could be taken for each other, one after the other, up to where it was cut.
 */
function tailOf(pieces: readonly Piece[], isPlain: boolean): string {
  if (isPlain) return `(?:${anyEncoded}|${escapable(`[^\\s"'<>&]`)}){0,${pieces.length}}`;
  const ordered = pieces.slice(0, mostOrdered).map(patternOfPiece);
  const unordered = [...new Set(pieces.slice(mostOrdered).map(patternOfPiece))];
  const rest = unordered.length === 0 ? '' : `(?:${unordered.join('|')})*`;
  return ordered.reduceRight((after, piece) => `(?:${piece}${after})?`, rest);
}

const anyEscapes = `\\\\{1,${mostEscapes}}`;
const escapable = (pattern: string): string => `\\\\{0,${mostEscapes}}${pattern}`;
const anyEncoded = `%(?:25)*[0-9a-f]{2}|${anyEscapes}u[0-9a-f]{4}|&#x?[0-9a-f]{1,6};|&[a-z]{2,4};`;

interface Piece {
  backslashes: number;
  /** Empty: the secret ends with backslashes. */
  character: string;
}

/**
 * Each character with the backslashes in front of it: one count for both, those of the secret and those that escape it,
 * or a long text of them would be tried in every sum of the two.
 */
const piecesOf = (secret: string): Piece[] =>
  [...secret.matchAll(/(\\*)((?:[\ud800-\udbff][\udc00-\udfff]|[^\\])?)/g)]
    .map(([, backslashes = '', character = '']) => ({ backslashes: backslashes.length, character }))
    .filter((piece) => piece.backslashes > 0 || piece.character !== '');

function patternOfPiece({ backslashes, character }: Piece): string {
  if (backslashes === 0)
    return `(?:${[...encodedForms(character, anyEscapes), escapable(escaped(character))].join('|')})`;
  const backslash = '(?:%(?:25)*5c|\\\\u005c|&#(?:0*92|x0*5c);|&bsol;|\\\\)';
  const before = `${backslash}{${backslashes},${mostEscapes * (backslashes + 1)}}`;
  return character === '' ? before : `${before}(?:${[...encodedForms(character, ''), escaped(character)].join('|')})`;
}

/** Escaped (`\u00e9`), as an entity of HTML, or as the percent-encoding of its UTF-8 bytes. */
function encodedForms(character: string, escape: string): string[] {
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`).join('');
  const units = Array.from({ length: character.length }, (_, index) => `u${hex(character.charCodeAt(index), 4)}`);
  const point = character.codePointAt(0) ?? 0;
  return [
    percent,
    `${escape}${units.join(anyEscapes)}`,
    `&#(?:0*${point}|x0*${point.toString(16)});`,
    ...(namedForms[character] ?? []),
  ];
}

const namedForms: Record<string, string[]> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;'],
  "'": ['&apos;'],
  ' ': ['\\+'],
};

/**
 * What a scan found may be written so, and is often cut: any secret is known by its first bytes here. Shorter ones are
 * digits that anything may hold.
 */
function hexForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < shortestInHex) return [];
  const first = bytes.subarray(0, knownBy).toString('hex');
  return [bytes.length > knownBy ? `${first}[0-9a-f]{0,${2 * (bytes.length - knownBy)}}` : first];
}

/** The part of the base64 that depends on the secret alone, for each of the three ways its bytes can fall. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < shortestInBase64) return [];
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const part = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return escaped(part).replaceAll('\\+', '(?:\\+|-|%2B)').replaceAll('\\/', '(?:\\/|_|%2F)');
  });
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
