import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteClasses, byteStrip, classOfByte, encodeStrip, partsOfStrip, stripParts } from './byte-classes.ts';

const part = fc.record({
  byteClass: fc.constantFrom(...byteClasses),
  entropy: fc.double({ min: 0, max: 8, noNaN: true }),
});

test('a strip stores the class of each part, and its entropy as finely as it is drawn', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: stripParts }), (parts) => {
      const strip = byteStrip.parse(encodeStrip(parts));
      const read = partsOfStrip(strip);
      expect(read.map(({ byteClass }) => byteClass)).toEqual(parts.map(({ byteClass }) => byteClass));
      for (const [index, { entropy }] of read.entries())
        expect(Math.abs(entropy - (parts[index]?.entropy ?? 0))).toBeLessThan(8 / 255);
      expect(encodeStrip(read)).toBe(strip);
    }),
  );
});

test('a strip stores its extreme values exactly', () => {
  const parts = [
    { byteClass: 'zero', entropy: 0 },
    { byteClass: 'ff', entropy: 8 },
  ] as const;
  expect(encodeStrip(parts)).toBe('0004ff');
  expect(partsOfStrip('0004ff')).toEqual(parts);
});

test.each(['', '000400', '5ff', '0f', '0FF', '000'.repeat(65)])('byteStrip validates the form of %j', (text) => {
  expect(byteStrip.safeParse(text).success).toBe(text === '000400');
});

test('every byte has its class', () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const ofClass = Object.groupBy(bytes, classOfByte);
  expect(ofClass.zero).toEqual([0]);
  expect(ofClass.ff).toEqual([255]);
  expect(ofClass.text).toEqual([9, 10, 13, ...bytes.slice(0x20, 0x7f)]);
  expect(ofClass.code).toEqual([...bytes.slice(1, 9), 11, 12, ...bytes.slice(14, 0x20), 0x7f]);
  expect(ofClass.high).toEqual(bytes.slice(0x80, 0xff));
});
