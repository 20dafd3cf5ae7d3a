import fc from 'fast-check';
import { expect, test } from 'vitest';
import { includeOrder } from './parse-package.ts';

/** Each file with the targets of its includes, one a line. */
function order(files: Record<string, (string | null)[]>) {
  const map = Object.entries(files).map(
    ([path, targets]) => [path, { includes: targets.map((target, index) => ({ target, line: index + 1 })) }] as const,
  );
  return includeOrder(new Map(map));
}

test('the include order keeps files without includes in the order of their paths', () => {
  expect(order({ a: [], b: [null], c: [] })).toEqual({ paths: ['a', 'b', 'c'], cycles: [] });
});

test('the include order puts an included file first, and once', () => {
  expect(order({ a: ['d', 'c'], b: ['c'], c: ['d'], d: [] })).toEqual({ paths: ['d', 'c', 'a', 'b'], cycles: [] });
});

test('the include order names a circle once, where it closes', () => {
  expect(order({ a: ['b'], b: [null, 'c'], c: ['a'], d: ['a', 'd'] })).toEqual({
    paths: ['c', 'b', 'a', 'd'],
    cycles: [
      { path: 'c', line: 1 },
      { path: 'd', line: 2 },
    ],
  });
});

test('the include order sorts ten thousand files in one chain', () => {
  const chain = Array.from({ length: 10_000 }, (_, index): [string, string[]] => [
    `f${index}`,
    index < 9_999 ? [`f${index + 1}`] : [],
  ]);
  expect(order(Object.fromEntries(chain)).paths).toEqual(chain.map(([path]) => path).toReversed());
});

test('the include order has each file once for any includes, and only circle-closing ones too early', () => {
  const files = fc.array(fc.array(fc.nat({ max: 7 }), { maxLength: 4 }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(files, (targets) => {
      const { paths, cycles } = order(
        Object.fromEntries(targets.map((to, index) => [`f${index}`, to.map((target) => `f${target}`)])),
      );
      expect(paths.toSorted()).toEqual(targets.map((_, index) => `f${index}`));
      const early = targets.flatMap((to, index) =>
        to.flatMap((target, at) =>
          paths.indexOf(`f${target}`) >= paths.indexOf(`f${index}`) ? [`f${index}:${at + 1}`] : [],
        ),
      );
      expect(cycles.map(({ path, line }) => `${path}:${line}`).toSorted()).toEqual(early.toSorted());
    }),
  );
});
