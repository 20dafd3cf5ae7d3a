import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { QueryProblem } from '../../../../shared/domain/query-problems.ts';
import { cutAt } from './query-field.tsx';

const problem = (at: number, length: number): QueryProblem => ({ reason: 'unclosed-quote', at, length });

test('the underline covers the text of the problem, also in the middle of a run', () => {
  expect(cutAt({ text: 'abcdef', kind: 'word', at: 10 }, problem(12, 2))).toEqual([
    { at: 10, text: 'ab', isWrong: false },
    { at: 12, text: 'cd', isWrong: true },
    { at: 14, text: 'ef', isWrong: false },
  ]);
});

test('the pieces of a run join to the run', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(20), fc.nat(30), fc.nat(30), (text, at, from, length) => {
      expect(
        cutAt({ text, kind: 'word', at }, problem(from, length))
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
