import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinPieces } from './joined-pieces.ts';

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
