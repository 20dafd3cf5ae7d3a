import { type HashKind, hashLengths } from './hash.ts';

export type OtherHash =
  | 'SHA-224'
  | 'SHA-384'
  | 'SHA-512'
  | 'ssdeep'
  | 'TLSH'
  | 'imphash'
  | 'Authentihash'
  | 'Rich header hash'
  | 'JA3'
  | 'JA3S'
  | 'vhash';

/** Why a run that looks like a file hash was not taken. Lengths are in hexadecimal digits. */
export type RejectReason =
  /** Longer than any known hash. */
  | { kind: 'too-long'; length: number }
  | { kind: 'wrong-length'; length: number; nearest: HashKind }
  /** A hash that repositories are not searched by. */
  | { kind: 'other-hash'; length: number; name: OtherHash }
  /** Labelled as something that is no hash of a file, or written as only that is. */
  | { kind: 'no-file-hash'; name: 'certificate' | 'wallet' | 'UUID' }
  /** The same `period` digits over and over, as in an example. */
  | { kind: 'placeholder'; period: number }
  /** A hash except for one or two characters that are no hexadecimal digits, such as an O for a 0. */
  | { kind: 'not-hex'; characters: string; nearest: HashKind }
  /** Hexadecimal digits with letters directly beside them. */
  | { kind: 'glued'; length: number }
  /** Pairs with colons between, as a certificate's fingerprint is written. */
  | { kind: 'colons'; length: number; nearest: HashKind }
  /** Runs on consecutive lines that may be one hash, or several things. */
  | { kind: 'unsure-wrap'; lengths: number[] };

/**
 * A text as the extraction reads it: a byte for each UTF-16 code unit, so that offsets into both are the same. ASCII is
 * itself; of everything else only these matter.
 */
export const unit = {
  other: 0x80,
  invisible: 0x81,
  hyphen: 0x82,
  blank: 0x83,
  softHyphen: 0x84,
  separator: 0x85,
} as const;

export const newLine = 0x0a;
export const carriageReturn = 0x0d;

export const isBlank = (code: number | undefined): boolean => code === 0x20 || code === 0x09 || code === unit.blank;
/** Blanks, and the `>` of a quoted mail. */
export const isIndentation = (code: number | undefined): boolean => isBlank(code) || code === 0x3e || isInvisible(code);
export const isInvisible = (code: number | undefined): boolean => code === unit.invisible || code === unit.softHyphen;
/** `=` of quoted-printable, and hyphens. */
export const isWrapMark = (code: number | undefined): boolean => code === 0x3d || code === 0x2d || code === unit.hyphen;
/** U+2028 parts lines that are not counted: those of a field of one line. */
export const isLineEnd = (code: number | undefined): boolean =>
  code === newLine || code === carriageReturn || code === unit.separator;
/** A separator between the cells of a table: a comma, a semicolon, a bar or a tab. */
export const isCellMark = (code: number | undefined): boolean =>
  code === 0x2c || code === 0x3b || code === 0x7c || code === 0x09;

/**
 * A run of ASCII letters and digits, judged. The first `skipped` characters are an escape or `0x`, and no part of it.
 */
export type Word = { kind: 'digits'; skipped: number } | { kind: 'rejected'; reason: RejectReason } | { kind: 'other' };

export const shortestNearMiss = 24;
/** Longer runs are not hashes with some digits too many. */
const longestNearMiss = 72;
/** The longest hash that is recognised, SHA-512. */
export const longestDigest = 128;
const longestPeriod = 16;
export const tlshDigits = 70;
const mostForeign = 2;
const otherHashes = new Map<number, OtherHash>([
  [56, 'SHA-224'],
  [96, 'SHA-384'],
  [longestDigest, 'SHA-512'],
]);

const digit = 1;
const lower = 2;
const upper = 3;
export const letter = 4;
/** The class of a unit: 0 for separators between words, up to `upper` for hexadecimal digits. */
export const classes = new Uint8Array(256);
const ranges = [
  ['0', '9', digit],
  ['a', 'z', letter],
  ['A', 'Z', letter],
  ['a', 'f', lower],
  ['A', 'F', upper],
] as const;
for (const [from, to, kind] of ranges) classes.fill(kind, from.charCodeAt(0), to.charCodeAt(0) + 1);

const classAt = (units: Uint8Array, at: number): number => classes[units[at] ?? 0] ?? 0;
export const isWordAt = (units: Uint8Array, at: number): boolean => classAt(units, at) !== 0;
export const isHexAt = (units: Uint8Array, at: number): boolean => {
  const kind = classAt(units, at);
  return kind !== 0 && kind !== letter;
};

/** The ASCII text of a part of the units, each with `bits` set. */
export function textIn(units: Uint8Array, start: number, end: number, bits = 0): string {
  const u = (at: number): number => (units[at] ?? 0) | bits;
  let text = '';
  let at = start;
  // Many at a time: to put a string together of short ones would cost more than all else.
  for (; at + 32 <= end; at += 32) {
    text += String.fromCharCode(
      u(at),
      u(at + 1),
      u(at + 2),
      u(at + 3),
      u(at + 4),
      u(at + 5),
      u(at + 6),
      u(at + 7),
      u(at + 8),
      u(at + 9),
      u(at + 10),
      u(at + 11),
      u(at + 12),
      u(at + 13),
      u(at + 14),
      u(at + 15),
      u(at + 16),
      u(at + 17),
      u(at + 18),
      u(at + 19),
      u(at + 20),
      u(at + 21),
      u(at + 22),
      u(at + 23),
      u(at + 24),
      u(at + 25),
      u(at + 26),
      u(at + 27),
      u(at + 28),
      u(at + 29),
      u(at + 30),
      u(at + 31),
    );
  }
  for (; at + 8 <= end; at += 8) {
    text += String.fromCharCode(u(at), u(at + 1), u(at + 2), u(at + 3), u(at + 4), u(at + 5), u(at + 6), u(at + 7));
  }
  for (; at < end; at += 1) text += String.fromCharCode(u(at));
  return text;
}

/** Sets the bit that lower-case letters have; digits have it too. */
const lowerCase = 0x20;

/** Hexadecimal digits in lower case. */
export const digitsIn = (units: Uint8Array, start: number, end: number): string => textIn(units, start, end, lowerCase);

/** Whether letters are among the digits in this case. */
export function hasCase(units: Uint8Array, start: number, end: number, isUpper: boolean): boolean {
  const kind = isUpper ? upper : lower;
  for (let at = start; at < end; at += 1) if (classAt(units, at) === kind) return true;
  return false;
}

export function kindOfLength(length: number): HashKind | null {
  if (length === hashLengths.md5) return 'md5';
  if (length === hashLengths.sha1) return 'sha1';
  return length === hashLengths.sha256 ? 'sha256' : null;
}

export const otherHashOfLength = (length: number): OtherHash | null => otherHashes.get(length) ?? null;

export function nearestKind(length: number): HashKind {
  if (length <= (hashLengths.md5 + hashLengths.sha1) / 2) return 'md5';
  return length <= (hashLengths.sha1 + hashLengths.sha256) / 2 ? 'sha1' : 'sha256';
}

/**
 * What a run of that many hexadecimal digits is when it is no file hash; null when it is too short to be meant as a
 * hash.
 */
export function reasonOfLength(length: number): RejectReason | null {
  const name = otherHashOfLength(length);
  if (name !== null) return { kind: 'other-hash', length, name };
  if (length < shortestNearMiss) return null;
  return length > longestNearMiss
    ? { kind: 'too-long', length }
    : { kind: 'wrong-length', length, nearest: nearestKind(length) };
}

/**
 * Judges the run `[start, end)`, which has no letter or digit on either side. An underscore is a separator:
 * `VirusShare_<md5>`.
 */
export function judgeWord(units: Uint8Array, start: number, end: number): Word {
  const isAllHex = isHex(units, start, end);
  if (isAllHex && isFraction(units, start, end)) return { kind: 'other' };
  if (isAllHex && kindOfLength(end - start)) return { kind: 'digits', skipped: 0 };
  const skipped = escapeBefore(units, start, end);
  if (skipped === 0 || start + skipped >= end || foreignIn(units, start + skipped, end, 0) > 0) {
    return isAllHex ? { kind: 'digits', skipped: 0 } : judgeMixed(units, start, end);
  }
  const digits = end - start - skipped;
  if (digits === hashLengths.sha1 && isPrefixed(units, start))
    return rejected({ kind: 'no-file-hash', name: 'wallet' });
  return { kind: 'digits', skipped: isAllHex && kindOfLength(digits) === null ? 0 : skipped };
}

/** How many characters are no hexadecimal digits; counting stops above `most`. */
function foreignIn(units: Uint8Array, start: number, end: number, most: number): number {
  let foreign = 0;
  for (let at = start; at < end && foreign <= most; at += 1) if (!isHexAt(units, at)) foreign += 1;
  return foreign;
}

export const isHex = (units: Uint8Array, start: number, end: number): boolean => foreignIn(units, start, end, 0) === 0;

/** No digest repeats itself: `000…`, `deadbeef…` and `0123456789abcdef…` are examples of one. */
export function periodOf(value: string): number | null {
  for (let period = 1; period <= longestPeriod; period += 1) {
    let at = period;
    while (at < value.length && value.charCodeAt(at) === value.charCodeAt(at - period)) at += 1;
    if (at === value.length) return period;
  }
  return null;
}

/** Whether `periodOf` would find one, without making a string. */
export function isRepetitive(units: Uint8Array, start: number, end: number): boolean {
  for (let period = 1; period <= longestPeriod; period += 1) {
    let at = start + period;
    while (at < end && ((units[at] ?? 0) | 0x20) === ((units[at - period] ?? 0) | 0x20)) at += 1;
    if (at === end) return true;
  }
  return false;
}

/** The block size of an ssdeep hash: 3, doubled any number of times. */
export function isBlockSize(digits: string): boolean {
  const doubled = /^\d{1,9}$/.test(digits) ? Math.log2(Number(digits) / 3) : -1;
  return doubled >= 0 && Number.isInteger(doubled);
}

/** What is behind the point of a decimal number, which may have an exponent: `0.125e3`. */
export function isFraction(units: Uint8Array, start: number, end: number): boolean {
  if (start < 2 || units[start - 1] !== 0x2e || classAt(units, start - 2) !== digit) return false;
  let exponents = 0;
  for (let at = start; at < end; at += 1) {
    if (classAt(units, at) !== digit && ((units[at] ?? 0) | lowerCase) !== 0x65) return false;
    if (classAt(units, at) !== digit) exponents += 1;
  }
  return exponents <= 1;
}

/** `0x` */
export const isPrefixed = (units: Uint8Array, start: number): boolean =>
  units[start] === 0x30 && ((units[start + 1] ?? 0) | 0x20) === 0x78;

/**
 * How many characters at the word's front are the end of something else: `0x`; the `22` of `%22` and of `%2522`; the
 * `3D` of quoted-printable's `=3D`; the `n` of JSON's `\n`, with `\r`, `\t`, `\x22` and `\u0022`.
 */
function escapeBefore(units: Uint8Array, start: number, end: number): number {
  if (isPrefixed(units, start)) return 2;
  const before = start === 0 ? 0 : units[start - 1];
  if (before === 0x25) return percentEscape(units, start, end);
  if (before === 0x3d) return units[start] === 0x33 && units[start + 1] === 0x44 ? 2 : 0;
  if (before !== 0x5c) return 0;
  const first = units[start];
  if (first === 0x75) return 5;
  if (first === 0x78) return 3;
  return first === 0x6e || first === 0x72 || first === 0x74 ? 1 : 0;
}

/** `%25` is a `%` once more. */
function percentEscape(units: Uint8Array, start: number, end: number): number {
  let skipped = 2;
  while (start + skipped < end && skipped < 8 && textIn(units, start + skipped - 2, start + skipped) === '25')
    skipped += 2;
  return skipped;
}

/** Letters beyond `f` among the digits: a typing error, or digits with something directly beside them. */
function judgeMixed(units: Uint8Array, start: number, end: number): Word {
  const length = end - start;
  if (length < hashLengths.md5) return { kind: 'other' };
  if (
    length === tlshDigits + 2 &&
    foreignIn(units, start + 2, end, 0) === 0 &&
    /^T1$/i.test(textIn(units, start, start + 2))
  ) {
    return rejected({ kind: 'other-hash', length: tlshDigits, name: 'TLSH' });
  }
  const nearest = kindOfLength(length);
  if (nearest && foreignIn(units, start, end, mostForeign) <= mostForeign) {
    return rejected({ kind: 'not-hex', characters: textIn(units, start, end).replace(/[0-9a-f]+/gi, ''), nearest });
  }
  return rejectedRun(longestHexRun(units, start, end));
}

/** Hexadecimal digits in a longer word; null where they are too few to be meant as a hash. */
export function rejectedRun(longest: number): Word {
  return longest < hashLengths.md5 ? { kind: 'other' } : rejected({ kind: 'glued', length: longest });
}

const rejected = (reason: RejectReason): Word => ({ kind: 'rejected', reason });

function longestHexRun(units: Uint8Array, start: number, end: number): number {
  let longest = 0;
  let run = 0;
  for (let at = start; at < end; at += 1) {
    run = isHexAt(units, at) ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/** Labels are looked for so far before a run. */
export const labelReach = 64;

/** Of the characters of a word from its last to its first, in lower case. Different words may have the same one. */
const nextKey = (key: number, code: number): number => Math.imul(key ^ (code | lowerCase), 0x9e3779b1);

/**
 * The last words of labels by their keys. Most hashes have another word before them, or none: no string is made of it.
 */
const lastWords = new Map(
  [
    'serial',
    'number',
    'no',
    'thumbprint',
    'fingerprint',
    'imphash',
    'authentihash',
    'hash',
    'hashes',
    'md5',
    'md5s',
    'sha1',
    'sha256',
    'header',
    'ja3',
    'ja3s',
    'tlsh',
    'vhash',
    'uuid',
    'guid',
    // The second half of `SHA-256`.
    '1',
    '256',
  ].map((word) => [[...word].reduceRight((key, character) => nextKey(key, character.charCodeAt(0)), 0), word]),
);
const separators = /[\s"'`:=>()[\]{}*|,-]{0,40}$/;
const labels: readonly (readonly [RegExp, RejectReason & { kind: 'other-hash' | 'no-file-hash' }])[] = [
  [/\bserial(?:[ _-]?(?:number|no))?\.?$/, { kind: 'no-file-hash', name: 'certificate' }],
  [
    /(?:thumbprint|(?<!\b(?:file|sample|malware|binary)[ _-])fingerprint)(?:[ _(-]{0,2}(?:md5|sha-?(?:1|256)))?$/,
    { kind: 'no-file-hash', name: 'certificate' },
  ],
  [/\b(?:uuid|guid)$/, { kind: 'no-file-hash', name: 'UUID' }],
  [/\bimp[ _-]?hash(?:[ _-]md5)?$/, { kind: 'other-hash', length: 0, name: 'imphash' }],
  [/\bauthentihash(?:[ _(-]{0,2}(?:md5|sha-?(?:1|256)))?$/, { kind: 'other-hash', length: 0, name: 'Authentihash' }],
  [
    /\brich(?:[ _-]?pe)?[ _-]?header(?:[ _-]?(?:hash|md5)){0,2}$/,
    { kind: 'other-hash', length: 0, name: 'Rich header hash' },
  ],
  [/\bja3s(?:[ _-]?(?:hash|md5|fingerprint))?$/, { kind: 'other-hash', length: 0, name: 'JA3S' }],
  [/\bja3(?:[ _-]?(?:hash|md5|fingerprint))?$/, { kind: 'other-hash', length: 0, name: 'JA3' }],
  [/\btlsh$/, { kind: 'other-hash', length: 0, name: 'TLSH' }],
  [/\bvhash$/, { kind: 'other-hash', length: 0, name: 'vhash' }],
];

const fileLabels = /\b(md5|sha-?1|sha-?256)(?:s|[ _-]hash(?:es)?)?$/;

export type Label = { kind: 'reason'; reason: RejectReason } | { kind: 'file'; hash: HashKind };

/**
 * What the words directly before a run call it, on its line or as the whole line before. The units hold at least
 * `labelReach` before `start`, or the text begins there.
 */
export function labelBefore(units: Uint8Array, start: number, length: number): Label | null {
  let at = start - 1;
  const first = Math.max(0, start - labelReach);
  while (at >= first && !isWordAt(units, at)) at -= 1;
  const word = at < first ? null : lastWordBefore(units, at + 1);
  if (word === null) return null;
  const label = fileWords.get(word);
  if (label && isOnLine(units, at + 1, start) && !isLabelledTwice(units, at + 1 - word.length)) return label;
  const before = textIn(units, first, start).toLowerCase();
  const text = before.replace(separators, '');
  const between = before.slice(text.length);
  const reason = labelledAs(text, length);
  const isAbove = /[\r\n]/.test(between);
  // Another line's words are a label only if nothing else is on that line.
  const isWholeLine = /(?:^|[\r\n])[ \t]*[a-z][\w -]*$/.test(text);
  const hasEmptyLine = /[\r\n][^\r\n]*[\r\n]/.test(between.replace(/\r\n/g, '\n'));
  if (isAbove && (!isWholeLine || hasEmptyLine)) return null;
  if (reason) return { kind: 'reason', reason };
  const named = fileLabels.exec(text)?.[1]?.replace('-', '');
  return named === 'md5' || named === 'sha1' || named === 'sha256' ? { kind: 'file', hash: named } : null;
}

function labelledAs(text: string, length: number): RejectReason | null {
  const reason = labels.find(([label]) => label.test(text))?.[1];
  return reason?.kind === 'other-hash' ? { ...reason, length } : (reason ?? null);
}

const longestLastWord = 12;
const longestSeparator = 6;
const fileWords = new Map<string, Label>(
  (['md5', 'sha1', 'sha256'] as const).map((hash) => [hash, { kind: 'file', hash }]),
);

function isOnLine(units: Uint8Array, start: number, end: number): boolean {
  if (end - start > longestSeparator) return false;
  for (let at = start; at < end; at += 1) if (units[at] === 0x0a || units[at] === 0x0d) return false;
  return true;
}

/** `imphash md5`, `thumbprint (sha1)` */
function isLabelledTwice(units: Uint8Array, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && at > start - longestSeparator && !isWordAt(units, at)) at -= 1;
  return at >= 0 && lastWordBefore(units, at + 1) !== null;
}

function lastWordBefore(units: Uint8Array, end: number): string | null {
  let start = end;
  let key = 0;
  while (start > 0 && end - start <= longestLastWord && isWordAt(units, start - 1)) {
    start -= 1;
    key = nextKey(key, units[start] ?? 0);
  }
  const word = lastWords.get(key);
  return word?.length === end - start && isTextAt(units, start, word) ? word : null;
}

function isTextAt(units: Uint8Array, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at += 1)
    if (((units[start + at] ?? 0) | lowerCase) !== text.charCodeAt(at)) return false;
  return true;
}
