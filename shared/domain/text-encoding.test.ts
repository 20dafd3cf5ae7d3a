import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { HashExtractor } from './hash-extractor.ts';
import { encodingOf, type TextEncoding, UnitDecoder, unitsOf } from './text-encoding.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';
const sha256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
const encodings: readonly TextEncoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'];

function encoded(text: string, encoding: TextEncoding): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  const isWide = encoding.startsWith('utf-32');
  const codes = isWide
    ? Array.from(text, (character) => character.codePointAt(0) ?? 0)
    : text.split('').map((one) => one.charCodeAt(0));
  const view = new DataView(new ArrayBuffer(codes.length * (isWide ? 4 : 2)));
  for (const [at, code] of codes.entries()) {
    if (isWide) view.setUint32(at * 4, code, encoding.endsWith('le'));
    else view.setUint16(at * 2, code, encoding.endsWith('le'));
  }
  return new Uint8Array(view.buffer);
}

/** The hashes of bytes that come in parts of a size. */
function hashesIn(bytes: Uint8Array, size: number): string[] {
  const found: string[] = [];
  const extractor = new HashExtractor({ hash: ({ value }) => found.push(value), rejected: () => {} });
  const decoder = new UnitDecoder();
  extractor.push(decoder.decode(bytes.subarray(0, 64)));
  for (let at = 64; at < bytes.length; at += size) extractor.push(decoder.decode(bytes.subarray(at, at + size)));
  extractor.push(decoder.end());
  extractor.end();
  return found;
}

test.each(
  encodings.flatMap((encoding) =>
    ['', '\ufeff'].map((mark) => [encoding, mark === '' ? 'without' : 'with', mark] as const),
  ),
)('%s %s a mark is detected by its bytes', (encoding, _title, mark) => {
  const bytes = encoded(`${mark}MD5: ${md5}\r\nüber ${sha256.slice(0, 30)}\u00ad\r\n${sha256.slice(30)}\r\n`, encoding);
  expect(encodingOf(bytes)).toBe(encoding);
  for (const size of [1, 3, 7, 1000]) expect(hashesIn(bytes, size)).toEqual([md5, sha256]);
});

test('Latin-1 is read, with its soft hyphens', () => {
  const bytes = Uint8Array.from(`fünf ${md5.slice(0, 20)}\u00ad${md5.slice(20)} \u00fc${sha256}\u00ff`, (character) =>
    character.charCodeAt(0),
  );
  expect(hashesIn(bytes, 10)).toEqual([md5, sha256]);
});

test.each([
  ['nothing', []],
  ['one byte', [0xff]],
  ['half a mark', [0xff, 0xfe, 0]],
  ['zeros', Array.from({ length: 99 }, () => 0)],
  ['half a character', [0x61, 0xe2, 0x80]],
])('the content %s is read without a hash', (_title, bytes) => {
  expect(hashesIn(Uint8Array.from(bytes), 1)).toEqual([]);
});

test('a text in UTF-8 has the same units as its string, however its bytes are divided', () => {
  const part = fc.oneof(
    fc.string({ unit: anyUnit, maxLength: 6 }).map((text) => text.toWellFormed()),
    fc.constantFrom('\u00ad', '\u200b', '\u2010', '\u00a0', '\u{1f600}', 'abc'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const text = parts.join('');
      const bytes = encoded(`-----${text}`, 'utf-8');
      const decoder = new UnitDecoder();
      const units: number[] = [...decoder.decode(bytes.slice(0, 5))];
      for (let at = 5; at < bytes.length; at += size) units.push(...decoder.decode(bytes.slice(at, at + size)));
      units.push(...decoder.end());
      expect(units.slice(5)).toEqual([...unitsOf(text, 0, text.length)]);
    }),
  );
});

test('the same hashes are found in any text, however it is divided', () => {
  const part = fc.constantFrom(
    md5,
    sha256,
    sha256.slice(0, 40),
    sha256.slice(40),
    md5.slice(0, 8),
    '\n',
    '\n',
    '=\n',
    '\u00ad',
    ' ',
    ':',
    '3:abcdefgh:abcdefgh',
    'imphash: ',
    'z'.repeat(70),
    '\r\n',
    '\r',
    '> ',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 1, max: 50 }), (parts, size) => {
      const bytes = encoded(`${'-'.repeat(64)}${parts.join('')}`, 'utf-8');
      expect(hashesIn(bytes, size)).toEqual(hashesIn(bytes, bytes.length));
    }),
  );
});

test('a text of another script without a byte order mark is read in its encoding', () => {
  for (const line of ['Отчёт: вредоносный файл имеет хеш ', 'Αναφορά περιστατικού ', 'دليل على الحادث ']) {
    const text = `${line.repeat(5)}${md5}\n`.repeat(5);
    const little = Buffer.from(text, 'utf16le');
    expect([encodingOf(little), encodingOf(Buffer.from(little).swap16()), encodingOf(Buffer.from(text))]).toEqual([
      'utf-16le',
      'utf-16be',
      'utf-8',
    ]);
  }
});

test('a binary is not taken for a text of another script', () => {
  const program = Buffer.concat([
    Buffer.from('\u007fELF\u0002\u0001\u0001'),
    Buffer.alloc(200),
    Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919 + (at >> 3) * 31) & 0xff)),
    Buffer.alloc(300),
  ]);
  expect(encodingOf(program)).toBe('utf-8');
});
