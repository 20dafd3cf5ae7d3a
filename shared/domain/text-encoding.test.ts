import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { type ExtractedHash, HashExtractor, type Place, type RejectedRun } from './hash-extractor.ts';
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
  return extracted(bytes, size).found.map(({ value }) => value);
}

/** All that is extracted from bytes that come in parts of a size. */
function extracted(bytes: Uint8Array, size: number) {
  const found: (ExtractedHash & { pieces: Place[] })[] = [];
  const rejected: (RejectedRun & { pieces: Place[] })[] = [];
  const placesOf = (pieces: readonly Place[]): Place[] => pieces.map(({ start, end }) => ({ start, end }));
  const extractor = new HashExtractor({
    hash: (hash, pieces) => found.push({ ...hash, pieces: placesOf(pieces) }),
    rejected: (run, pieces) => rejected.push({ ...run, pieces: placesOf(pieces) }),
  });
  const decoder = new UnitDecoder();
  extractor.push(decoder.decode(bytes.subarray(0, 64)));
  for (let at = 64; at < bytes.length; at += size) extractor.push(decoder.decode(bytes.subarray(at, at + size)));
  extractor.push(decoder.end());
  extractor.end();
  return { found, rejected, lines: extractor.lines };
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

const tail = sha256.slice(40);
const pairs = (digits: string): string => (digits.match(/../g) ?? []).join(':');

test.each([
  ['an ssdeep hash that ends in digits', `3:abcdefgh:abcdefgh${tail}${tail}`, [], 1],
  ['a hash behind what begins like an ssdeep hash', `6:abc+d/:${md5}`, [md5], 0],
  ['a fingerprint of 20 pairs', pairs(sha256.slice(0, 40)), [], 1],
  ['a number of 54 pairs, the last 20 no fingerprint', pairs(`${sha256}${tail}${tail.slice(0, 20)}`), [], 0],
  ['a number of 35 pairs and a hash', `${pairs(`${sha256}abcdef`)} ${md5}`, [md5], 0],
  ['a fingerprint behind a line of 64 Ki letters', `${'z'.repeat(65_536)}\n${pairs(md5)}`, [], 1],
  ['a prefixed number of 65,536 digits', `0x${'ab12'.repeat(16_384)} ${md5}`, [md5], 1],
  ['a number of 90,000 pairs and a hash', `${'a1:'.repeat(90_000)}a1 ${md5}`, [md5], 0],
  ['300 blanks between two lines', `${md5.slice(0, 20)}\n${' '.repeat(300)}${md5.slice(20)}`, [], 0],
  ['200 blanks between two lines', `${md5.slice(0, 20)}\n${' '.repeat(200)}${md5.slice(20)}`, [md5], 0],
  ['a CR LF break', `${sha256.slice(0, 45)}\r\n${sha256.slice(45)}`, [sha256], 0],
  ['a break after a soft hyphen in a quoted mail', `> ${md5.slice(0, 20)}\u00ad\r\n> ${md5.slice(20)}`, [md5], 0],
])('%s gives the same hashes and rejections whole and in pieces', (_title, text, hashes, rejections) => {
  const bytes = encoded(`${'-'.repeat(63)} ${text}`, 'utf-8');
  const whole = extracted(bytes, bytes.length);
  expect(whole.found.map(({ value }) => value)).toEqual(hashes);
  expect(whole.rejected).toHaveLength(rejections);
  for (const size of bytes.length > 1000 ? [997, 4096, 65_537] : [1, 2, 3, 5, 7, 11, 13, 17, 27, 40, 64])
    expect(extracted(bytes, size)).toEqual(whole);
});

test('the same hashes and rejections are found in any text, however it is divided', () => {
  const part = fc.constantFrom(
    md5,
    sha256,
    sha256.slice(0, 40),
    tail,
    md5.slice(0, 8),
    md5.slice(0, 16),
    '\n',
    '\n',
    '=\n',
    '-\r\n',
    '\u00ad',
    '\u200b',
    '\u2028',
    ' ',
    ':',
    '/',
    ',',
    '0x',
    '%22',
    'ab:',
    pairs(md5),
    '3:abcdefgh:abcdefgh',
    'imphash: ',
    'z'.repeat(70),
    ' '.repeat(150),
    '> '.repeat(150),
    '\r\n',
    '\r',
    '> ',
  );
  const piece = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 700 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), piece, (parts, size) => {
      const bytes = encoded(`${'-'.repeat(64)}${parts.join('')}`, 'utf-8');
      expect(extracted(bytes, size)).toEqual(extracted(bytes, bytes.length));
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
