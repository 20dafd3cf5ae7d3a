import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { all, expectRows, openLibrary, rows } from './open-library.fixture.tsx';

afterEach(cleanup);

/** The library with its second row as the current one. */
async function openAtRow(): Promise<UserEvent> {
  const { user } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{ArrowDown}');
  return user;
}

const expectAtRow = (): Promise<void> => waitFor(() => expect(document.activeElement).toBe(rows()[1]));

test.each([['l', 'menu'], ['c', 'menu'], ['t', 'dialog']])('what the key %s opens gives the focus back to the row it was opened from', async (key, role) => {
  const user = await openAtRow();
  await user.keyboard(key);
  await screen.findByRole(role);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole(role)).toBeNull());
  await expectAtRow();
});

test.each(['l', 'c'])('the menu that the key %s opens begins with its first choice, and Enter makes it', async (key) => {
  const user = await openAtRow();
  await user.keyboard(key);
  await screen.findByRole('menu');
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('menuitem')[0]));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await expectAtRow();
});

test('a menu that the palette opens begins with its first choice, too', async () => {
  const user = await openAtRow();
  await user.keyboard('{Control>}k{/Control}');
  fireEvent.change(await screen.findByRole('combobox', { name: /run a command$/ }), { target: { value: 'TLP' } });
  await screen.findByRole('option', { name: /^TLP/, selected: true });
  await user.keyboard('{Enter}');
  await screen.findByRole('menu');
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('menuitem')[0]));
});

test('a choice of a menu that a key opened leaves the focus at the row', async () => {
  const user = await openAtRow();
  await user.keyboard('l');
  await user.click(await screen.findByRole('menuitem', { name: 'RED' }));
  await expectAtRow();
});

test('a menu that was opened by its button gives the focus back to the button', async () => {
  const user = await openAtRow();
  const button = screen.getByRole('button', { name: /^TLP/ });
  await user.click(button);
  await screen.findByRole('menu');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test.each(['by the pointer', 'by a key'])('Undo that was pressed %s leads back to the row one came from', async (way) => {
  const user = await openAtRow();
  await user.keyboard('t');
  await user.type(await screen.findByRole('combobox', { name: 'Tags of this desk' }), 'seen{Enter}');
  await screen.findByText('seen given to 1 sample');
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
