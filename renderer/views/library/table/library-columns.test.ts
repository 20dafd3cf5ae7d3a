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

test('the default columns all fit beside the inspector at 1280', () => {
  expect(fitting(816)).toEqual(['hash', 'name', 'bytes', 'size', 'tags', 'tlp', 'hits', 'lastSeen']);
});

test('the bytes column is the first to be hidden when the table gets narrower', () => {
  expect(fitting(815)).toEqual(['hash', 'name', 'size', 'tags', 'tlp', 'hits', 'lastSeen']);
});

test('the widest inspector leaves the most important columns, without scrolling', () => {
  expect(fitting(616)).toEqual(['hash', 'name', 'size', 'tags', 'tlp']);
});

test('the name column keeps the width of some twenty characters, however narrow the table is', () => {
  const [hash, name] = [
    columns.filter(({ id }) => id === 'hash'),
    columns.filter(({ id }) => id === 'hash' || id === 'name'),
  ];
  expect(leastRowWidth(name, true) - leastRowWidth(hash, true) - columnGap).toBeGreaterThanOrEqual(120);
});
