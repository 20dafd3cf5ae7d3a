import { expect, test } from 'vitest';
import type { DifferenceLine } from '../../../../shared/domain/publication.ts';
import { type DiffRow, diffRows, pairsOf } from './diff-text.tsx';

/** ` ` is the same, `-` removed, `+` added: one character a line. */
function linesOf(kinds: string): DifferenceLine[] {
  let [old, now] = [0, 0];
  return [...kinds].map((sign): DifferenceLine => {
    if (sign !== '+') old += 1;
    if (sign !== '-') now += 1;
    return {
      kind: sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same',
      old: sign === '+' ? null : old,
      new: sign === '-' ? null : now,
      at: [],
    };
  });
}

const drawn = (rows: readonly DiffRow[]): string =>
  rows
    .map((row) => (row.kind === 'fold' ? `[${row.count}]` : { same: ' ', removed: '-', added: '+' }[row.line.kind]))
    .join('');
const noneOpen: ReadonlySet<number> = new Set();

test.each([
  ['lines before the first change and after the last one', `${' '.repeat(10)}-+${' '.repeat(9)}`, '[7]   -+   [6]'],
  ['lines between two changes', `-${' '.repeat(12)}+`, '-   [6]   +'],
  ['nothing, where it would save no room', `-${' '.repeat(9)}+`, `-${' '.repeat(9)}+`],
])('folding covers %s', (_, kinds, expected) => {
  expect(drawn(diffRows(linesOf(kinds), noneOpen))).toBe(expected);
});

test('a fold opens, and the others stay', () => {
  const lines = linesOf(`${' '.repeat(10)}-${' '.repeat(20)}+`);
  const [fold] = diffRows(lines, noneOpen);
  expect(fold).toEqual({ kind: 'fold', from: 0, count: 7 });
  expect(drawn(diffRows(lines, new Set([0])))).toBe(`${' '.repeat(10)}-   [14]   +`);
});

test('a rule that only moved is shown whole', () => {
  expect(drawn(diffRows(linesOf(' '.repeat(30)), noneOpen))).toBe(' '.repeat(30));
});

test('the side-by-side view places removed lines beside their replacements', () => {
  const pairs = pairsOf(diffRows(linesOf(' --+ ++-'), noneOpen)).map((pair) =>
    pair.kind === 'fold' ? pair : [pair.left?.old ?? null, pair.right?.new ?? null],
  );
  expect(pairs).toEqual([
    [1, 1],
    [2, 2],
    [3, null],
    [4, 3],
    [null, 4],
    [null, 5],
    [5, null],
  ]);
});
