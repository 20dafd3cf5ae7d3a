import { expect, test } from 'vitest';
import { columnGap, columnsThatFit, leastRowWidth } from '../../../components/data-grid/grid-column.ts';
import { usualLayout } from '../../../memory/layouts.ts';
import { MemoryBridge } from '../../../test/memory-bridge.ts';
import { RowPreviews, TagSpace } from './cells.tsx';
import { libraryColumns, shownColumns } from './library-columns.tsx';

const parts = {
  previews: new RowPreviews(new MemoryBridge()),
  tagSpace: new TagSpace(),
  thisYear: 2026,
  onFetch: () => {},
};
const columns = libraryColumns(shownColumns(usualLayout.order, usualLayout.hidden), parts);
const fitting = (width: number): string[] => columnsThatFit(columns, width, true).map(({ id }) => id);

test('beside the inspector at 1280 nothing of what is usually shown leaves', () => {
  expect(fitting(816)).toEqual(['hash', 'name', 'bytes', 'size', 'tags', 'tlp', 'hits', 'lastSeen']);
});

test('where it gets narrower, the bytes leave first', () => {
  expect(fitting(815)).toEqual(['hash', 'name', 'size', 'tags', 'tlp', 'hits', 'lastSeen']);
});

test('beside the widest inspector only what says most of a sample is left, and nothing is scrolled for', () => {
  expect(fitting(616)).toEqual(['hash', 'name', 'size', 'tags', 'tlp']);
});

test('a name never gets less than some twenty characters take, however narrow the table is', () => {
  const [hash, name] = [
    columns.filter(({ id }) => id === 'hash'),
    columns.filter(({ id }) => id === 'hash' || id === 'name'),
  ];
  expect(leastRowWidth(name, true) - leastRowWidth(hash, true) - columnGap).toBeGreaterThanOrEqual(120);
});
