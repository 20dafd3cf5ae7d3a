import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripParts } from '../../shared/domain/byte-classes.ts';
import { barsOf, entropyRange } from './byte-strip.tsx';

const strips = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: stripParts,
  })
  .map((parts) => parts.map(([byteClass, entropy]) => `${byteClass}${entropy.toString(16).padStart(2, '0')}`).join(''));

test('the bars of a strip are side by side from edge to edge, each within its height', () => {
  fc.assert(
    fc.property(strips, fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 80 }), (strip, width, height) => {
      let at = 0;
      for (const bar of barsOf(strip, width, height)) {
        expect(bar.left).toBe(at);
        expect(bar.height).toBeGreaterThanOrEqual(1);
        expect(bar.height).toBeLessThanOrEqual(Math.max(1, height));
        at += bar.width;
      }
      expect(at).toBe(width);
    }),
  );
});

test('the class sets the hue and the entropy the height, and a file of zeros is still visible', () => {
  expect(barsOf('0003001ff', 30, 14)).toEqual([
    { byteClass: 'zero', left: 0, width: 10, height: 1 },
    { byteClass: 'high', left: 10, width: 10, height: 1 },
    { byteClass: 'text', left: 20, width: 10, height: 14 },
  ]);
});

test('the highest value of each pixel is drawn when pixels are fewer than parts', () => {
  expect(barsOf('1002ff100180', 2, 10).map(({ byteClass }) => byteClass)).toEqual(['code', 'text']);
});

test('formatEntropy names the lowest and the highest entropy', () => {
  expect(entropyRange('1ff100180')).toEqual({ least: 0, most: 8 });
});
