import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { forAny } from '../../base/property.fixture.ts';
import { jsonParts, membersIn } from './json-parts.ts';

const named = (text: string): number => jsonParts(Buffer.from(text)).names;

it('counts as many names as there are members, unless one comes twice', () => {
  const key = fc.string({ unit: fc.constantFrom('"', '\\', ':', '{', 'a', 'ä', '𝄞') });
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(key, fc.integer(), fc.constant(null), fc.array(tie('value')), fc.dictionary(key, tie('value'))),
  })).value;
  forAny([json, fc.constantFrom(undefined, 2)], (value, space) => {
    const text = JSON.stringify(value, null, space);
    expect(membersIn(value)).toBe(named(text));
    const twice = `{"a":${text},"a":${text}}`;
    expect(named(twice)).toBe(2 + 2 * membersIn(value));
    expect(membersIn(JSON.parse(twice) as Json)).toBe(1 + membersIn(value));
  });
});

it('counts what parts values outside of texts alone, in bytes that are no JSON too', () => {
  expect(jsonParts(Buffer.from('{"a,b[\\"":[1,{"c":"::"}]}'))).toEqual({ parts: 6, names: 2 });
  for (const text of ['', '"', '"a', '"\\', '\\"'])
    expect(jsonParts(Buffer.from(text))).toEqual({ parts: 0, names: 0 });
});

it('goes as deep as JSON does', () => {
  const deep = `${'{"a":['.repeat(100_000)}1${']}'.repeat(100_000)}`;
  expect([membersIn(JSON.parse(deep) as Json), named(deep)]).toEqual([100_000, 100_000]);
});
