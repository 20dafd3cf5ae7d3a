import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { findHashes, hashKindOf, hashLengths } from './hash.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';
const sha1 = '3395856ce81f2b7382dee72602f798b642f14140';
const sha256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';

const values = (text: string): string[] => findHashes(text).found.map(({ value }) => value);

test.each([
  ['alone', md5],
  ['upper case', md5.toUpperCase()],
  ['with a prefix', `md5:${md5}`],
  ['with 0x', `0x${md5}`],
  ['in quotes and CSV', `"${md5}","invoice.exe"`],
  ['in a URL', `https://example.org/files/${md5}?x=1`],
  ['in a sentence', `The sample (${md5}).`],
])('finds an MD5 %s', (_title, text) => {
  expect(values(text)).toEqual([md5]);
});

test('finds each kind once, in order of first appearance', () => {
  expect(findHashes(`${sha256}\n${md5} ${sha1} ${md5.toUpperCase()}`).found).toEqual([
    { kind: 'sha256', value: sha256 }, { kind: 'md5', value: md5 }, { kind: 'sha1', value: sha1 },
  ]);
});

test.each([
  ['hex before', `a${md5}`],
  ['hex after', `${sha256}0`],
  ['a letter after', `${md5}z`],
  ['an underscore before', `_${md5}`],
])('never cuts a hash out of a longer run: %s', (_title, text) => {
  expect(values(text)).toEqual([]);
});

test('names the length of a run that was meant as a hash', () => {
  expect(findHashes(md5.slice(1))).toEqual({ found: [], wrongLengths: [31] });
});

test('ordinary words and numbers are not near misses', () => {
  expect(findHashes('face cafe 20261121 deadbeef').wrongLengths).toEqual([]);
});

const hexOf = (length: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: length, maxLength: length });
const anyHash = fc.constantFrom(...Object.values(hashLengths)).chain(hexOf);

test('any set of hashes comes back whole from any separators', () => {
  const separator = fc.string({ unit: fc.constantFrom(...' ,;:"\'/|\n\t()[]<>.'.split('')), minLength: 1, maxLength: 5 });
  fc.assert(fc.property(fc.array(fc.tuple(anyHash, separator), { maxLength: 20 }), (pieces) => {
    const text = pieces.map(([hash, between]) => hash + between).join('');
    expect(new Set(values(text))).toEqual(new Set(pieces.map(([hash]) => hash)));
  }));
});

test('whatever is found is a hash of its kind, from any text', () => {
  fc.assert(fc.property(fc.string({ unit: anyUnit, maxLength: 300 }), (text) => {
    for (const { kind, value } of findHashes(text).found) expect(hashKindOf(value)).toBe(kind);
  }));
});
