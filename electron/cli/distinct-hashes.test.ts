import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { DistinctHashes } from './hash-reading.ts';

test('each distinct hash is new once, however many there are', () => {
  const distinct = new DistinctHashes();
  const kinds = ['md5', 'sha1', 'sha256'] as const;
  const all = Array.from({ length: 30_000 }, (_, at) => {
    const kind = kinds[at % 3] ?? 'md5';
    return { kind, value: createHash(kind).update(String(at)).digest('hex') };
  });
  expect(all.filter(({ kind, value }) => !distinct.add(kind, value))).toEqual([]);
  expect(all.filter(({ kind, value }) => distinct.add(kind, value))).toEqual([]);
  expect(distinct.count).toBe(all.length);
});

test('hashes that differ only in one digit or in their length are distinct', () => {
  const distinct = new DistinctHashes();
  const sha256 = createHash('sha256').update('').digest('hex');
  const changed = Array.from(
    sha256,
    (digit, at) => `${sha256.slice(0, at)}${digit === 'f' ? '0' : 'f'}${sha256.slice(at + 1)}`,
  );
  expect([sha256, ...changed].every((value) => distinct.add('sha256', value))).toBe(true);
  expect([
    distinct.add('md5', sha256.slice(0, 32)),
    distinct.add('sha1', sha256.slice(0, 40)),
    distinct.add('md5', '0'.repeat(32)),
    distinct.add('md5', '0'.repeat(32)),
  ]).toEqual([true, true, true, false]);
});
