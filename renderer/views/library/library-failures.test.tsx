import '../../components/data-grid/layout.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import { longestNote } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import { LibraryHost } from './library-host.fixture.ts';
import { actions, all, expectRows, openLibrary, rows, type } from './open-library.fixture.tsx';

const gone = (): never => fail({ kind: 'host-gone' });

test('a failed read of sample details is reported beside the list', async () => {
  await openLibrary(undefined, { 'library.sample': gone });
  await expectRows(all);
  rows()[0]?.focus();
  const pane = await screen.findByRole('complementary', { name: 'Selected sample' });
  expect(within(await within(pane).findByRole('alert')).getByRole('button', { name: 'Try again' })).toBeDefined();
});

test('failed reads of hits and comments are reported beside the list', async () => {
  const host = new LibraryHost([rowOf(1, { name: 'invoice.scr', hits: 1, comments: 1 })]);
  await openLibrary(host, { 'samples.hits': gone, 'comments.thread': gone });
  await expectRows(['invoice.scr']);
  rows()[0]?.focus();
  const pane = await screen.findByRole('complementary', { name: 'Selected sample' });
  await waitFor(() => expect(within(pane).getAllByRole('alert')).toHaveLength(2));
});

test('a failed read of the total size, or of the part that excludes all others, is reported', async () => {
  const { user } = await openLibrary(undefined, { 'library.totals': gone });
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{Control>}a{/Control}');
  expect(await screen.findByRole('alert')).toBeDefined();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  type('update size:>1GB');
  await screen.findByText(/^No sample matches/);
  expect(await screen.findByRole('alert')).toBeDefined();
});

/** As many samples as one wants, one window at a time. */
const listOf =
  (total: number) =>
  ({ offset, limit }: OperationInput<'library.list'>) => ({
    rows: Array.from({ length: Math.min(limit, total - offset) }, (_, step) =>
      rowOf(offset + step + 1, { name: `sample ${offset + step + 1}` }),
    ),
    total,
    elapsedMs: 1,
  });

test('a range too long for row-by-row ticking reports its limit', async () => {
  const { user } = await openLibrary(undefined, { 'library.list': listOf(60_000) });
  await waitFor(() => expect(rows()[0]?.textContent).toContain('sample 1'));
  rows()[0]?.focus();
  await user.keyboard('{Shift>}{End}{/Shift}');
  expect(await screen.findByText(/^Shift selects at most 50,000 samples at once/)).toBeDefined();
});

test('rows of a range are read from the shown list, and not from one that is still loading', async () => {
  let isHeld = false;
  const asked: OperationInput<'library.list'>[] = [];
  const list = listOf(700);
  const { user, bridge } = await openLibrary(undefined, {
    'library.list': (input) => {
      asked.push(input);
      return isHeld && input.limit === 100 ? new Promise(() => {}) : list(input);
    },
  });
  await waitFor(() => expect(rows()[0]?.textContent).toContain('sample 1'));
  isHeld = true;
  act(() => bridge.emit('library.changed', {}));
  await waitFor(() => expect(new Set(asked.map(({ moment }) => moment)).size).toBe(2));
  rows()[0]?.focus();
  await user.keyboard('{Shift>}{End}{/Shift}');
  expect(await within(actions()).findByText('700 selected')).toBeDefined();
  expect(asked.filter(({ limit }) => limit !== 100).map(({ moment }) => moment)).toEqual([asked[0]?.moment]);
});

test('a text too long for a note is refused before it enters the field', async () => {
  const { user } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.click(within(actions()).getByRole('button', { name: 'Note…' }));
  const note = await screen.findByRole('textbox', { name: 'Note' });
  const isTaken = fireEvent.paste(note, { clipboardData: { getData: () => 'x'.repeat(longestNote + 1) } });
  expect(isTaken).toBe(false);
  expect(await screen.findByText('A note has at most 100,000 characters.')).toBeDefined();
});

test('a tag that failed to be added is not shown as added, even when another one succeeds', async () => {
  const { user } = await openLibrary(undefined, {
    'library.change': ({ change, selection }) =>
      change.add.includes('one') ? gone() : { changed: 0, leftOut: selection.kind === 'named' ? 1 : 0 },
  });
  await expectRows(all);
  rows()[2]?.focus();
  await user.keyboard('t');
  const tags = await screen.findByRole('combobox', { name: 'Local tags' });
  await user.type(tags, 'one{Enter}');
  await user.type(tags, 'two{Enter}');
  await screen.findByText('1 sample skipped: SHA-256 unknown');
  await screen.findByText(/^Not done: /);
  const popover = screen.getByRole('dialog', { name: 'Local tags' });
  await waitFor(() => expect(within(popover).queryByText(/^(one|two)$/)).toBeNull());
});

test('only the failed one of two tags added at once is removed, and Undo removes the other', async () => {
  const { user } = await openLibrary(undefined, {
    'library.change': ({ change }) => (change.add.includes('one') ? gone() : { changed: 1, leftOut: 0 }),
  });
  await expectRows(all);
  rows()[1]?.focus();
  await user.keyboard('t');
  const tags = await screen.findByRole('combobox', { name: 'Local tags' });
  await user.type(tags, 'one{Enter}');
  await user.type(tags, 'two{Enter}');
  await screen.findByText(/^Not done: /);
  const popover = screen.getByRole('dialog', { name: 'Local tags' });
  expect(within(popover).queryByText('one')).toBeNull();
  expect(within(popover).getByText('two')).toBeDefined();
  fireEvent.click(screen.getByText('Undo', { selector: 'button' }));
  await waitFor(() => expect(within(popover).queryByText('two')).toBeNull());
});

test('an Undo too late for some samples reports that', async () => {
  const { user } = await openLibrary(undefined, {
    'library.change': ({ change }) => ({ changed: change.add.length > 0 ? 2 : 1, leftOut: 0 }),
  });
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('x{ArrowDown}xt');
  await user.type(await screen.findByRole('combobox', { name: 'Local tags for 2 samples' }), 'seen{Enter}');
  await screen.findByText('seen added to 2 samples');
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone for 1 of 2 samples: the others have changed since')).toBeDefined();
});

test('an Undo of a TLP skips a sample with a newer one, and reports that', async () => {
  const { user, bridge } = await openLibrary(undefined, {
    'library.change': ({ change }) => ({ changed: change.whereTlp === undefined ? 1 : 0, leftOut: 0 }),
  });
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('l');
  await user.click(await screen.findByRole('menuitem', { name: /GREEN/ }));
  await screen.findByText('GREEN set for 1 sample');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Not undone: the sample has changed since')).toBeDefined();
  expect(bridge.inputsOf('library.change').at(-1)).toMatchObject({ change: { tlp: null, whereTlp: 'green' } });
});
