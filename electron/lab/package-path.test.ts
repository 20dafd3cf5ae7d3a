import { posix } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusedPath } from './package-archive.ts';

test.each(['a.yar', 'a/b/c.YARA', 'правила/señal 🦠.yar', '.hidden.yar', 'a..b/c.yar', `${'a'.repeat(296)}.yar`])(
  'a package accepts the path %j',
  (path) => {
    expect(refusedPath(path)).toBeNull();
  },
);

test.each([
  '',
  'a',
  'a.yar.exe',
  'manifest.json',
  '.yara/x',
  '/a.yar',
  '//a.yar',
  'C:/a.yar',
  '../a.yar',
  'a/../b.yar',
  'a/.. /b.yar',
  './a.yar',
  'a//b.yar',
  'a/ /b.yar',
  'a\\b.yar',
  '..\\a.yar',
  'con.yar',
  'a/nul .yar',
  'a\u0000.yar',
  'a\n.yar',
  'a\u202e.yar',
  'a\ud800.yar',
  `${'a'.repeat(297)}.yar`,
])('a package refuses the path %j with a one-line reason', (path) => {
  expect(refusedPath(path)).toMatch(/^[\x20-\x7e…]{10,400}$/u);
});

test('every accepted path stays inside the package', () => {
  const piece = fc.constantFrom('.', '..', '/', '\\', 'a', ' ', 'c:', '.yar', '\u0000', '~');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = `${pieces.join('')}.yar`;
      if (refusedPath(path) === null) expect(posix.join('/package', path)).toBe(`/package/${path}`);
    }),
    { numRuns: 5_000 },
  );
});
