import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { LibraryHost } from './library-host.fixture.ts';
import { all, expectRows, openLibrary, rows, some, table, type } from './open-library.fixture.tsx';

/** The library with its second row as the current one. */
async function openAtRow(): Promise<UserEvent> {
  const { user } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{ArrowDown}');
  return user;
}

const expectAtRow = (): Promise<void> => waitFor(() => expect(document.activeElement).toBe(rows()[1]));

for (const { tags, cases } of longAfter(2, [
  ['l', 'menu'],
  ['t', 'dialog'],
  ['c', 'menu'],
] as const))
  test.each(cases)('the dialog opened by the key %s returns the focus to its row', { tags }, async (key, role) => {
    const user = await openAtRow();
    await user.keyboard(key);
    await screen.findByRole(role);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole(role)).toBeNull());
    await expectAtRow();
  });

for (const { tags, cases } of longAfter(1, ['c', 'l']))
  test.each(cases)(
    'the menu opened by the key %s starts at its first choice, and Enter selects it',
    { tags },
    async (key) => {
      const user = await openAtRow();
      await user.keyboard(key);
      await screen.findByRole('menu');
      await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('menuitem')[0]));
      await user.keyboard('{Enter}');
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
      await expectAtRow();
    },
  );

test('a menu opened by the palette starts at its first choice, too', async () => {
  const user = await openAtRow();
  await user.keyboard('{Control>}k{/Control}');
  fireEvent.change(await screen.findByRole('combobox', { name: /run a command$/ }), { target: { value: 'TLP' } });
  await screen.findByRole('option', { name: /^TLP/, selected: true });
  await user.keyboard('{Enter}');
  await screen.findByRole('menu');
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('menuitem')[0]));
});

test('a choice in a menu opened by a key leaves the focus at the row', async () => {
  const user = await openAtRow();
  await user.keyboard('l');
  await user.click(await screen.findByRole('menuitem', { name: 'RED' }));
  await expectAtRow();
});

test('a menu opened by its button returns the focus to the button', async () => {
  const user = await openAtRow();
  const button = screen.getByRole('button', { name: /^TLP/ });
  await user.click(button);
  await screen.findByRole('menu');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test.each(['by the pointer', 'by a key'])('Undo pressed %s leads back to the row of origin', async (way) => {
  const user = await openAtRow();
  await user.keyboard('t');
  await user.type(await screen.findByRole('combobox', { name: 'Local tags' }), 'seen{Enter}');
  await screen.findByText('seen added to 1 sample');
  await user.keyboard('{Escape}');
  await expectAtRow();
  const undo = screen.getByRole('button', { name: 'Undo' });
  if (way === 'by a key') {
    undo.focus();
    await user.keyboard('{Enter}');
  } else {
    await user.click(undo);
  }
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  await expectAtRow();
});

/** The library while a search for this is on its way, and where the focus has been since. */
async function openSearching(query: string) {
  const host = new LibraryHost(some);
  const { 'library.list': list } = host.answers;
  const held = Promise.withResolvers<void>();
  const { user, bridge } = await openLibrary(host, {
    'library.list': async (input) => {
      if (input.terms.length > 0) await held.promise;
      return list === undefined ? fail({ kind: 'host-gone' }) : list(input);
    },
  });
  await expectRows(all);
  type(query);
  await waitFor(() => expect(bridge.inputsOf('library.list').at(-1)).toMatchObject({ terms: [{ field: 'text' }] }));
  const been: unknown[] = [];
  const note = ({ target }: FocusEvent): void => void been.push(target);
  document.addEventListener('focusin', note);
  onTestFinished(() => document.removeEventListener('focusin', note));
  return { user, been, answer: () => act(async () => held.resolve()) };
}

const title = (): HTMLElement => screen.getByRole('heading', { level: 1, name: 'Library' });

test('a row of the previous list clicked during a search keeps the focus where it is found', async () => {
  const { user, been, answer } = await openSearching('update');
  await user.click(rows()[1] ?? table());
  await answer();
  await expectRows(['update.dll']);
  await waitFor(() => expect(document.activeElement).toBe(rows()[0]));
  expect(rows()[0]?.getAttribute('aria-current')).toBe('true');
  expect(been).not.toContain(title());
});

test('the focus stays in the list when that row is not found', async () => {
  const { user, been, answer } = await openSearching('update');
  await user.click(rows()[0] ?? table());
  await answer();
  await expectRows(['update.dll']);
  await waitFor(() => expect(document.activeElement).toBe(rows()[0]));
  expect(been).not.toContain(title());
});

test('the title has the focus when nothing is found, and keeps it when the next list has results', async () => {
  const { user, answer } = await openSearching('nothing');
  await user.click(rows()[0] ?? table());
  await answer();
  await waitFor(() => expect(document.activeElement).toBe(title()));
  type('update');
  await expectRows(['update.dll']);
  expect(document.activeElement).toBe(title());
});
