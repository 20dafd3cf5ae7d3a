import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { loadEngine } from '../engine/yara-compiler.ts';
import { yaraXModule } from '../engine/yara-x.ts';
import { joinPieces, PieceCompiler } from './compile-pieces.ts';

beforeAll(async () => loadEngine(await yaraXModule()));

test('errors and warnings have the same lines when pieces are compiled together and alone', () => {
  const pieces = [
    'import "pe"',
    'rule a {\n  strings:\n    $a = { 00 00 00 }\n  condition: $a }',
    'rule bad {\n  condition:\n    nothing }',
    'rule b {\n  condition:\n    true or pe.is_pe }',
  ];
  const [together, alone] = (['together', 'alone'] as const).map((how) =>
    new PieceCompiler([], () => undefined).compile({ pieces, how }),
  );
  expect(together).toMatchObject({
    findings: [{ piece: 2, line: 3, code: 'E009' }],
    warnings: [
      { piece: 1, line: 3, code: 'slow_pattern' },
      { piece: 3, line: 3, code: 'invariant_expr' },
    ],
  });
  expect(alone).toEqual(together);
});

test('each line of the joined source maps to its piece', () => {
  const text = fc
    .array(fc.constantFrom('a', '\n', '\r', '\u2028', ''), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), fc.nat(8), (pieces, without) => {
      const { source, find } = joinPieces(pieces, (piece) => piece === without);
      const expected = pieces.flatMap((piece, index) =>
        index === without ? [] : piece.split('\n').map((line, at) => ({ line, place: { piece: index, line: at + 1 } })),
      );
      expect(source).toBe(expected.map(({ line }) => line).join('\n'));
      expect(expected.map((_, at) => find(at + 1))).toEqual(expected.map(({ place }) => place));
      expect([find(0), find(expected.length + 1)]).toEqual([null, null]);
    }),
  );
});
