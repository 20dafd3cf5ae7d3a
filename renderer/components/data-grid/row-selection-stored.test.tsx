import './layout.fixture.ts';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { DataGrid } from './data-grid.tsx';
import type { GridColumn } from './grid-column.ts';

interface Line {
  id: number;
  isTicked: boolean;
}
const linesOf = (count: number, ticked: readonly number[] = []): Line[] =>
  Array.from({ length: count }, (_, id) => ({ id, isTicked: ticked.includes(id) }));
const columns: readonly GridColumn<Line>[] = [
  { id: 'name', title: 'Name', width: 100, isRowHeader: true, cell: ({ id }) => `line-${id}` },
  { id: 'field', title: 'Field', width: 100, cell: ({ id }) => <input aria-label={`field-${id}`} tabIndex={-1} /> },
];

/** Rows that keep their own ticks. `loaded` of them can be read at once. */
async function openGrid(begun: readonly Line[], loaded = Infinity, isAlone?: (id: number) => boolean) {
  const seen: {
    lines: readonly Line[];
    asked: [number, number][];
    opened: number[];
    show(lines: readonly Line[]): void;
  } = { lines: begun, asked: [], opened: [], show: () => {} };
  function Table() {
    const [lines, setLines] = useState(begun);
    Object.assign(seen, { lines, show: setLines });
    const tick = (ids: readonly number[] | null, isTicked: boolean): void =>
      setLines((before) =>
        before.map((line) => (ids === null || ids.includes(line.id) ? { ...line, isTicked } : line)),
      );
    const count = lines.filter(({ isTicked }) => isTicked).length;
    return (
      <DataGrid
        label="Lines"
        columns={columns}
        count={lines.length}
        rowAt={(index) => (index < loaded ? lines[index] : undefined)}
        keyOf={({ id }) => id}
        storedTicks={{
          isTicked: ({ isTicked }) => isTicked,
          state: count === 0 ? 'none' : count === lines.length ? 'all' : 'some',
          ...(isAlone && { isTickedAlone: ({ id }: Line) => isAlone(id) }),
          onTick: tick,
          onTickAll: (isTicked) => tick(null, isTicked),
          rowsBetween: async (first, last) => {
            seen.asked.push([first, last]);
            return lines.slice(first, last + 1);
          },
        }}
        onOpen={({ id }) => seen.opened.push(id)}
        hasFields
        letters
      />
    );
  }
  const user = userEvent.setup();
  render(<Table />);
  await user.tab();
  return { user, seen, ticked: () => seen.lines.filter(({ isTicked }) => isTicked).map(({ id }) => id) };
}

const current = (): string | null | undefined => document.activeElement?.querySelector('[role=rowheader]')?.textContent;

test('Shift ticks up to a row, and moving back unticks only the rows it ticked', async () => {
  const { user, ticked } = await openGrid(linesOf(9, [3]));
  await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{/Shift}');
  expect(ticked()).toEqual([1, 2, 3, 4]);
  await user.keyboard('{Shift>}{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}{/Shift}');
  expect(ticked()).toEqual([0, 1, 3]);
});

test('a held X ticks once, as does Enter on the header of the ticks', async () => {
  const { user, ticked } = await openGrid(linesOf(3));
  for (const repeat of [false, true]) fireEvent.keyDown(document.activeElement ?? document.body, { key: 'x', repeat });
  expect(ticked()).toEqual([0]);
  await user.keyboard('{ArrowUp}');
  for (const repeat of [false, true])
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter', repeat });
  expect(ticked()).toEqual([0, 1, 2]);
});

test('extending over rows that are not loaded requests them once', async () => {
  const { user, seen, ticked } = await openGrid(linesOf(300), 50);
  await user.keyboard('{Shift>}{End}{/Shift}');
  await waitFor(() => expect(ticked()).toHaveLength(300));
  await user.keyboard('{Shift>}{ArrowUp}{/Shift}');
  expect(ticked()).toHaveLength(299);
  expect(seen.asked).toEqual([[50, 299]]);
});

test('extending skips rows ticked only by themselves, loaded or not', async () => {
  const { user, ticked } = await openGrid(linesOf(300, [1]), 50, (id) => id % 2 === 1);
  await user.keyboard('{Shift>}{End}{/Shift}');
  await waitFor(() => expect(ticked()).toHaveLength(151));
  expect(ticked().filter((id) => id % 2 === 1)).toEqual([1]);
  await user.keyboard('{Shift>}{Home}{/Shift}');
  expect(ticked()).toEqual([0, 1]);
});

test('the header ticks all, then none, and Escape unticks nothing, as ticks are no selection', async () => {
  const { user, ticked } = await openGrid(linesOf(5, [1]));
  await user.keyboard('{Escape}');
  expect(ticked()).toEqual([1]);
  await user.click(screen.getByRole('columnheader', { name: 'Select all' }));
  expect(ticked()).toHaveLength(5);
  await user.click(screen.getByRole('columnheader', { name: 'Select all' }));
  expect(ticked()).toEqual([]);
});

test('the header shows whether all, some or none are ticked', async () => {
  const { user } = await openGrid(linesOf(5, [1]));
  const head = screen.getByRole('columnheader', { name: 'Select all' });
  const said = (): (string | null)[] => [head.getAttribute('aria-selected'), head.getAttribute('aria-description')];
  expect(said()).toEqual(['false', 'Some are selected']);
  await user.click(head);
  expect(said()).toEqual(['true', null]);
  await user.click(head);
  expect(said()).toEqual(['false', null]);
});

test('F2 opens a row like Enter, its field receives the keys, and Escape returns to the row', async () => {
  const { user, seen, ticked } = await openGrid(linesOf(5));
  await user.keyboard('{ArrowDown}{F2}{Enter}');
  expect(seen.opened).toEqual([1, 1]);
  await user.click(screen.getByLabelText('field-3'));
  await user.keyboard('xj{ArrowDown}{Home}');
  expect(ticked()).toEqual([]);
  expect(screen.getByLabelText('field-3')).toBe(document.activeElement);
  await user.keyboard('{Escape}');
  expect(current()).toBe('line-3');
  await user.keyboard('{ArrowDown}');
  expect(current()).toBe('line-4');
});

test('a field keeps the focus and its text when rows are added above', async () => {
  const { user, seen } = await openGrid(linesOf(3));
  await user.click(screen.getByLabelText('field-1'));
  await user.keyboard('half a t');
  seen.show([{ id: 8, isTicked: false }, { id: 9, isTicked: false }, ...linesOf(3)]);
  await screen.findByText('line-8');
  expect(screen.getByLabelText('field-1')).toBe(document.activeElement);
  expect(screen.getByLabelText('field-1')).toHaveProperty('value', 'half a t');
  await user.keyboard('{Escape}');
  expect(current()).toBe('line-1');
});
