/** What a token is that begins with this character; quotes, slashes and braces are told apart by who reads them. */
export type YaraCharacter = 'space' | 'word' | 'number' | 'pattern' | 'sign';

const wordBit = 1;
const numberBit = 2;
const patternBit = 4;
const spaceBit = 8;
const hexBit = 16;
/** Of ASCII. Bits and not names, because every character of a package is asked about. */
const bits = new Uint8Array(128);

const mark = (characters: string, bit: number): void => {
  for (let at = 0; at < characters.length; at += 1) bits[characters.charCodeAt(at)] = (bits[characters.charCodeAt(at)] ?? 0) | bit;
};
const letters = 'abcdefghijklmnopqrstuvwxyz';
mark(`${letters}${letters.toUpperCase()}_`, wordBit);
mark('0123456789', numberBit);
mark('$#@!', patternBit);
mark('\t\n\v\f\r ', spaceBit);
mark('0123456789abcdefABCDEF?~()|[]-', hexBit);

const hasBit = (code: number, wanted: number): boolean => code < 128 && ((bits[code] ?? 0) & wanted) !== 0;

/** Spaces beyond ASCII; a mark of the byte order in the middle of a text is one, too. */
const isWideSpace = (code: number): boolean => code >= 0xa0 && (
  code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000 || code === 0xfeff
);

/** All take NaN, which a text gives beyond its end, for a sign. */
export function kindOfCode(code: number): YaraCharacter {
  if (hasBit(code, wordBit)) return 'word';
  if (isSpace(code)) return 'space';
  if (hasBit(code, numberBit)) return 'number';
  return hasBit(code, patternBit) ? 'pattern' : 'sign';
}

export const isWord = (code: number): boolean => hasBit(code, wordBit | numberBit);
export const isSpace = (code: number): boolean => (code < 128 ? hasBit(code, spaceBit) : isWideSpace(code));

/** What may stand in a hex string: bytes, wildcards, jumps, choices, space. Comments are looked for apart. */
export const isPartOfHex = (code: number): boolean => hasBit(code, hexBit) || isSpace(code);
