import { isUtf8 } from 'node:buffer';

/** System V ABI, "ELF header"; where it has class, byte order, type and machine. */
const elf = { class: 4, order: 5, type: 16, machine: 18, end: 20 } as const;
const elfMachines: Readonly<Record<number, string>> = {
  2: 'SPARC',
  3: 'x86',
  4: 'm68k',
  8: 'MIPS',
  20: 'PowerPC',
  21: 'PowerPC64',
  22: 's390',
  40: 'ARM',
  42: 'SuperH',
  43: 'SPARC64',
  62: 'x86-64',
  93: 'ARC',
  183: 'ARM64',
  243: 'RISC-V',
  247: 'BPF',
  258: 'LoongArch',
};
const elfRoles: Readonly<Record<number, string>> = { 1: 'object', 4: 'core' };

/** "ELF64 x86-64", "ELF32 MIPS"; an object or a core dump is named as such. */
function elfType(head: DataView): string {
  if (head.byteLength < elf.end) return 'ELF';
  const isLittle = head.getUint8(elf.order) !== 2;
  const bits = head.getUint8(elf.class) === 2 ? 'ELF64' : 'ELF32';
  const machine = elfMachines[head.getUint16(elf.machine, isLittle)];
  const role = elfRoles[head.getUint16(elf.type, isLittle)];
  return [bits, machine, role].filter((part) => part !== undefined).join(' ');
}

const machOMagic: Readonly<Record<number, { bits: 32 | 64; isLittle: boolean }>> = {
  0xfeedface: { bits: 32, isLittle: false },
  0xcefaedfe: { bits: 32, isLittle: true },
  0xfeedfacf: { bits: 64, isLittle: false },
  0xcffaedfe: { bits: 64, isLittle: true },
};
const machOMachines: Readonly<Record<number, string>> = {
  7: 'x86',
  0x1000007: 'x86-64',
  12: 'ARM',
  0x100000c: 'ARM64',
  18: 'PowerPC',
  0x1000012: 'PowerPC64',
};
const fatMagic = 0xcafebabe;
/** A Java class begins as a universal binary does, and has its version where that has how many it holds: from 45 on. */
const firstClassVersion = 45;
const machOHead = 8;

/** "Mach-O 64 ARM64", "Mach-O universal", "Java class"; null for none of these. mach-o/loader.h and fat.h */
function machOType(head: DataView): string | null {
  if (head.byteLength < machOHead) return null;
  const magic = head.getUint32(0);
  if (magic === fatMagic) return head.getUint32(4) >= firstClassVersion ? 'Java class' : 'Mach-O universal';
  const kind = machOMagic[magic];
  if (kind === undefined) return null;
  const machine = machOMachines[head.getUint32(4, kind.isLittle)];
  return [`Mach-O ${kind.bits}`, machine].filter((part) => part !== undefined).join(' ');
}

interface Signature {
  type: string;
  at?: number;
  /** One character a byte. */
  starts: string;
}

/** The first match. Types that need further parsing are found by `structured`. */
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
const knownSignatures = signatures.map(({ type, at = 0, starts }) => ({ type, at, bytes: letters(starts) }));
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
  knownSignatures.find(({ type, bytes, at }) => isMeant(type) && begins(head, bytes, at))?.type ?? null;

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

/** MS-CFB 2.2 and 2.6: where the header gives the size of a sector, and where the directory begins. */
const compoundHeader = { sectorShift: 30, directorySector: 48, end: 52 } as const;
const entryBytes = 128;
const nameLengthAt = 64;
const mostEntries = 64;
/** Streams and storages that reveal which application wrote the file; the first match counts. */
const applicationOfStream: readonly (readonly [string, string])[] = [
  ['WordDocument', 'DOC'],
  ['Workbook', 'XLS'],
  ['Book', 'XLS'],
  ['PowerPoint Document', 'PPT'],
  ['__properties_version1.0', 'MSG'],
  ['EncryptedPackage', 'OOXML encrypted'],
  ['VisioDocument', 'VSD'],
];
/**
 * MSI encodes the names of its streams in characters that no other application uses; U+4840 begins those of its tables.
 */
const tableMark = '\u4840';

/** "DOC", "XLS", "MSI"; "OLE2" where the head does not show the application. */
function compoundFileType(head: Buffer): string {
  const names = directoryNames(head);
  if (names.some((name) => name.startsWith(tableMark))) return 'MSI';
  return applicationOfStream.find(([name]) => names.includes(name))?.[1] ?? 'OLE2';
}

function directoryNames(head: Buffer): string[] {
  if (head.length < compoundHeader.end) return [];
  const sectorBytes = 2 ** Math.min(16, head.readUInt16LE(compoundHeader.sectorShift));
  const begin = (head.readUInt32LE(compoundHeader.directorySector) + 1) * sectorBytes;
  const names: string[] = [];
  for (let at = begin; at + entryBytes <= head.length && names.length < mostEntries; at += entryBytes) {
    const length = head.readUInt16LE(at + nameLengthAt) - 2;
    if (length > 0 && length < nameLengthAt) names.push(head.toString('utf16le', at, at + length));
  }
  return names;
}

/** Microsoft, "PE Format": positions in the headers of the facts used here. */
const peOffsetAt = 0x3c;
const peSignature = 'PE\0\0';
const peHeader = { characteristics: 22, optional: 24 } as const;
const isDll = 0x2000;
const optionalMagic = { pe32: 0x10b, pe32plus: 0x20b } as const;
const subsystemAt = 68;
const nativeSubsystem = 1;
const firstEfiSubsystem = 10;
const lastEfiSubsystem = 13;
/** Where the data directories begin, by the kind of header; the fifteenth is the CLR header's. */
const directoriesAt = { pe32: 96, pe32plus: 112 } as const;
const clrDirectory = 14;
const directoryBytes = 8;

/**
 * Of a file that begins with MZ: "PE32 exe", "PE32+ dll", "PE32 exe .NET"; "MZ exe" where no PE header is in the head.
 */
function portableExecutable(head: DataView): string {
  const at = head.byteLength >= peOffsetAt + 4 ? head.getUint32(peOffsetAt, true) : head.byteLength;
  if (!hasText(head, at, peSignature) || at + peHeader.optional + subsystemAt + 2 > head.byteLength) return 'MZ exe';
  const optional = at + peHeader.optional;
  const magic = head.getUint16(optional, true);
  const bits = magic === optionalMagic.pe32plus ? 'pe32plus' : 'pe32';
  if (magic !== optionalMagic[bits]) return 'MZ exe';
  const isNet = entryOf(head, optional + directoriesAt[bits] + clrDirectory * directoryBytes) !== 0;
  return [bits === 'pe32' ? 'PE32' : 'PE32+', roleOf(head, at), ...(isNet ? ['.NET'] : [])].join(' ');
}

function roleOf(head: DataView, at: number): string {
  const subsystem = head.getUint16(at + peHeader.optional + subsystemAt, true);
  if (subsystem >= firstEfiSubsystem && subsystem <= lastEfiSubsystem) return 'efi';
  if ((head.getUint16(at + peHeader.characteristics, true) & isDll) !== 0) return 'dll';
  return subsystem === nativeSubsystem ? 'sys' : 'exe';
}

const entryOf = (head: DataView, at: number): number => (at + 4 <= head.byteLength ? head.getUint32(at, true) : 0);

function hasText(head: DataView, at: number, text: string): boolean {
  if (at + text.length > head.byteLength) return false;
  return [...text].every((letter, index) => head.getUint8(at + index) === letter.charCodeAt(0));
}

/** APPNOTE 6.3.10, 4.3.7: a member's record at the beginning of a ZIP. */
const record = { signature: 0x504b0304, length: 26, name: 30 } as const;
const contentTypes = '[Content_Types].xml';
const mostMembers = 64;

/** What a ZIP is by the names and the first bytes of its first members, as far as the head has them. */
function zipType(head: Buffer): string {
  const names = namesIn(head);
  const has = (name: string): boolean => names.includes(name);
  const hasUnder = (folder: string): boolean => names.some((name) => name.startsWith(folder));
  if (names[0] === 'mimetype') return openDocument(head);
  if (has(contentTypes) || has('_rels/.rels')) {
    if (hasUnder('word/')) return 'DOCX';
    if (hasUnder('xl/')) return 'XLSX';
    if (hasUnder('ppt/')) return 'PPTX';
    return has('AppxManifest.xml') ? 'APPX' : 'OOXML';
  }
  if (has('AndroidManifest.xml') || has('classes.dex')) return 'APK';
  if (has('META-INF/MANIFEST.MF')) return 'JAR';
  return 'ZIP';
}

/** OpenDocument 1.3, part 2, 3.3: its kind is the first member's content, stored as it is. */
function openDocument(head: Buffer): string {
  const content = head.toString('latin1', 0, 256);
  if (content.includes('opendocument.text')) return 'ODT';
  if (content.includes('opendocument.spreadsheet')) return 'ODS';
  if (content.includes('opendocument.presentation')) return 'ODP';
  return content.includes('epub+zip') ? 'EPUB' : 'ZIP';
}

function namesIn(head: Buffer): string[] {
  const signature = Buffer.alloc(4);
  signature.writeUInt32BE(record.signature);
  const names: string[] = [];
  for (
    let at = head.indexOf(signature);
    at >= 0 && at + record.name <= head.length && names.length < mostMembers;
    at = head.indexOf(signature, at + record.name)
  ) {
    const begin = at + record.name;
    names.push(head.toString('latin1', begin, begin + head.readUInt16LE(at + record.length)));
  }
  return names;
}
