import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { json, type Json } from '../../../shared/domain/sample.ts';
import { forAny, whenBusy } from '../../base/property.fixture.ts';
import { boundJson, jsonBounds } from './json-values.ts';

const parse = (text: string): Json => JSON.parse(text) as Json;
const depthOf = (value: Json): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const countOf = (value: Json): number =>
  1 +
  (typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, part) => sum + countOf(part), 0)
    : 0);

describe('bounded JSON', () => {
  it(
    'leaves a small value unchanged',
    () => {
      forAny([fc.jsonValue({ maxDepth: 5 })], (value) => {
        const plain = parse(JSON.stringify(value).replaceAll('__proto__', 'proto'));
        expect(boundJson(plain)).toEqual(plain);
      });
    },
    whenBusy,
  );

  it('marks its end at the depth limit', () => {
    const deep = boundJson(parse('['.repeat(100_000) + ']'.repeat(100_000)));
    expect(depthOf(deep)).toBe(jsonBounds.depth);
    expect(JSON.stringify(deep)).toContain('skipped: nested too deeply');
    expect(json.safeParse(deep).success).toBe(true);
  });

  it('marks its end after a number of values, wide or nested', () => {
    const wide = boundJson(Array<number>(500_000).fill(1));
    expect(countOf(wide)).toBeLessThanOrEqual(jsonBounds.values + jsonBounds.depth);
    expect(JSON.stringify(wide)).toContain('skipped: too large');
    const nested = boundJson(Array<Json>(3000).fill(Array<number>(3000).fill(1)));
    expect(countOf(nested)).toBeLessThan(jsonBounds.values * 2);
  });

  it('ends after an amount of text', () => {
    const big = 'x'.repeat(1024 * 1024);
    expect(boundJson(big)).toBe(`${'x'.repeat(jsonBounds.textCharacters)}…`);
    const many = boundJson(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}`, big])));
    expect(JSON.stringify(many).length).toBeLessThan(jsonBounds.allTextCharacters + 64 * 1024);
    expect(boundJson({ [big]: 1 })).toEqual({ [`${'x'.repeat(jsonBounds.keyCharacters)}…`]: 1 });
  });

  it('shows a member called __proto__ under a name that cannot be mistaken for it', () => {
    const value = boundJson(parse('{"__proto__":{"polluted":1},"constructor":{"prototype":2}}'));
    expect(value).toEqual({ '(__proto__)': { polluted: 1 }, constructor: { prototype: 2 } });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('turns infinite numbers into text', () => {
    expect(boundJson(parse('[1e999]'))).toEqual(['Infinity']);
  });

  it('never splits a part that has to be rewritten', () => {
    const hide = (text: string): string => text.replaceAll('secret', '-');
    for (let part = 1; part < 6; part += 1) {
      const name = `${'x'.repeat(jsonBounds.keyCharacters - part)}secret`;
      const text = `${'y'.repeat(jsonBounds.textCharacters - part)}secret`;
      expect(JSON.stringify(boundJson({ [name]: text }, hide))).not.toMatch(/[xy]s/);
    }
    const filling = Array.from({ length: 16 }, () => 'y'.repeat(jsonBounds.textCharacters - 1));
    expect(JSON.stringify(boundJson([...filling, `${'y'.repeat(13)}secret`], hide))).not.toMatch(/ys/);
  });

  it('rewrites every text and every name', () => {
    expect(boundJson({ 'a secret': ['secret'] }, (text) => text.replace('secret', '-'))).toEqual({ 'a -': ['-'] });
  });
});
