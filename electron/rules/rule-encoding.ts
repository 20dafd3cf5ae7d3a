import { isUtf8 } from 'node:buffer';
import { YaraScanner } from '../../shared/domain/yara-scanner.ts';
import { type Span, splitRules } from './split-rules.ts';

/**
 * How the bytes of a file of rules are meant. `-unmarked`: it has no byte order mark. `latin1`: no UTF-8, so each byte
 * is a character.
 */
export type RuleEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-16le-unmarked' | 'utf-16be-unmarked' | 'latin1';

/** Of an unmarked file this much is looked at. */
const probeBytes = 4096;
/** Of the ASCII characters, this share of the zeros is in the half of each pair where zeros are expected. */
const leastShare = 0.4;

export const encodingOf = (bytes: Uint8Array): RuleEncoding => utf16Of(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'latin1');

/** As its beginning shows; null: it is no UTF-16. */
export function utf16Of(bytes: Uint8Array): Exclude<RuleEncoding, 'utf-8' | 'latin1'> | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return unmarkedUtf16(bytes.subarray(0, probeBytes));
}

/** Rules are ASCII for the most part, which UTF-16 writes with a zero in each pair. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le-unmarked' | 'utf-16be-unmarked' | null {
  if (bytes.length < 4) return null;
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros.map((count) => count / (bytes.length / 2));
  if (odd >= leastShare && even < 0.05) return 'utf-16le-unmarked';
  return even >= leastShare && odd < 0.05 ? 'utf-16be-unmarked' : null;
}

/**
 * UTF-16 as UTF-8. What is no UTF-16, such as half a pair, becomes a byte that is no UTF-8: it is as wrong afterwards
 * as it was.
 */
export function utf8OfUtf16(bytes: Uint8Array, order: 'le' | 'be'): Uint8Array {
  const copy = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  if (order === 'be') copy.swap16();
  const text = copy.toString('utf16le');
  const isWhole = text.isWellFormed() && copy.length === bytes.length;
  const start = text.startsWith('\ufeff') ? 1 : 0;
  if (isWhole) return Buffer.from(text.slice(start));
  return Buffer.concat([...wrongKept(text.slice(start)), ...(copy.length === bytes.length ? [] : [wrongByte])]);
}

const wrongByte = Buffer.from([0xff]);

function* wrongKept(text: string): Generator<Buffer, void, void> {
  for (const [index, piece] of text.split(/\p{Surrogate}/u).entries()) {
    if (index > 0) yield wrongByte;
    yield Buffer.from(piece);
  }
}

/**
 * Only carriage returns end its lines. To YARA such a file is one line, and the first line comment hides all that
 * follows.
 */
export const hasBareReturns = (bytes: Uint8Array): boolean => !bytes.includes(0x0a) && bytes.includes(0x0d);

/** The same length: no offset changes. A raw end of a line is allowed in no text and no regular expression. */
export const withLineFeeds = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => (byte === 0x0d ? 0x0a : byte));

/**
 * What is called Latin-1 is written on Windows for the most part, which has letters where Latin-1 has control
 * characters. One byte is one UTF-16 unit.
 */
const windows = new TextDecoder('windows-1252');

/**
 * A Latin-1 file as UTF-8. In texts and regular expressions of strings and conditions a byte from 0x80 on becomes
 * `\xE9`: the rule looks for the byte it was written with, as YARA does with the file as it was. In comments and meta
 * it becomes the character.
 */
export function utf8OfLatin1(bytes: Uint8Array): Uint8Array {
  const text = windows.decode(bytes);
  const pieces: string[] = [];
  let written = 0;
  for (const span of sectionsOf(text)) {
    const scanner = new YaraScanner(text, span);
    while (scanner.next()) {
      if (scanner.kind !== 'text' && scanner.kind !== 'regex') continue;
      const { start, end, kind } = scanner;
      const token = text.slice(start, end);
      if (!/[^\0-\x7f]/.test(token)) continue;
      pieces.push(text.slice(written, start), escaped(token, bytes.subarray(start, end), kind === 'regex'));
      written = end;
    }
  }
  return Buffer.from(pieces.join('') + text.slice(written));
}

/** Strings and conditions of all rules, in order. */
const sectionsOf = (text: string): Span[] =>
  splitRules(text)
    .rules.flatMap(({ strings, condition }) => [strings, condition])
    .filter((span) => span !== null)
    .toSorted((one, other) => one.start - other.start);

/**
 * A backslash before such a character means the character in a regular expression, and is a fault in a text: there both
 * stay as they are.
 */
function escaped(token: string, bytes: Uint8Array, isRegex: boolean): string {
  return token.replaceAll(/\\[^]|[^\0-\x7f]/g, (found, at: number) => {
    const isEscape = found.length === 2;
    const byte = bytes[isEscape ? at + 1 : at] ?? 0;
    if (byte < 0x80 || (isEscape && !isRegex)) return found;
    return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
