import fc from 'fast-check';

const [firstHalf, halves] = [0xd800, 0x800];

/**
 * Any code point but the halves of pairs, for `fc.string`: the library's own `binary`, which makes a table of all of
 * the million when it is first asked for, a second of the processor and 85 MB in each process.
 */
export const anyUnit: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - halves })
  .map((index) => String.fromCodePoint(index < firstHalf ? index : index + halves), indexOf);

/** Throws for what is not one of them, which is how the library learns that. */
function indexOf(unit: unknown): number {
  const point = typeof unit === 'string' ? unit.codePointAt(0) : undefined;
  if (point === undefined || unit !== String.fromCodePoint(point) || !unit.isWellFormed())
    throw new RangeError('this is not one code point');
  return point < firstHalf ? point : point - halves;
}
