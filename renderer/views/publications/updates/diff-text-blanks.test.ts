import { expect, test } from 'vitest';
import { lineDifference } from '../../../../shared/domain/line-difference.ts';
import { onlyBlanksChanged } from './diff-text.tsx';

function changedBlanks(before: string[], after: string[]): string[] {
  const lines = lineDifference({ first: 1, lines: before }, { first: 1, lines: after });
  const textOf = ({ old, new: next }: (typeof lines)[number]): string =>
    (next === null ? before[(old ?? 1) - 1] : after[next - 1]) ?? '';
  return [...onlyBlanksChanged(lines, textOf)].map((line) => `${line.kind} ${textOf(line)}`);
}

test('lines with only whitespace changes are found on both sides', () => {
  expect(changedBlanks(['a', '\tb = 1', 'c'], ['a', '    b = 1  ', 'c'])).toEqual([
    'removed \tb = 1',
    'added     b = 1  ',
  ]);
});

test('whitespace changes exclude a line with another word and a new line', () => {
  expect(changedBlanks(['b = 1'], ['  b = 2'])).toEqual([]);
  expect(changedBlanks(['a'], ['a', '  b'])).toEqual([]);
});
