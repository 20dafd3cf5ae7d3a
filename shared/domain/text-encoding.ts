import { unit } from './hash-runs.ts';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** So much of a text is enough to detect its encoding. */
export const probeBytes = 64 * 1024;
/**
 * In a text of ASCII for the most part, the share of zeros in each place of a character that has them, and elsewhere.
 */
const leastZeros = 0.4;
const mostZeros = 0.05;

/**
 * Of the code units of a text in UTF-16: those below U+0100 at least, all in so many pages of 256, and zeros in the
 * other byte at most.
 */
const [leastBlanks, scriptPages, mostlyPages, mostBlanksElsewhere] = [0.02, 3, 0.95, 0.005] as const;

/**
 * By a byte order mark, else by where the zeros are. Latin-1 and the like are read as UTF-8 with bytes that are none.
 */
export function encodingOf(bytes: Uint8Array): TextEncoding {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be';
  const zeros = [0, 0, 0, 0];
  const probe = bytes.subarray(0, probeBytes);
  for (const [at, byte] of probe.entries()) if (byte === 0) zeros[at & 3] = (zeros[at & 3] ?? 0) + 1;
  const isZero = zeros
    .map((count) =>
      count >= (probe.length / 4) * leastZeros ? '0' : count <= (probe.length / 4) * mostZeros ? 'x' : '?',
    )
    .join('');
  const encodings: Record<string, TextEncoding> = {
    x000: 'utf-32le',
    '000x': 'utf-32be',
    x0x0: 'utf-16le',
    '0x0x': 'utf-16be',
  };
  return probe.length < 4 ? 'utf-8' : (encodings[isZero] ?? otherScript(probe) ?? 'utf-8');
}

/**
 * A text of another script in UTF-16: of each two bytes one is of a few values, zero among them for blanks and digits.
 */
function otherScript(probe: Uint8Array): TextEncoding | null {
  const counts = [new Uint32Array(256), new Uint32Array(256)] as const;
  for (const [at, byte] of probe.entries()) {
    const half = at % 2 === 0 ? counts[0] : counts[1];
    half[byte] = (half[byte] ?? 0) + 1;
  }
  const units = probe.length / 2;
  const isHigh = (half: Uint32Array): boolean =>
    (half[0] ?? 0) >= units * leastBlanks &&
    half
      .toSorted()
      .subarray(-scriptPages)
      .reduce((sum, count) => sum + count, 0) >=
      units * mostlyPages;
  const isLow = (half: Uint32Array): boolean => (half[0] ?? 0) <= units * mostBlanksElsewhere;
  if (isHigh(counts[1]) && isLow(counts[0])) return 'utf-16le';
  return isHigh(counts[0]) && isLow(counts[1]) ? 'utf-16be' : null;
}

/** What of Unicode beyond ASCII matters to the extraction of hashes. */
function unitOf(code: number): number {
  if (code < 0x80) return code;
  // A byte order mark in the middle is where another file was put behind one.
  if (code === 0xa0 || code === 0xfeff) return unit.blank;
  if (code === 0xad) return unit.softHyphen;
  if ((code >= 0x200b && code <= 0x200d) || code === 0x2060) return unit.invisible;
  if (code === 0x2028 || code === 0x2029) return unit.separator;
  return code === 0x2010 || code === 0x2011 ? unit.hyphen : unit.other;
}

/** A part of a text as units, one for each of its code units. */
export function unitsOf(text: string, from: number, to: number): Uint8Array {
  const units = new Uint8Array(to - from);
  for (let at = from; at < to; at += 1) units[at - from] = unitOf(text.charCodeAt(at));
  return units;
}

/** Decodes bytes that come in parts to units. The first part must hold `probeBytes`, unless the text is shorter. */
export class UnitDecoder {
  #encoding: TextEncoding | null = null;
  #rest = new Uint8Array(0);

  /** What is given is valid until the bytes change. */
  decode(part: Uint8Array): Uint8Array {
    this.#encoding ??= encodingOf(part);
    const bytes = this.#rest.length === 0 ? part : joined(this.#rest, part);
    if (this.#encoding === 'utf-8') return this.#utf8(bytes, false);
    return this.#fixed(bytes, this.#encoding.startsWith('utf-16') ? 2 : 4, this.#encoding.endsWith('le'));
  }

  /** What is left when the text ends in the middle of a character. */
  end(): Uint8Array {
    const rest = this.#rest;
    this.#rest = new Uint8Array(0);
    return this.#encoding === 'utf-8'
      ? this.#utf8(rest, true)
      : new Uint8Array(rest.length === 0 ? 0 : 1).fill(unit.other);
  }

  #fixed(bytes: Uint8Array, width: 2 | 4, isLittle: boolean): Uint8Array {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const whole = bytes.length - (bytes.length % width);
    const units = new Uint8Array(whole / width);
    for (let at = 0; at < whole; at += width) {
      units[at / width] = unitOf(width === 2 ? view.getUint16(at, isLittle) : view.getUint32(at, isLittle));
    }
    this.#rest = bytes.slice(whole);
    return units;
  }

  /** A byte that is no UTF-8 is a character of Latin-1. */
  #utf8(bytes: Uint8Array, isEnd: boolean): Uint8Array {
    const { length } = bytes;
    let at = endOfAscii(bytes, 0);
    this.#rest = new Uint8Array(0);
    if (at === length) return bytes;
    const units = new Uint8Array(length);
    units.set(bytes.subarray(0, at));
    let to = at;
    while (at < length) {
      const size = sizeOf(bytes[at] ?? 0);
      if (at + size > length && !isEnd) {
        this.#rest = bytes.slice(at);
        break;
      }
      const code = size === 1 ? null : codeAt(bytes, at, size);
      units[to] = unitOf(code ?? bytes[at] ?? 0);
      to += 1;
      if (size === 4 && code !== null) {
        units[to] = unit.other;
        to += 1;
      }
      at += code === null ? 1 : size;
      const end = endOfAscii(bytes, at);
      units.set(bytes.subarray(at, end), to);
      to += end - at;
      at = end;
    }
    return units.subarray(0, to);
  }
}

const notAscii = 0x80;
const noneAscii = 0x80808080;

/**
 * Where the first byte that is no ASCII lies, at or behind `from`; the length where there is none. Four bytes at a
 * time.
 */
function endOfAscii(bytes: Uint8Array, from: number): number {
  let at = from;
  if (bytes.byteOffset % 4 === 0) {
    while (at < bytes.length && at % 4 !== 0 && (bytes[at] ?? 0) < notAscii) at += 1;
    if (at % 4 === 0) {
      const fours = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
      let index = at >> 2;
      while (index < fours.length && ((fours[index] ?? 0) & noneAscii) === 0) index += 1;
      at = Math.max(at, index << 2);
    }
  }
  while (at < bytes.length && (bytes[at] ?? 0) < notAscii) at += 1;
  return at;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Of a character in UTF-8, by its first byte; 1 where it is none. */
function sizeOf(byte: number): 1 | 2 | 3 | 4 {
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xf0 && byte < 0xf5 ? 4 : 1;
}

/** null where the bytes are no character. */
function codeAt(bytes: Uint8Array, start: number, size: number): number | null {
  let code = (bytes[start] ?? 0) & (0x7f >> size);
  for (let at = start + 1; at < start + size; at += 1) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) !== 0x80) return null;
    code = (code << 6) | (byte & 0x3f);
  }
  return code;
}
