import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import { TlpSelect } from '../tlp-select.tsx';
import { DataGrid } from './data-grid.tsx';
import type { GridColumn, GridSort } from './grid-column.ts';
import './layout.fixture.ts';
import { isTicked, noRows, type RowSelection, tickedCount } from './row-selection.ts';
import { GridMemory } from './use-grid-place.ts';

interface Line {
  key: string;
  size: number;
}
const lineAt = (index: number): Line => ({ key: `row-${index}`, size: index });
const columns: readonly GridColumn<Line>[] = [
  { id: 'key', title: 'Key', width: 100, isSortable: true, isRowHeader: true, cell: ({ key }) => key },
  { id: 'size', title: 'Size', width: 100, align: 'end', isSortable: true, cell: ({ size }) => String(size) },
];

interface Given {
  count?: number;
  loaded?: number;
  rows?: readonly Line[];
  letters?: boolean;
}

async function openGrid({ count = 100_000, loaded = count, rows, letters = true }: Given = {}) {
  const seen: {
    selection: RowSelection<string>;
    sort: GridSort | null;
    opened: string[];
    asked: [number, number][];
    ranges: [number, number][];
  } = { selection: noRows, sort: null, opened: [], asked: [], ranges: [] };
  function Table({ lines }: { lines?: readonly Line[] | undefined }) {
    const [selection, setSelection] = useState<RowSelection<string>>(noRows);
    const [sort, setSort] = useState<GridSort | null>(null);
    Object.assign(seen, { selection, sort });
    return (
      <DataGrid
        label="Lines"
        columns={columns}
        count={lines?.length ?? count}
        rowAt={(index) => (lines ? lines[index] : index < loaded && index >= 0 ? lineAt(index) : undefined)}
        keyOf={({ key }) => key}
        selection={selection}
        onSelect={setSelection}
        sort={sort}
        onSort={setSort}
        onRange={(first, last) => seen.ranges.push([first, last])}
        keysBetween={async (first, last) => {
          seen.asked.push([first, last]);
          return Array.from({ length: last - first + 1 }, (_, step) => lineAt(first + step).key);
        }}
        onOpen={({ key }) => seen.opened.push(key)}
        letters={letters}
      />
    );
  }
  const user = userEvent.setup();
  const { rerender } = render(<Table lines={rows} />);
  await user.tab();
  return { user, seen, show: (lines: readonly Line[]) => rerender(<Table lines={lines} />) };
}

const current = (): string | null | undefined => document.activeElement?.querySelector('[role=rowheader]')?.textContent;
const ticked = (selection: RowSelection<string>, total: number): number[] =>
  Array.from({ length: total }, (_, index) => index).filter((index) => isTicked(selection, `row-${index}`));

test('the grid draws a window of a hundred thousand rows and shows the total', async () => {
  const { seen } = await openGrid();
  expect(screen.getByRole('grid', { name: 'Lines' }).getAttribute('aria-rowcount')).toBe('100001');
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  expect(screen.getByRole('row', { name: /row-0/ }).getAttribute('aria-rowindex')).toBe('2');
  expect(seen.ranges.at(-1)?.[0]).toBe(0);
});

test('a row that moves under the pressed pointer is neither ticked nor opened', async () => {
  const { user, seen, show } = await openGrid({ rows: [0, 1, 2].map(lineAt) });
  const tickOf = (row: number): HTMLElement =>
    document.querySelector<HTMLElement>(`[data-index="${row}"] [data-tick]`) ?? document.body;
  await user.pointer({ keys: '[MouseLeft>]', target: tickOf(1) });
  show([2, 0, 1].map(lineAt));
  await user.pointer({ keys: '[/MouseLeft]', target: tickOf(1) });
  expect(tickedCount(seen.selection, 3)).toBe(0);
  await user.click(tickOf(1));
  expect(ticked(seen.selection, 3)).toEqual([0]);
});

test('the grid is one tab stop, moved in by table keys', async () => {
  const { user, seen } = await openGrid();
  expect(current()).toBe('row-0');
  await user.keyboard('{ArrowDown}jjk');
  expect(current()).toBe('row-2');
  await user.keyboard('{PageDown}');
  expect(Number(current()?.slice(4))).toBeGreaterThan(10);
  await user.keyboard('{End}');
  expect(current()).toBe('row-99999');
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  await user.keyboard('{Home}{Enter}');
  expect(seen.opened).toEqual(['row-0']);
  expect(document.querySelectorAll('[role=grid] [tabindex="0"]')).toHaveLength(1);
});

test('the focus returns from a list over a field to the field, however often the table is drawn', async () => {
  let level: TlpLevel | null = null;
  const onChange = (next: TlpLevel | null): void => {
    level = next;
    rerender(table());
  };
  const tlpColumn: GridColumn<Line> = {
    id: 'tlp',
    title: 'TLP',
    width: 100,
    cell: () => <TlpSelect label="TLP" level={level} isTabStop={false} onChange={onChange} />,
  };
  const table = () => (
    <DataGrid
      label="Lines"
      columns={[...columns, tlpColumn]}
      count={1}
      rowAt={lineAt}
      keyOf={({ key }) => key}
      letters
      hasFields
    />
  );
  const user = userEvent.setup();
  const { rerender } = render(table());
  screen.getByRole('button', { name: 'TLP: No TLP' }).focus();
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(document.activeElement?.role).toBe('menuitemradio'));
  await user.keyboard('{End}{Enter}');
  rerender(table());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'TLP: RED' })));
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(document.activeElement?.role).toBe('menuitemradio'));
});

test('the grid ignores single letters when they are switched off', async () => {
  const { user, seen } = await openGrid({ letters: false });
  await user.keyboard('jx');
  expect(current()).toBe('row-0');
  expect(tickedCount(seen.selection, 100_000)).toBe(0);
});

test('Shift extends from its start, and moving back unticks only the rows it ticked', async () => {
  const { user, seen } = await openGrid({ count: 20 });
  await user.keyboard('{ArrowDown}x{ArrowDown}{ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{ArrowUp}{/Shift}');
  expect(ticked(seen.selection, 20)).toEqual([1, 3, 4]);
  await user.keyboard('{Shift>}{ArrowUp}{ArrowUp}{/Shift}');
  expect(ticked(seen.selection, 20)).toEqual([1, 2, 3]);
});

test('select all covers all but the unticked rows, also rows that arrive later', async () => {
  const { user, seen } = await openGrid({ count: 20 });
  await user.keyboard('{Control>}a{/Control}{ArrowDown}x');
  expect(seen.selection).toEqual({ kind: 'all-except', keys: new Set(['row-1']) });
  expect(tickedCount(seen.selection, 30)).toBe(29);
  await user.keyboard('{Escape}');
  expect(tickedCount(seen.selection, 20)).toBe(0);
});

test('extending over rows that are not loaded requests their keys once', async () => {
  const { user, seen } = await openGrid({ count: 5000, loaded: 100 });
  await user.keyboard('{End}{ArrowUp}');
  await user.keyboard('{Shift>}{Home}{/Shift}');
  await waitFor(() => expect(tickedCount(seen.selection, 5000)).toBe(4999));
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  expect(tickedCount(seen.selection, 5000)).toBe(4998);
  expect(seen.asked).toEqual([[100, 4998]]);
});

test('a click makes a row current, its box ticks it, and Shift ticks up to it', async () => {
  const { user, seen } = await openGrid({ count: 20 });
  await user.click(screen.getByText('row-3'));
  expect(current()).toBe('row-3');
  expect(ticked(seen.selection, 20)).toEqual([]);
  const box = screen.getByRole('row', { name: /row-5/ }).querySelector('[data-tick]');
  if (box) await user.click(box);
  expect(ticked(seen.selection, 20)).toEqual([5]);
  await user.keyboard('{Shift>}');
  await user.click(screen.getByText('row-8'));
  await user.keyboard('{/Shift}');
  expect(ticked(seen.selection, 20)).toEqual([5, 6, 7, 8]);
});

test('the column headers are reached from the first row and sort by key', async () => {
  const { user, seen } = await openGrid({ count: 20 });
  await user.keyboard('{ArrowUp}{ArrowRight}{ArrowRight}{Enter}');
  expect(seen.sort).toEqual({ column: 'size', descending: false });
  expect(document.activeElement?.getAttribute('aria-sort')).toBe('ascending');
  await user.keyboard('{Enter}');
  expect(document.activeElement?.getAttribute('aria-sort')).toBe('descending');
  await user.keyboard('{ArrowDown}');
  expect(current()).toBe('row-0');
});

test('the current row stays current when rows stream in above it', async () => {
  const rows = [1, 2, 3].map(lineAt);
  const { user, show } = await openGrid({ rows });
  await user.keyboard('{ArrowDown}');
  expect(current()).toBe('row-2');
  show([lineAt(8), lineAt(9), ...rows]);
  await waitFor(() => expect(current()).toBe('row-2'));
});

describe('when another part of the view shows the selected row', () => {
  function openChoice(chosenAtFirst: string, loadedAtFirst: number) {
    const seen: string[] = [];
    function Table({ loaded }: { loaded: number }) {
      const [chosen, choose] = useState(chosenAtFirst);
      const onCurrent = ({ key }: Line): void => {
        seen.push(key);
        choose(key);
      };
      return (
        <DataGrid
          label="Lines"
          columns={columns}
          count={50}
          rowAt={(index) => (index >= 0 && index < loaded ? lineAt(index) : undefined)}
          keyOf={({ key }) => key}
          currentKey={chosen}
          onCurrent={onCurrent}
          letters
          hasHead={false}
        />
      );
    }
    const { rerender } = render(<Table loaded={loadedAtFirst} />);
    return { seen, load: (loaded: number) => rerender(<Table loaded={loaded} />) };
  }
  const marked = (): (string | null)[] =>
    screen
      .getAllByRole('row')
      .filter((row) => row.getAttribute('aria-current') !== null)
      .map(({ textContent }) => textContent);

  test('no hidden row is marked, and the focused one is selected', async () => {
    const { seen } = openChoice('a row of another search', 50);
    expect(marked()).toEqual([]);
    await userEvent.setup().tab();
    expect(seen).toEqual(['row-0']);
    expect(marked()).toEqual(['row-00']);
  });

  test('a row that arrives after the focus is selected when it is there', async () => {
    const { seen, load } = openChoice('row-0', 10);
    const user = userEvent.setup();
    await user.tab();
    await user.keyboard('{End}');
    expect(seen).toEqual([]);
    load(50);
    expect(seen).toEqual(['row-49']);
    expect(marked()).toEqual(['row-4949']);
  });
});

test('an unloaded row keeps its place without moving', async () => {
  const { user } = await openGrid({ count: 5000, loaded: 10 });
  await user.keyboard('{End}');
  expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('5001');
  expect(document.activeElement?.getAttribute('aria-busy')).toBe('true');
});

test('a cell spans an empty neighbour when its column allows this', () => {
  const spilling: readonly GridColumn<Line>[] = [
    { id: 'key', title: 'Key', width: 100, isRowHeader: true, spills: true, cell: ({ key }) => key },
    { id: 'size', title: 'Size', width: 100, cell: ({ size }) => (size === 0 ? null : String(size)) },
  ];
  render(<DataGrid label="Lines" columns={spilling} count={2} rowAt={lineAt} keyOf={({ key }) => key} letters />);
  const cells = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      [...row.children].map((cell) => [cell.getAttribute('aria-colindex'), cell.getAttribute('aria-colspan')]),
    );
  expect(cells).toEqual([
    [['1', '2']],
    [
      ['1', null],
      ['2', null],
    ],
  ]);
});

test('a table shown again keeps its position', async () => {
  const memory = new GridMemory();
  const draw = () =>
    render(
      <DataGrid
        label="Lines"
        columns={columns}
        count={500}
        rowAt={lineAt}
        keyOf={({ key }) => key}
        letters
        memory={memory}
      />,
    );
  const user = userEvent.setup();
  const { unmount } = draw();
  await user.tab();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  unmount();
  expect(memory.spot).toMatchObject({ row: 2, count: 500 });
  draw();
  await user.tab();
  expect(current()).toBe('row-2');
});
