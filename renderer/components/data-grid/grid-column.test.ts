import { expect, test } from 'vitest';
import { columnsThatFit, columnTemplate } from './grid-column.ts';

const columns = [
  { id: 'hash', width: 200 },
  { id: 'bytes', width: 80, leaves: 3 },
  { id: 'reason', width: { flex: 1, min: 100 }, leaves: 1 },
];
const idsAt = (width: number | null): string[] => columnsThatFit(columns, width, true).map(({ id }) => id);

test('columns disappear one after the other as the table narrows, and permanent ones stay', () => {
  expect(idsAt(null)).toEqual(['hash', 'bytes', 'reason']);
  expect(idsAt(464)).toEqual(['hash', 'bytes', 'reason']);
  expect(idsAt(463)).toEqual(['hash', 'reason']);
  expect(idsAt(371)).toEqual(['hash']);
  expect(idsAt(10)).toEqual(['hash']);
});

test('the flexible columns share the remaining width', () => {
  expect(columnTemplate(columns, true)).toBe('16px 200px 80px minmax(100px, 1fr)');
});
