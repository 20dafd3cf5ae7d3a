import { hash } from 'node:crypto';
import { type NameEncoding, nameEncodings, type NameTrait } from '../../shared/domain/opened-archive.ts';

/**
 * Control characters (C0, C1, NUL), and the marks that turn the direction of text: `exe.fdp` shown backwards looks like
 * another kind of file. Line and paragraph separators go with them.
 */
const hidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/; // oxlint-disable-line no-control-regex
const hiddenEach = new RegExp(hidden, 'g');
const absolute = /^(?:[/\\]|[a-z]:)/i;
/** Windows drops dots and spaces at the end of a part, so that `.. ` is `..` to it. */
const isDotted = (part: string): boolean => /^\.[. ]*$/.test(part) && part.lastIndexOf('.') > 0;
/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file; an extension or spaces after them change nothing. */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³]) *(?:[.:]|$)/i;

/** What is worth a second look in the name of a member, or null. Names are labels, never paths: such a member is read like any other. */
export function nameTraitOf(name: string): NameTrait | null {
  if (hidden.test(name)) return 'control';
  if (absolute.test(name)) return 'absolute';
  const parts = name.split(/[/\\]/);
  if (parts.some(isDotted)) return 'dotted';
  return parts.some((part) => reserved.test(part)) ? 'reserved' : null;
}

const shownLength = 200;

/** A name as text for a failure: hidden characters spelt out, and no longer than 200 characters. */
export function shownName(name: string): string {
  const shown = name.slice(0, shownLength + 1).replace(hiddenEach, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return shown.length <= shownLength ? shown : `${shown.slice(0, shownLength - 1).toWellFormed()}…`;
}

/** The last part of a member's name, and the folders before it. A name without a part, such as `/`, is one as it is. */
export function memberPlace(name: string): { name: string; path: string } {
  const parts = name.split(/[/\\]/).filter((part) => part !== '');
  return { name: parts.at(-1) ?? name, path: parts.slice(0, -1).join('/') };
}

/** Which names an archive has given so far, in bounded memory: a name may have 65,535 characters. */
export class NamesSeen {
  readonly #keys = new Set<string>();

  /** False when it was there before. */
  add(name: string): boolean {
    const key = name.length <= shownLength ? name : `${name.length}:${hash('sha256', name)}`;
    const fresh = !this.#keys.has(key);
    this.#keys.add(key);
    return fresh;
  }
}

/** The upper half of the code pages of DOS that no decoder of Node knows. Control bytes stay control characters and are not drawn as pictures. */
const upperHalves: Partial<Record<NameEncoding, readonly string[]>> = {
  cp437: [...'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'],
  cp850: [...'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'],
  cp852: [...'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0'],
};

/** What cannot be read becomes U+FFFD. */
export function decodedName(raw: Uint8Array, encoding: NameEncoding): string {
  const upper = upperHalves[encoding];
  if (upper === undefined) return new TextDecoder(encoding, { ignoreBOM: true }).decode(raw);
  return Array.from(raw, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (upper[byte - 0x80] ?? ''))).join('');
}

/** Bytes of names that are looked at for a guess: more of them make it no better, only slower. */
const guessedFromBytes = 4 * 1024;
/** As jschardet calls them. Its EUC-KR and CP949, and its CP932, are what the browsers' decoders read too. */
const guessable: Record<string, NameEncoding> = {
  ...Object.fromEntries(nameEncodings.map((encoding) => [encoding, encoding])),
  cp932: 'shift_jis', gbk: 'gb18030', gb2312: 'gb18030', cp949: 'euc-kr', 'iso-8859-1': 'windows-1252', 'iso-8859-2': 'windows-1250', 'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255', 'iso-8859-9': 'windows-1254', cp858: 'cp850', cp1125: 'ibm866', 'koi8-u': 'koi8-r',
};

/** By the letters of all names of an archive together, which are no UTF-8. */
export async function guessedEncoding(names: readonly Uint8Array[]): Promise<NameEncoding> {
  // Its models are large, and only archives of old tools need it.
  const { detectAll } = await import('jschardet');
  const bytes = Buffer.concat(names.slice(0, wholeNamesIn(names, guessedFromBytes)).flatMap((name) => [name, Buffer.of(0x0a)]));
  for (const { encoding } of detectAll(bytes)) {
    const known = encoding === null ? undefined : guessable[encoding.toLowerCase()];
    if (known !== undefined && !decodedName(bytes, known).includes('\ufffd')) return known;
  }
  return 'cp437';
}

/** How many of the first are within so many bytes; one at least. */
function wholeNamesIn(names: readonly Uint8Array[], mostBytes: number): number {
  let bytes = 0;
  const beyond = names.findIndex((name) => (bytes += name.length) > mostBytes);
  return beyond < 0 ? names.length : Math.max(1, beyond);
}
