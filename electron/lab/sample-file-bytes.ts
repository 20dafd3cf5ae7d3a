import { crc32 } from 'node:zlib';
import { shake256 } from '@noble/hashes/sha3.js';

/**
 * Bytes of harmless files that look like what analysts handle. Each is the same on every machine and none can do
 * anything: headers without code, text without a program, noise.
 */

/**
 * Noise that compresses as little as a packed or encrypted file: SHAKE256 of the seed (FIPS 202). From a library,
 * because Electron's own crypto is BoringSSL, which has no SHAKE.
 */
export function noise(seed: string, sizeBytes: number): Buffer {
  const { buffer } = shake256(Buffer.from(`vitrine specimen: ${seed}`), { dkLen: sizeBytes });
  return Buffer.from(buffer);
}

/** The antivirus test file of https://www.eicar.org, put together here so that no file of ours holds it whole. */
export const eicar = (): Buffer =>
  Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-', 'TEST-FILE!$H+H*'].join(''), 'latin1');

/** A DOS stub and PE headers that announce no section and no code (Microsoft, "PE Format"). */
export function portableExecutable(): Buffer {
  const file = Buffer.alloc(1024);
  file.write('MZ', 0, 'latin1');
  file.writeUInt32LE(0x80, 0x3c);
  file.write('This program cannot be run in DOS mode.\r\r\n$', 0x4e, 'latin1');
  file.write('PE\0\0', 0x80, 'latin1');
  file.writeUInt16LE(0x014c, 0x84);
  file.writeUInt16LE(0xe0, 0x94);
  file.writeUInt16LE(0x0102, 0x96);
  file.writeUInt16LE(0x010b, 0x98);
  file.writeUInt16LE(2, 0xdc);
  file.write('VITRINE SPECIMEN, NO CODE INSIDE', 0x200, 'latin1');
  return file;
}

/** An ELF header for x86-64 with no program and no section headers (System V ABI). */
export function elf(): Buffer {
  const file = Buffer.alloc(4096);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file);
  file.writeUInt16LE(2, 16);
  file.writeUInt16LE(62, 18);
  file.writeUInt32LE(1, 20);
  file.writeUInt16LE(64, 52);
  file.write('VITRINE SPECIMEN, NO CODE INSIDE', 64, 'latin1');
  return file;
}

/** The fixed header of a shell link and a target that does not exist (MS-SHLLINK, section 2.1). */
export function shellLink(): Buffer {
  const file = Buffer.alloc(0x4c + 0x80);
  file.writeUInt32LE(0x4c, 0);
  Buffer.from('0114020000000000c000000000000046', 'hex').copy(file, 4);
  file.writeUInt32LE(0x80, 0x14);
  file.write('C:\\NOWHERE\\specimen.txt', 0x4e, 'utf16le');
  return file;
}

/** One page of text, small enough to read by eye. */
export function pdf(): Buffer {
  const text = 'BT /F1 18 Tf 20 100 Td (Vitrine specimen. Nothing here acts.) Tj ET';
  return Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
      '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
      '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 320 200] /Contents 4 0 R ' +
        '/Resources <</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>>> endobj',
      `4 0 obj <</Length ${text.length}>> stream\n${text}\nendstream endobj`,
      'trailer <</Root 1 0 R /Size 5>>',
      '%%EOF',
      '',
    ].join('\n'),
    'latin1',
  );
}

/** One red pixel. */
export const png = (): Buffer =>
  Buffer.from(
    '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de' +
      '0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082',
    'hex',
  );

/** The members of a word-processing document, stored without compression; no macro, no external reference. */
export function officeDocument(): Buffer {
  const types =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="xml" ContentType="application/xml"/></Types>';
  const body =
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
    '<w:body><w:p><w:r><w:t>Vitrine specimen</w:t></w:r></w:p></w:body></w:document>';
  return storedZip([
    { name: '[Content_Types].xml', bytes: Buffer.from(types) },
    { name: 'word/document.xml', bytes: Buffer.from(body) },
  ]);
}

/** A ZIP of stored members, dated 1980-01-01 so that it is the same everywhere (PKWARE APPNOTE). */
function storedZip(members: { name: string; bytes: Buffer }[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of members) {
    const fields = memberFields(name, bytes);
    const start = Buffer.concat([Buffer.from('504b0304', 'hex'), fields, Buffer.from(name), bytes]);
    const position = Buffer.alloc(14);
    position.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), fields, position, Buffer.from(name)]));
    local.push(start);
    offset += start.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

/**
 * What the local header and the central directory say alike: version, flags, method, time, date, CRC-32, sizes, name
 * length.
 */
function memberFields(name: string, bytes: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}
