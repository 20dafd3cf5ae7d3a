/** What a token is that begins with this character; quotes, slashes and braces are told apart by who reads them. */
export type YaraCharacter = 'space' | 'word' | 'number' | 'pattern' | 'sign';

const kinds: YaraCharacter[] = Array.from({ length: 128 }, () => 'sign');
const hexCases = new Uint8Array(128);

const each = (characters: string, note: (code: number) => void): void => {
  for (let at = 0; at < characters.length; at += 1) note(characters.charCodeAt(at));
};
const letters = 'abcdefghijklmnopqrstuvwxyz';
each(`${letters}${letters.toUpperCase()}_`, (code) => { kinds[code] = 'word'; });
each('0123456789', (code) => { kinds[code] = 'number'; });
each('$#@!', (code) => { kinds[code] = 'pattern'; });
each('\t\n\v\f\r ', (code) => { kinds[code] = 'space'; });
each('0123456789abcdefABCDEF?~()|[]-', (code) => { hexCases[code] = 1; });

/** Spaces beyond ASCII; a mark of the byte order in the middle of a text is one, too. */
const isWideSpace = (code: number): boolean =>
  code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000 || code === 0xfeff;

/** All take NaN, which a text gives beyond its end, for a sign. */
export const kindOfCode = (code: number): YaraCharacter => (code < 128 ? kinds[code] ?? 'sign' : isWideSpace(code) ? 'space' : 'sign');

export function isWord(code: number): boolean {
  const kind = kindOfCode(code);
  return kind === 'word' || kind === 'number';
}

export const isSpace = (code: number): boolean => kindOfCode(code) === 'space';

/** What may stand in a hex string: bytes, wildcards, jumps, choices, space. Comments are looked for apart. */
export const isCaseOfHex = (code: number): boolean => (code < 128 && hexCases[code] === 1) || isSpace(code);
