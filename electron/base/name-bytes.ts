import { isUtf8 } from 'node:buffer';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type NameEncoding, nameEncodings } from '../../shared/domain/opened-archive.ts';

/*
 * A name on a disk of Linux is any bytes. As text, bytes that are no UTF-8 are characters of a private area, U+EF80 to
 * U+EFFF, one a byte; and so are the bytes of such characters themselves, so that every name has one text and is found
 * by it. Such text is well-formed: it passes through JSON and the database.
 */
const escapeBase = 0xef00;
const escaped = /[\uef80-\uefff]/;
const escapedRun = /[\uef80-\uefff]+/g;

/** The text of a name, or a path, of these bytes. */
export function pathOfBytes(bytes: Uint8Array): string {
  const text = isUtf8(bytes) ? Buffer.from(bytes).toString() : null;
  if (text !== null && !escaped.test(text)) return text;
  let path = '';
  for (let at = 0; at < bytes.length;) {
    const end = at + characterBytes(bytes[at] ?? 0);
    const character = bytes.subarray(at, end);
    const read = end <= bytes.length && isUtf8(character) ? Buffer.from(character).toString() : null;
    if (read !== null && !escaped.test(read)) {
      path += read;
      at = end;
    } else {
      path += String.fromCharCode(escapeBase + (bytes[at] ?? 0));
      at += 1;
    }
  }
  return path;
}

/** By the first byte of a character in UTF-8. */
const characterBytes = (first: number): number => (first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

/** For calls of the file system. */
export function systemPath(path: string): string | Buffer {
  if (!escaped.test(path)) return path;
  return Buffer.concat(
    path
      .split(/([\uef80-\uefff])/)
      .map((part) => (escaped.test(part) ? Buffer.of(part.charCodeAt(0) - escapeBase) : Buffer.from(part))),
  );
}

/** A path that was typed or dropped, taken literally. */
export const typedPath = (path: string): string => (escaped.test(path) ? pathOfBytes(Buffer.from(path)) : path);

/** For a line of output: bytes that are no UTF-8 as `\x82`. */
export const shownPath = (path: string): string =>
  path.replace(escapedRun, (run) =>
    run
      .split('')
      .map((character) => `\\x${(character.charCodeAt(0) - escapeBase).toString(16)}`)
      .join(''),
  );

/** A name as people read it: one that is no UTF-8 by a guess at its encoding. */
export async function readableName(name: string): Promise<string> {
  if (!escaped.test(name)) return name;
  const bytes = Buffer.from(systemPath(name));
  return isUtf8(bytes) ? bytes.toString() : decodedName(bytes, await guessedEncoding([bytes]));
}

/** Replaces bytes that are no UTF-8 where a program could not show which; or means itself. */
const replacement = '\ufffd';

/**
 * What is meant by a path in which bytes were lost on the way, as Node and browsers lose them: every file or folder
 * that would have been written so. A path that is there is itself.
 */
export async function pathsLike(path: string): Promise<string[]> {
  if (!path.includes(replacement) || (await isThere(path))) return [path];
  const parent = dirname(path);
  const folders = parent === path ? [path] : await pathsLike(parent);
  const name = basename(path);
  const found: string[] = [];
  for (const folder of folders) {
    if (!name.includes(replacement)) {
      found.push(join(folder, name));
      continue;
    }
    const names = await asPlainFile(() => readdir(systemPath(folder), { encoding: 'buffer' })).catch(() => []);
    for (const bytes of names) if (bytes.toString() === name) found.push(join(folder, pathOfBytes(bytes)));
  }
  return found;
}

const isThere = (path: string): Promise<boolean> =>
  asPlainFile(() => stat(systemPath(path))).then(
    () => true,
    () => false,
  );

/**
 * The upper half of the code pages of DOS that no decoder of Node knows. Control bytes stay control characters and are
 * not drawn as pictures.
 */
const upperHalves: Partial<Record<NameEncoding, readonly string[]>> = {
  cp437: [
    ...'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»',
    ...'░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀',
    ...'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ],
  cp850: [
    ...'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»',
    ...'░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀',
    ...'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ],
  cp852: [
    ...'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»',
    ...'░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀',
    ...'ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  ],
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
  cp932: 'shift_jis',
  gbk: 'gb18030',
  gb2312: 'gb18030',
  cp949: 'euc-kr',
  'iso-8859-1': 'windows-1252',
  'iso-8859-2': 'windows-1250',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
  cp858: 'cp850',
  cp1125: 'ibm866',
  'koi8-u': 'koi8-r',
};

/** By the letters of all names of an archive together, which are no UTF-8. */
export async function guessedEncoding(names: readonly Uint8Array[]): Promise<NameEncoding> {
  // Its models are large, and only archives of old tools need it.
  const { detectAll } = await import('jschardet');
  const bytes = Buffer.concat(
    names.slice(0, wholeNamesIn(names, guessedFromBytes)).flatMap((name) => [name, Buffer.of(0x0a)]),
  );
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

/**
 * Electron takes a file whose name ends in `.asar` for a folder with what is packed in it, and one that is no such
 * archive for nothing at all. A person's file may be either. Here `begin` sees it as the file it is: Electron checks
 * this switch as a call is made, not when it is answered. Plain Node never checks it.
 */
export function asPlainFile<T>(begin: () => T): T {
  const before = process.noAsar;
  process.noAsar = true;
  try {
    return begin();
  } finally {
    process.noAsar = before;
  }
}
