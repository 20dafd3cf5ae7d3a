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

/** A redaction that can tell, too, where it found something. */
export interface TokenRedaction extends Redaction {
  /** Where `data` replaces something: first UTF-16 unit and how many. */
  placesInData(value: string): [from: number, length: number][];
}

export const excerptCharacters = 200;
const excerptBytesRead = 256 * 1024;
const replacement = '[secret]';
/**
 * Stands for one hidden character while positions still matter; private use, so no reply's own text is taken for it.
 */
const mask = '\u{E0F0}';
/**
 * A token of plain characters is known by its first ones, and ends where such characters end: a short pattern compiles
 * ten times as fast.
 */
const knownBy = 16;
const longestLiteralPart = 128;
const redactionsKept = 8;
const shortestBase64Part = 6;
const shortestInData = 8;
/** `%2525XX` and `\u00XX` are the longest ways one byte of a secret is recognised; three bytes make a character. */
const longestFormOfCharacter = 24;

/**
 * Recognises each secret raw, percent-encoded (once or repeatedly, wholly or in part), escaped for JSON or HTML, as
 * hexadecimal digits, and in base64 of any alignment. Over-eager on purpose: letter case is ignored.
 */
export function createRedaction(secrets: readonly string[]): TokenRedaction {
  const present = secrets.filter((secret) => secret !== '');
  const pattern = patternOf(present);
  const long = present.filter((secret) => secret.length >= shortestInData);
  const dataPattern = long.length === present.length ? pattern : patternOf(long);
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

/** The redaction of one token. Compiling its pattern takes some 20 ms: once for a token, not once a call. */
export function redactionFor(token: string | null): TokenRedaction {
  const kept = known.get(token ?? '');
  if (kept) return kept;
  const made = createRedaction(token === null ? [] : [token]);
  const oldest = known.keys().next().value;
  if (known.size >= redactionsKept && oldest !== undefined) known.delete(oldest);
  known.set(token ?? '', made);
  return made;
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

/** Matches nothing when there is nothing to hide. */
function patternOf(secrets: readonly string[]): RegExp {
  return secrets.length === 0 ? /(?!)/gu : new RegExp(secrets.flatMap(formsOf).join('|'), 'giu');
}

function formsOf(secret: string): string[] {
  const characters = [...secret];
  const literalLength = /^[\w.~+/=-]+$/.test(secret) ? knownBy : longestLiteralPart;
  const literal = characters.slice(0, literalLength).map(characterForms).join('');
  const left = characters.length - literalLength;
  return [left > 0 ? `${literal}${anyCharacter}{0,${left}}` : literal, ...hexForms(secret), ...base64Forms(secret)];
}

/**
 * One character of what follows, in the forms `characterForms` has: as many as are left of the secret, and none of what
 * comes after it.
 */
const anyCharacter = `(?:%(?:25)*[0-9a-f]{2}|\\\\{1,4}u[0-9a-f]{4}|&#x?[0-9a-f]{1,6};|&[a-z]{2,4};|\\\\?[^\\s"'<>&])`;

function characterForms(character: string): string {
  const bytes = [...Buffer.from(character)];
  const percent = bytes.map((byte) => `%(?:25)*${hex(byte, 2)}`).join('');
  const json = Array.from(
    { length: character.length },
    (_, index) => `\\\\{1,4}u${hex(character.charCodeAt(index), 4)}`,
  ).join('');
  const point = character.codePointAt(0) ?? 0;
  const forms = [
    `\\\\?${escaped(character)}`,
    percent,
    json,
    `&#(?:0*${point}|x0*${point.toString(16)});`,
    ...namedForms(character),
  ];
  return `(?:${forms.join('|')})`;
}

function namedForms(character: string): string[] {
  const names: Record<string, string[]> = {
    '&': ['&amp;'],
    '<': ['&lt;'],
    '>': ['&gt;'],
    '"': ['&quot;'],
    "'": ['&apos;'],
    ' ': ['\\+'],
  };
  return names[character] ?? [];
}

/**
 * What a scan found may be written so, and is often cut: any secret is known by its first bytes here. Shorter ones are
 * digits that anything may hold.
 */
function hexForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < shortestInData) return [];
  const first = bytes.subarray(0, knownBy).toString('hex');
  return [bytes.length > knownBy ? `${first}[0-9a-f]{0,${2 * (bytes.length - knownBy)}}` : first];
}

/** The part of the base64 that depends on the secret alone, for each of the three ways its bytes can fall. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const part = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return part.length < shortestBase64Part
      ? []
      : [escaped(part).replaceAll('\\+', '(?:\\+|-|%2B)').replaceAll('\\/', '(?:\\/|_|%2F)')];
  });
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
