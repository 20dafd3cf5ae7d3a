import { hashLengths, type HashKind } from './hash-kinds.ts';

/** Why a run that looks meant as a hash is none, as data. Lengths are in hexadecimal digits. */
export type RejectReason =
  /** Far longer than any hash read here. */
  | { kind: 'too-long'; length: number }
  | { kind: 'wrong-length'; length: number; nearest: HashKind }
  /** Just as long as another hash is, which no repository is asked with. */
  | { kind: 'other-hash'; length: number; name: 'SHA-224' | 'SHA-384' | 'SHA-512' | 'TLSH' }
  /** The same `period` digits over and over, as in an example. */
  | { kind: 'placeholder'; period: number }
  /** A hash but for one or two characters that are no hexadecimal digits, such as an O for a 0. */
  | { kind: 'not-hex'; characters: string; nearest: HashKind }
  /** Hexadecimal digits with letters directly beside them. */
  | { kind: 'glued'; length: number }
  /** Pairs with colons between, as a certificate's fingerprint is written. */
  | { kind: 'colons'; length: number; nearest: HashKind }
  /** Two runs over two lines that have a hash's length together, and may be two other things. */
  | { kind: 'unsure-wrap'; lengths: number[] };

/** A run of ASCII letters and digits, judged. `skipped` characters at its front are an escape or `0x`, and no part of it. */
export type Word =
  | { kind: 'hash'; hash: HashKind; skipped: number }
  | { kind: 'digits'; skipped: number }
  | { kind: 'rejected'; reason: RejectReason; skipped: number }
  | { kind: 'other' };

/** What is read of a text: a string, or something that counts how often it is asked. */
export type TextSource = Pick<string, 'length' | 'charCodeAt' | 'slice'>;

const shortestNearMiss = 24;
/** Above this a run is no hash with some digits too many. */
const longestNearMiss = 72;
const longestPeriod = 16;
const otherHashes = new Map<number, 'SHA-224' | 'SHA-384' | 'SHA-512'>([[56, 'SHA-224'], [96, 'SHA-384'], [128, 'SHA-512']]);
const tlshDigits = 70;
const fewestForeign = 2;

const digit = 1;
const lower = 2;
const upper = 3;
const letter = 4;
const classes = new Uint8Array(128);
for (const [from, to, kind] of [['0', '9', digit], ['a', 'z', letter], ['A', 'Z', letter], ['a', 'f', lower], ['A', 'F', upper]] as const) {
  classes.fill(kind, from.charCodeAt(0), to.charCodeAt(0) + 1);
}

export const isWordCode = (code: number): boolean => code < 128 && classes[code] !== 0;
const isHexCode = (code: number): boolean => code < 128 && classes[code] !== 0 && classes[code] !== letter;

export function kindOfLength(length: number): HashKind | null {
  if (length === hashLengths.md5) return 'md5';
  if (length === hashLengths.sha1) return 'sha1';
  return length === hashLengths.sha256 ? 'sha256' : null;
}

function nearestKind(length: number): HashKind {
  if (length <= (hashLengths.md5 + hashLengths.sha1) / 2) return 'md5';
  return length <= (hashLengths.sha1 + hashLengths.sha256) / 2 ? 'sha1' : 'sha256';
}

/** What a run of hexadecimal digits and nothing else is, by its length; null when it is too short to be meant as a hash. */
export function reasonOfLength(length: number): RejectReason | null {
  const name = otherHashes.get(length);
  if (name !== undefined) return { kind: 'other-hash', length, name };
  if (length < shortestNearMiss) return null;
  return length > longestNearMiss ? { kind: 'too-long', length } : { kind: 'wrong-length', length, nearest: nearestKind(length) };
}

/** The end of the run of letters and digits that begins at `start`. */
export function endOfWord(text: TextSource, start: number): number {
  let at = start + 1;
  while (at < text.length && isWordCode(text.charCodeAt(at))) at += 1;
  return at;
}

/** Judges the run `[start, end)`, which has no letter or digit on either side. An underscore is a separator: `VirusShare_<md5>`. */
export function judgeWord(text: TextSource, start: number, end: number): Word {
  // Most words of a text are shorter than anything that could be meant.
  const digits = foreignIn(text, start, end, 0);
  if (digits === 0 && kindOfLength(end - start)) return hashOrPlaceholder(text, start, end, 0);
  const skipped = escapeBefore(text, start, end);
  if (skipped > 0 && start + skipped < end && foreignIn(text, start + skipped, end, 0) === 0) {
    return kindOfLength(end - start - skipped) ? hashOrPlaceholder(text, start + skipped, end, skipped) : { kind: 'digits', skipped: digits === 0 ? 0 : skipped };
  }
  return digits === 0 ? { kind: 'digits', skipped: 0 } : judgeMixed(text, start, end);
}

/** How many characters are no hexadecimal digits; counting stops above `most`. */
function foreignIn(text: TextSource, start: number, end: number, most: number): number {
  let foreign = 0;
  for (let at = start; at < end && foreign <= most; at += 1) if (!isHexCode(text.charCodeAt(at))) foreign += 1;
  return foreign;
}

function hashOrPlaceholder(text: TextSource, start: number, end: number, skipped: number): Word {
  const hash = kindOfLength(end - start) ?? 'md5';
  const period = periodOf(text.slice(start, end).toLowerCase());
  return period === null ? { kind: 'hash', hash, skipped } : { kind: 'rejected', reason: { kind: 'placeholder', period }, skipped };
}

/** No digest repeats itself: `000…`, `deadbeef…` and `0123456789abcdef…` are examples of one. */
export function periodOf(value: string): number | null {
  for (let period = 1; period <= longestPeriod; period += 1) {
    let at = period;
    while (at < value.length && value[at] === value[at - period]) at += 1;
    if (at === value.length) return period;
  }
  return null;
}

/**
 * How many characters at the word's front are the end of something else: `0x`; the `22` of `%22` and of `%2522`; the `3D` of
 * quoted-printable's `=3D`; the `n` of JSON's `\n`, with `\r`, `\t`, `\x22` and `\u0022`.
 */
function escapeBefore(text: TextSource, start: number, end: number): number {
  const first = text.charCodeAt(start);
  if (first === 0x30 && (text.charCodeAt(start + 1) | 0x20) === 0x78) return 2;
  if (start === 0) return 0;
  const before = text.charCodeAt(start - 1);
  if (before === 0x25) return percentEscape(text, start, end);
  if (before === 0x3d) return text.slice(start, start + 2) === '3D' ? 2 : 0;
  if (before !== 0x5c) return 0;
  if (first === 0x75) return 5;
  if (first === 0x78) return 3;
  return first === 0x6e || first === 0x72 || first === 0x74 ? 1 : 0;
}

/** `%25` is a `%` once more. */
function percentEscape(text: TextSource, start: number, end: number): number {
  let skipped = 2;
  while (start + skipped < end && skipped < 8 && text.slice(start + skipped - 2, start + skipped) === '25') skipped += 2;
  return skipped;
}

/** Letters beyond `f` among the digits: a slip of the hand, or digits glued to something. */
function judgeMixed(text: TextSource, start: number, end: number): Word {
  const length = end - start;
  if (length < hashLengths.md5) return { kind: 'other' };
  if (length === tlshDigits + 2 && /^T1[0-9a-f]+$/i.test(text.slice(start, end))) return rejected({ kind: 'other-hash', length: tlshDigits, name: 'TLSH' });
  const nearest = kindOfLength(length);
  if (nearest && foreignIn(text, start, end, fewestForeign) <= fewestForeign) {
    return rejected({ kind: 'not-hex', characters: text.slice(start, end).replace(/[0-9a-f]+/gi, ''), nearest });
  }
  const longest = longestHexRun(text, start, end);
  return longest < hashLengths.md5 ? { kind: 'other' } : rejected({ kind: 'glued', length: longest });
}

const rejected = (reason: RejectReason): Word => ({ kind: 'rejected', reason, skipped: 0 });

function longestHexRun(text: TextSource, start: number, end: number): number {
  let longest = 0;
  let run = 0;
  for (let at = start; at < end; at += 1) {
    run = isHexCode(text.charCodeAt(at)) ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
