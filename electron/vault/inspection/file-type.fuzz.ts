import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { bytesForm } from '../../../shared/testing/input-forms.ts';
import { stripOfHeld } from '../staged-facts/byte-strip.ts';
import { mimeOf } from '../staged-facts/inspect-staged.ts';
import { fileType, headBytes } from './file-type.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const numbers = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer)));

const executable = Buffer.alloc(400);
latin('MZ').copy(executable);
executable.writeUInt32LE(64, 60);
latin('PE\0\0').copy(executable, 64);
executable.writeUInt16LE(0x20b, 88);
const compound = Buffer.concat([latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), Buffer.alloc(1600)]);
compound.writeUInt16LE(9, 30);
compound.writeUInt16LE(26, 512 + 64);
Buffer.from('WordDocument', 'utf16le').copy(compound, 512);

/** A member of a ZIP, as far as its name. */
function member(name: string): Buffer {
  const header = Buffer.alloc(30);
  latin('PK\x03\x04').copy(header);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, latin(`${name}application/vnd.oasis.opendocument.text`), header, latin('word/')]);
}

const heads: readonly Buffer[] = [
  executable,
  compound,
  ...['[Content_Types].xml', 'mimetype', 'META-INF/MANIFEST.MF', 'classes.dex', '../x'].map(member),
  Buffer.concat([latin('\x7fELF\x02\x01\x01'), Buffer.alloc(9), numbers(0x3e0002, 1)]),
  numbers(0xfeedfacf, 0x1000007, 3),
  latin('\xca\xfe\xba\xbe\0\0\0\x34'),
  latin('#!/bin/sh\necho'),
  latin('%PDF-1.7\n%\xe2'),
  latin('{\\rtf1\\ansi'),
  latin('<html><script>'),
  latin('\x1f\x8b\x08'),
  latin('BM'),
  Buffer.alloc(300),
  latin('GIF89a'),
  latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  latin('\0\0\0\x18ftypmp42'),
  latin('RIFF\0\0\0\0WAVE'),
  latin('OggS'),
];

export const target = fuzzTarget({
  name: 'sample-look',
  reads: 'the bytes of a sample, for its type, media type and byte strip',
  holds: 'a short printable type or none, a valid media type, a strip for every non-empty file',
  form: bytesForm,
  seeds: heads,
  made: fc
    .tuple(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 400 }))
    .map(([head, rest]) => Buffer.concat([head, rest])),
  async attack(input) {
    const bytes = Buffer.from(input);
    const type = fileType(bytes.subarray(0, headBytes));
    mustHold(type === null || /^[\x20-\x7e]{1,60}$/.test(type), `it is called ${JSON.stringify(type)}`);
    const mime = await mimeOf(bytes, {
      sizeBytes: bytes.length,
      read: async (position, length) => bytes.subarray(position, position + length),
    });
    mustHold(
      mime === null || /^[\w.+-]{1,80}\/[\w.+-]{1,120}(?:; ?[\w=.+" -]{1,80})?$/.test(mime),
      `its media type is ${JSON.stringify(mime)}`,
    );
    mustHold(
      (stripOfHeld(bytes) === null) === (bytes.length === 0),
      'there is a strip of nothing, or none of something',
    );
  },
});
