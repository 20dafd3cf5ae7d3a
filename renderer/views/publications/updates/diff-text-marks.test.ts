import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { YaraPiece } from '../../../components/yara/yara-source.tsx';
import { markedPieces, scrollTo } from './diff-text.tsx';

const line: readonly YaraPiece[] = [
  { text: 'filesize', kind: 'keyword' },
  { text: ' < 4MB ', kind: 'plain' },
  { text: 'and', kind: 'keyword' },
];

test('a change that begins and ends inside of tokens splits them, and each keeps its colour', () => {
  expect(
    markedPieces(line, [[6, 14]]).map(
      ({ piece: { text, kind }, isChanged }) => `${kind} ${isChanged ? `[${text}]` : text}`,
    ),
  ).toEqual(['keyword filesi', 'keyword [ze]', 'plain [ < 4MB]', 'plain  ', 'keyword and']);
});

test('the pieces join to the line for any offsets, and marks lie in a change', () => {
  const offset = fc.integer({ min: -5, max: 30 });
  fc.assert(
    fc.property(fc.array(fc.tuple(offset, offset)), (at) => {
      const marked = markedPieces(line, at);
      let start = 0;
      for (const { piece, isChanged } of marked) {
        const [from, to] = [start, start + piece.text.length];
        if (isChanged !== at.some(([first, last]) => first <= from && to <= last)) return false;
        start = to;
      }
      return marked.map(({ piece: { text } }) => text).join('') === line.map(({ text }) => text).join('');
    }),
  );
});

test('the first of the marks is scrolled to where none of them is in sight', () => {
  const mark = (from: number) => ({ from });
  expect(scrollTo([mark(1500), mark(2000)], 600)).toBe(1380);
  expect(scrollTo([mark(1500)], 100)).toBe(1450);
  expect(scrollTo([mark(1500), mark(599)], 600)).toBe(0);
  expect(scrollTo([], 600)).toBe(0);
});
