import '../components/data-grid/layout.fixture.ts';
import '../test/page-surroundings.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { latestFirst, type LibraryTotal, type SavedView } from '../../shared/domain/library.ts';
import { fail } from '../../shared/failure.ts';
import type { GivenAnswers } from '../test/memory-bridge.ts';
import { open } from '../test/open-page.fixture.tsx';

const viewOf = (id: number, name: string, query: string): SavedView => ({
  id,
  name,
  query,
  sort: latestFirst,
  columns: null,
});
const three = [
  viewOf(1, 'Emotet', 'tag:family:emotet'),
  viewOf(2, 'Large', 'size:>1MB'),
  viewOf(3, 'Broken', 'size:big'),
];

/** A host that keeps views, and finds 38 samples by a tag and 4 by anything else. */
async function openViews(begin: SavedView[] = three, more: GivenAnswers = {}) {
  let views = begin;
  let newest = 8;
  const answers: GivenAnswers = {
    'library.count': () => ({ samples: 50, inVault: 0, vaultBytes: 0 }),
    'library.totals': ({ queries }) => ({
      totals: queries.map(([term]): LibraryTotal => ({ samples: term?.field === 'tag' ? 38 : 4, bytes: 0 })),
    }),
    'views.list': () => ({ views }),
    'views.save': ({ id, ...view }) => {
      newest += id === null ? 1 : 0;
      const saved = { ...view, id: id ?? newest };
      views = id === null ? [...views, saved] : views.map((each) => (each.id === id ? saved : each));
      return report(saved);
    },
    'views.rename': ({ id, name }) => {
      views = views.map((each) => (each.id === id ? { ...each, name } : each));
      return report(views.find((each) => each.id === id) ?? fail({ kind: 'view-missing', id }));
    },
    'views.remove': ({ id }) => {
      views = views.filter((view) => view.id !== id);
      return report({});
    },
    'views.move': ({ id, before }) => {
      const others = views.filter((view) => view.id !== id);
      const at = others.findIndex((view) => view.id === before);
      views = others.toSpliced(at < 0 ? others.length : at, 0, ...views.filter((view) => view.id === id));
      return report({});
    },
  };
  const page = await open({ ...answers, ...more });
  function report<T>(answer: T): T {
    act(() => page.bridge.emit('views.changed', {}));
    return answer;
  }
  await screen.findByRole('region', { name: 'Saved views' });
  return page;
}

const section = (): HTMLElement => screen.getByRole('region', { name: 'Saved views' });
const lines = (): (string | null)[] =>
  within(section())
    .getAllByRole('listitem')
    .map((line) => within(line).getAllByRole('button')[0]?.textContent ?? null);
const view = (name: RegExp): HTMLElement => within(section()).getByRole('button', { name });
const said = (): string | null =>
  within(screen.getByRole('navigation', { name: 'Views' })).getByRole('status').textContent;
const field = (): HTMLInputElement => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search samples' });

test('each view shows its current count, and an unreadable one reports that', async () => {
  await openViews();
  await waitFor(() => expect(lines()).toEqual(['Emotet 38', 'Large 4', 'Broken –']));
  expect(view(/^Emotet, 38 samples$/)).toBeDefined();
  expect(view(/^Broken, invalid query$/)).toBeDefined();
});

test('the full name of a view is available as a tooltip when the sidebar truncates it', async () => {
  const name = 'Everything of the campaign against the northern offices';
  await openViews([viewOf(1, name, 'size:>1MB')]);
  expect(within(section()).getByTitle(name).textContent).toBe(name);
});

test('opening a view puts its query in the library and marks it', async () => {
  const { user } = await openViews();
  await user.click(view(/^Large/));
  await screen.findByRole('heading', { level: 1, name: 'Library' });
  expect(field().value).toBe('size:>1MB');
  expect(view(/^Large/).getAttribute('aria-current')).toBe('true');
});

test('a view with an invalid query shows how to fix it', async () => {
  const { user } = await openViews();
  await user.click(view(/^Broken/));
  expect(await screen.findByText('Invalid query in “Broken”')).toBeDefined();
  expect(field().getAttribute('aria-invalid')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Remove view' }));
  await waitFor(() => expect(lines()).toEqual(['Emotet 38', 'Large 4']));
});

test('views are moved, renamed and removed by key, and a removed one returns to its position on undo', async () => {
  const { user } = await openViews();
  await waitFor(() => expect(lines()[1]).toBe('Large 4'));
  view(/^Large/).focus();
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await waitFor(() => expect(lines()).toEqual(['Large 4', 'Emotet 38', 'Broken –']));
  view(/^Large/).focus();
  await user.keyboard('{F2}');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  fireEvent.change(name, { target: { value: 'Larger' } });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(lines()[0]).toBe('Larger 4'));
  view(/^Larger/).focus();
  await user.keyboard('{Delete}');
  await waitFor(() => expect(lines()).toEqual(['Emotet 38', 'Broken –']));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(lines()).toEqual(['Larger 4', 'Emotet 38', 'Broken –']));
});

const four = ['Emotet', 'Large', 'Small', 'Old'].map((name, at) => viewOf(at + 1, name, 'size:>1MB'));
const names = (): (string | undefined)[] => lines().map((line) => line?.split(' ')[0]);

test.each(['the last first', 'the first first'])(
  'views removed one after the other all return to their positions: %s',
  async (order) => {
    const { user } = await openViews(four);
    await waitFor(() => expect(names()).toEqual(['Emotet', 'Large', 'Small', 'Old']));
    view(/^Large/).focus();
    await user.keyboard('{Delete}');
    await waitFor(() => expect(names()).toEqual(['Emotet', 'Small', 'Old']));
    await user.keyboard('{Delete}');
    await waitFor(() => expect(names()).toEqual(['Emotet', 'Old']));
    view(/^Emotet/).focus();
    await user.keyboard('{Delete}');
    await waitFor(() => expect(names()).toEqual(['Old']));
    for (let left = 3; left > 0; left -= 1) {
      const undos = screen.getAllByRole('button', { name: 'Undo' });
      expect(undos).toHaveLength(left);
      await user.click(undos.at(order === 'the last first' ? -1 : 0) ?? document.body);
      await waitFor(() => expect(names()).toHaveLength(5 - left));
    }
    await waitFor(() => expect(names()).toEqual(['Emotet', 'Large', 'Small', 'Old']));
    expect(screen.queryByText(/was restored at the end of the list/)).toBeNull();
  },
);

test('a held Delete removes one view, and F2 opens one dialog', async () => {
  const { bridge } = await openViews();
  view(/^Large/).focus();
  for (const repeat of [false, true]) fireEvent.keyDown(view(/^Large/), { key: 'Delete', repeat });
  await waitFor(() => expect(lines()).toHaveLength(2));
  await waitFor(() => expect(document.activeElement).toBe(view(/^Broken/)));
  fireEvent.keyDown(view(/^Broken/), { key: 'Delete', repeat: true });
  fireEvent.keyDown(view(/^Broken/), { key: 'F2', repeat: true });
  expect([bridge.inputsOf('views.remove'), screen.queryByRole('dialog')]).toEqual([[{ id: 2 }], null]);
});

test('restoring a removed view reports a reused name, and works once the name is free', async () => {
  let isTaken = true;
  const { user } = await openViews(three, {
    'views.save': ({ id, ...draft }) => (isTaken ? fail({ kind: 'view-name-taken' }) : { ...draft, id: id ?? 9 }),
  });
  view(/^Large/).focus();
  await user.keyboard('{Delete}');
  await waitFor(() => expect(lines()).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Large was not restored: Another saved view has this name');
  isTaken = false;
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
});

test('a restored view reports its position when it could not be put back in place', async () => {
  const { user } = await openViews(three, { 'views.move': () => fail({ kind: 'view-missing', id: 3 }) });
  view(/^Large/).focus();
  await user.keyboard('{Delete}');
  await waitFor(() => expect(lines()).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText(/^Large was restored at the end of the list: /);
});

test('a search is saved under a name, and replaces the query of an existing view of that name', async () => {
  const { user, bridge } = await openViews(three.slice(0, 1));
  await user.click(view(/^Emotet/));
  await screen.findByRole('heading', { level: 1, name: 'Library' });
  fireEvent.change(field(), { target: { value: 'tag:family:qakbot', selectionStart: 17 } });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save view…' }).hasAttribute('disabled')).toBe(false));
  await user.click(screen.getByRole('button', { name: 'Save view…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Save this search as a view?' });
  await user.click(within(dialog).getByRole('button', { name: 'Update view' }));
  await waitFor(() =>
    expect(bridge.inputsOf('views.save')).toMatchObject([{ id: 1, name: 'Emotet', query: 'tag:family:qakbot' }]),
  );
});

test('unreadable saved views are reported in their place, and read again', async () => {
  let isBroken = true;
  const { user } = await openViews(three, {
    'views.list': () => (isBroken ? fail({ kind: 'host-gone' }) : { views: three }),
  });
  await within(section()).findByRole('alert');
  isBroken = false;
  await user.click(within(section()).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(lines()).toHaveLength(3));
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-current')).toBe('page'));
});

test('a view is marked as long as its query is the one in the field', async () => {
  const { user } = await openViews();
  await user.click(view(/^Large/));
  await screen.findByRole('heading', { level: 1, name: 'Library' });
  fireEvent.change(field(), { target: { value: 'size:>2MB', selectionStart: 9 } });
  await waitFor(() => expect(view(/^Large/).getAttribute('aria-current')).toBeNull());
  fireEvent.change(field(), { target: { value: 'size:>1MB', selectionStart: 9 } });
  await waitFor(() => expect(view(/^Large/).getAttribute('aria-current')).toBe('true'));
});

test('a name of another view is refused, and one that could not be saved stays in its field', async () => {
  const { user, bridge } = await openViews(three, { 'views.rename': () => fail({ kind: 'view-missing', id: 2 }) });
  view(/^Large/).focus();
  await user.keyboard('{F2}');
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  fireEvent.change(name, { target: { value: 'Emotet ' } });
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Another view has this name')).toBeDefined();
  expect(bridge.inputsOf('views.rename')).toEqual([]);
  fireEvent.change(name, { target: { value: 'Larger' } });
  await user.keyboard('{Enter}');
  // The name alone: what it finds may be another by now.
  expect(bridge.inputsOf('views.rename')).toEqual([{ id: 2, name: 'Larger' }]);
  await within(screen.getByRole('dialog')).findByRole('alert');
  expect(name.value).toBe('Larger');
});

test('removing a view by its menu focuses the next one, or the previous when it was last', async () => {
  const { user } = await openViews();
  await user.click(screen.getByRole('button', { name: 'More actions for Large' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Remove/ }));
  await waitFor(() => expect(lines()).toHaveLength(2));
  await waitFor(() => expect(document.activeElement).toBe(view(/^Broken/)));
  await user.keyboard('{Delete}');
  await waitFor(() => expect(lines()).toHaveLength(1));
  expect(document.activeElement).toBe(view(/^Emotet/));
});

test('removing the last view moves the focus to its library', async () => {
  const { user } = await openViews(three.slice(0, 1));
  view(/^Emotet/).focus();
  await user.keyboard('{Delete}');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Saved views' })).toBeNull());
  expect(document.activeElement).toBe(
    within(screen.getByRole('navigation', { name: 'Views' })).getByRole('button', { name: /^Library/ }),
  );
});

test.each(['{F2}', '{Delete}', '{Alt>}{ArrowDown}{/Alt}'])(
  'the key %s inside the open menu of a view does nothing to the view',
  async (key) => {
    const { user, bridge } = await openViews();
    view(/^More actions for Large/).focus();
    await user.keyboard('{Enter}');
    const menu = await screen.findByRole('menu');
    await user.keyboard(key);
    expect(menu.isConnected).toBe(true);
    expect(screen.queryByRole('dialog', { name: /^Rename/ })).toBeNull();
    expect([...bridge.inputsOf('views.remove'), ...bridge.inputsOf('views.move')]).toEqual([]);
  },
);

test('the new position of a moved view is announced', async () => {
  const { user } = await openViews();
  view(/^Large/).focus();
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await waitFor(() => expect(said()).toBe('Large, 1 of 3'));
  view(/^Emotet/).focus();
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await waitFor(() => expect(said()).toBe('Emotet, 3 of 3'));
});

test('a view that could not be removed keeps the focus', async () => {
  const { user } = await openViews(three, { 'views.remove': () => fail({ kind: 'host-gone' }) });
  view(/^Large/).focus();
  await user.keyboard('{Delete}');
  await screen.findByText(/^The saved view was not changed/);
  expect(document.activeElement).toBe(view(/^Large/));
});
