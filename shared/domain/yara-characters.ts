/** What a token is that begins with this character; quotes, slashes and braces are told apart by who reads them. */
export type YaraCharacter = 'space' | 'word' | 'number' | 'pattern' | 'sign';

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
export function kindOfCode(code: number): YaraCharacter {
  if (hasBit(code, wordBit)) return 'word';
  if (hasBit(code, spaceBit)) return 'space';
  if (hasBit(code, numberBit)) return 'number';
  return hasBit(code, patternBit) ? 'pattern' : 'sign';
}

export const isWord = (code: number): boolean => hasBit(code, wordBit | numberBit);
export const isSpace = (code: number): boolean => hasBit(code, spaceBit);

/** What may stand in a hex string: bytes, wildcards, jumps, choices, space. Comments are looked for apart. */
export const isPartOfHex = (code: number): boolean => hasBit(code, hexBit | spaceBit);
