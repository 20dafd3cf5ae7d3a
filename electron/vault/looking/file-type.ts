import { isUtf8 } from 'node:buffer';
import { compoundFileType } from './compound-file.ts';
import { portableExecutable } from './portable-executable.ts';
import { elfType, machOType } from './unix-executable.ts';
import { zipType } from './zip-type.ts';

interface Signature {
  type: string;
  at?: number;
  /** One character a byte. */
  starts: string;
}

/** The first that fits. What needs another look is told by `structured`. */
const signatures: readonly Signature[] = [
  { starts: '%PDF-', type: 'PDF' },
  { starts: '{\\rt', type: 'RTF' },
  { starts: 'L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0\0\0\0F', type: 'LNK' },
  { starts: '7z\xbc\xaf\x27\x1c', type: '7z' },
  { starts: 'Rar!\x1a\x07', type: 'RAR' },
  { starts: 'MSCF\0\0\0\0', type: 'CAB' },
  { starts: 'ISc(', type: 'CAB InstallShield' },
  { starts: '\x1f\x8b', type: 'GZIP' },
  { starts: 'BZh', type: 'BZIP2' },
  { starts: '\xfd7zXZ\0', type: 'XZ' },
  { starts: '\x28\xb5\x2f\xfd', type: 'ZSTD' },
  { starts: '\x04\x22\x4d\x18', type: 'LZ4' },
  { starts: '**ACE**', at: 7, type: 'ACE' },
  { starts: '\x60\xea', type: 'ARJ' },
  { starts: 'ustar', at: 257, type: 'TAR' },
  { starts: 'CD001', at: 0x8001, type: 'ISO' },
  { starts: 'conectix', type: 'VHD' },
  { starts: 'vhdxfile', type: 'VHDX' },
  { starts: 'KDMV', type: 'VMDK' },
  { starts: 'MSWIM\0\0\0', type: 'WIM' },
  { starts: 'xar!', type: 'XAR' },
  { starts: '!<arch>\n', type: 'AR' },
  { starts: '\xed\xab\xee\xdb', type: 'RPM' },
  { starts: 'dex\n', type: 'DEX' },
  { starts: '\0asm', type: 'WebAssembly' },
  { starts: 'ITSF', type: 'CHM' },
  { starts: '\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3', type: 'OneNote' },
  { starts: 'SQLite format 3\0', type: 'SQLite' },
  { starts: 'regf', type: 'registry hive' },
  { starts: 'ElfFile\0', type: 'EVTX' },
  { starts: 'MDMP', type: 'minidump' },
  { starts: '\xd4\xc3\xb2\xa1', type: 'PCAP' },
  { starts: '\x0a\x0d\x0d\x0a', type: 'PCAPNG' },
  { starts: 'Cr24', type: 'CRX' },
  { starts: 'FWS', type: 'SWF' },
  { starts: 'CWS', type: 'SWF' },
  { starts: 'ZWS', type: 'SWF' },
  { starts: '\x89PNG\r\n\x1a\n', type: 'PNG' },
  { starts: '\xff\xd8\xff', type: 'JPEG' },
  { starts: 'GIF8', type: 'GIF' },
  { starts: 'II*\0', type: 'TIFF' },
  { starts: 'MM\0*', type: 'TIFF' },
  { starts: '\0\0\x01\0', type: 'ICO' },
  { starts: '\xd7\xcd\xc6\x9a', type: 'WMF' },
  { starts: 'ftyp', at: 4, type: 'MP4' },
  { starts: 'ID3', type: 'MP3' },
  { starts: 'OggS', type: 'OGG' },
  { starts: '\x1aE\xdf\xa3', type: 'Matroska' },
];

const letters = (text: string): Buffer => Buffer.from(text, 'latin1');
const known = signatures.map(({ type, at = 0, starts }) => ({ type, at, bytes: letters(starts) }));
const begins = (head: Buffer, bytes: Buffer, at = 0): boolean =>
  at + bytes.length <= head.length && head.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0;

const marks = {
  mz: letters('MZ'),
  elf: letters('\x7fELF'),
  ole: letters('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  zip: letters('PK\x03\x04'),
  emptyZip: letters('PK\x05\x06'),
  riff: letters('RIFF'),
};

/** Bytes that are looked at. An ISO has its mark behind 32 KiB. */
export const headBytes = 64 * 1024;

/**
 * What a file is, by its beginning, as analysts call it: "PE32+ dll", "ELF64 x86-64", "DOCX", "script (#!)", "text",
 * "data". Null for a file without bytes. Whatever the head holds, it answers.
 */
export function fileType(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return null;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes));
  return isText(head) ? textType(head) : (structured(head) ?? signed(head, () => true) ?? wideText(head) ?? 'data');
}

const signed = (head: Buffer, isMeant: (type: string) => boolean): string | null =>
  known.find(({ type, bytes, at }) => isMeant(type) && begins(head, bytes, at))?.type ?? null;

function structured(head: Buffer): string | null {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if (begins(head, marks.mz)) return portableExecutable(view);
  if (begins(head, marks.elf)) return elfType(view);
  if (begins(head, marks.ole)) return compoundFileType(head);
  if (begins(head, marks.zip)) return zipType(head);
  if (begins(head, marks.emptyZip)) return 'ZIP';
  if (begins(head, marks.riff)) return riffType(head);
  return machOType(view);
}

const riffForms = new Map([
  ['WAVE', 'WAV'],
  ['AVI ', 'AVI'],
  ['WEBP', 'WEBP'],
  ['ACON', 'ANI'],
]);
const riffType = (head: Buffer): string => riffForms.get(head.toString('latin1', 8, 12)) ?? 'RIFF';

const byteOrderMarks = ['\xff\xfe', '\xfe\xff'].map(letters);
const utf8Mark = letters('\xef\xbb\xbf');

const wideText = (head: Buffer): string | null =>
  byteOrderMarks.some((mark) => begins(head, mark)) ? 'text UTF-16' : null;

/** Nothing but these is made of text alone: another signature in a text is words. */
const madeOfText = new Set(['PDF', 'RTF']);
const markup: readonly (readonly [RegExp, string])[] = [
  [/^#!/, 'script (#!)'],
  [/^<(?:!doctype\s+html|html|head|body|script|hta:)/i, 'HTML'],
  [/^<\?php/i, 'PHP'],
  [/^<\?xml\b/i, 'XML'],
  [/^(?:From|Received|Return-Path|Delivered-To|MIME-Version|Message-ID): /i, 'email'],
];

function textType(head: Buffer): string {
  const beginning = head.toString('utf8', begins(head, utf8Mark) ? utf8Mark.length : 0, 1024).trimStart();
  return signed(head, (type) => madeOfText.has(type)) ?? markup.find(([start]) => start.test(beginning))?.[1] ?? 'text';
}

/** UTF-8 without control characters but those of lines; a character that the head cuts off is left out. */
function isText(head: Buffer): boolean {
  return (
    !head.some(
      (byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b,
    ) && isUtf8(withoutCutCharacter(head))
  );
}

function withoutCutCharacter(head: Buffer): Buffer {
  for (let left = 1; left <= 3; left += 1) if ((head.at(-left) ?? 0) >= 0xc0) return head.subarray(0, -left);
  return head;
}
