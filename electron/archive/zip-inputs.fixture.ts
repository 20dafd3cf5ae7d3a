import { Buffer } from 'node:buffer';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { anyUnit } from '../../shared/testing/any-unit.ts';
import { endOf, type RawEntry, rawZip, u16, u32 } from './raw-zip.fixture.ts';

const text = Buffer.from('All that is gold does not glitter. '.repeat(40));
const zeros = Buffer.alloc(60_000);
const manyZeros = Buffer.alloc(150_000);
const packedText = deflateRawSync(text);
const descriptor = Buffer.concat([u32(0x08074b50), u32(0x5bd7a1f1), u32(packedText.length), u32(text.length)]);
const zip64Field = Buffer.concat([u16(1), u16(16), u32(text.length), u32(0), u32(packedText.length), u32(0)]);

/** Names that ask to be written elsewhere, to be taken for another, or to be seen as another. */
export const hostileNames: readonly (string | Uint8Array)[] = [
  '../x',
  '..\\x',
  'a/../../x',
  '/etc/passwd',
  'C:\\x',
  'C:x',
  '\\\\host\\share\\x',
  '//host/x',
  './x',
  'a/./x',
  '.',
  '..',
  '...',
  'a/',
  '/',
  '',
  ' ',
  'x.',
  'x ',
  'CON',
  'con.txt',
  'aux.c',
  'LPT1',
  'a:b',
  'x::$DATA',
  'a\0b',
  'a\nb',
  '\u202egpj.exe',
  '\u200bx',
  'e\u0301',
  '\u00e9',
  Buffer.from([0x47, 0x94, 0xe1]),
  Buffer.from([0xff, 0xfe]),
  'x'.repeat(300),
  `${'d/'.repeat(200)}x`,
  '%2e%2e/x',
  '..%2fx',
  '\u2024\u2024/x',
  '__proto__',
];

export const soundZips: readonly Uint8Array[] = [
  rawZip(
    [
      { name: 'text', plain: text },
      { name: 'folder/', method: 0 },
      { name: 'folder/inner', plain: text, method: 0 },
    ],
    'comment',
  ),
  rawZip([
    { name: 'x', plain: text, flags: 8, local: { crc32: 0, storedBytes: 0, plainBytes: 0 }, descriptor },
    { name: 'next', plain: zeros },
  ]),
  rawZip([
    { name: 'wide', plain: text, extra: zip64Field, local: { storedBytes: 0xffffffff, plainBytes: 0xffffffff } },
  ]),
  rawZip([
    { name: 'sealed', plain: text, flags: 1 },
    { name: 'link', plain: Buffer.from('/etc/passwd'), mode: 0o120777 },
  ]),
  rawZip(hostileNames.slice(0, 12).map((name) => ({ name, plain: Buffer.from('x') }))),
  Buffer.concat([
    Buffer.from('%PDF-1.4\n<html><script>1</script>'),
    rawZip([{ name: 'META-INF/MANIFEST.MF', plain: text }]),
    Buffer.from('%%EOF'),
  ]),
  Buffer.concat([
    Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00'),
    rawZip([{ name: 'A.class', plain: Buffer.from([0xca, 0xfe, 0xba, 0xbe]) }]),
  ]),
  rawZip([{ name: 'inner.zip', plain: rawZip([{ name: 'inner.zip', plain: zeros }]), method: 0 }]),
  endOf(0, 0, 0),
];

const plain = fc.oneof(
  fc.constantFrom<Uint8Array>(text, zeros, manyZeros, Buffer.alloc(0), soundZips[0] ?? text),
  fc.uint8Array({ maxLength: 60 }),
);
const size = fc.constantFrom(0, 1, 0x7fffffff, 0xffffffff, 0xfffffffe, text.length, packedText.length);
const name = fc.oneof(
  fc.constantFrom(...hostileNames),
  fc.constantFrom('a', 'b', 'folder/', 'folder/a'),
  fc.string({ unit: anyUnit, maxLength: 8 }),
);
const optional = { requiredKeys: ['name', 'plain'] as ['name', 'plain'] };
const entry: fc.Arbitrary<RawEntry> = fc.record(
  {
    name,
    plain,
    method: fc.constantFrom(0, 8, 8, 8, 9, 12, 14, 95, 99, 0xffff),
    flags: fc.constantFrom(0, 0, 1, 8, 9, 0x800, 0x808, 0x40, 0x2000),
    packed: fc.oneof(
      fc.constantFrom<Uint8Array>(packedText, packedText.subarray(0, 20)),
      fc.uint8Array({ maxLength: 30 }),
    ),
    crc32: fc.nat({ max: 0xffffffff }),
    storedBytes: size,
    plainBytes: size,
    mode: fc.constantFrom(0o100644, 0o120777, 0o060000, 0o010000, 0o040755),
    descriptor: fc.oneof(fc.constant(descriptor), fc.uint8Array({ maxLength: 26 })),
    extra: fc.oneof(fc.constant(zip64Field), fc.uint8Array({ maxLength: 30 })),
    local: fc.record({ crc32: fc.nat({ max: 0xffffffff }), storedBytes: size, plainBytes: size }, { requiredKeys: [] }),
  },
  optional,
);

/** Archives by their records, which may say anything; before and behind them may be something else. */
export const madeZips: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.array(entry, { maxLength: 5 }),
    fc.constantFrom('', 'comment', 'PK\u0005\u0006'),
    fc.constantFrom('', 'junk', '%PDF-1.4\n', 'GIF89a', 'MZ', 'PK\u0003\u0004'),
    fc.constantFrom('', '{}', '%%EOF', '\0'.repeat(30)),
  )
  .map(([entries, comment, before, after]) =>
    Buffer.concat([Buffer.from(before), rawZip(entries, comment), Buffer.from(after)]),
  );
