import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withMoved } from '../../../components/data-grid/grid-column.ts';
import { columnIds, orderedColumns, shownColumns } from './library-columns.tsx';

test('the column order has every column once, whatever was stored', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...columnIds), fc.string())), (order) => {
      expect(orderedColumns(order).toSorted()).toEqual(columnIds.toSorted());
    }),
  );
});

test('a column added by a later version has its default position', () => {
  expect(orderedColumns(columnIds.filter((id) => id !== 'tlp'))).toEqual(columnIds);
  expect(orderedColumns(['lastSeen', 'name'])[0]).toBe('hash');
});

test('the hash and name columns are always shown', () => {
  expect(shownColumns([], [...columnIds])).toEqual(['hash', 'name']);
});

test('a column moves by one place, and stays at an end', () => {
  expect(withMoved(columnIds, 'name', -1).slice(0, 2)).toEqual(['name', 'hash']);
  expect(withMoved(columnIds, 'hash', -1)).toEqual(columnIds);
  expect(withMoved(columnIds, 'vault', 1)).toEqual(columnIds);
});
