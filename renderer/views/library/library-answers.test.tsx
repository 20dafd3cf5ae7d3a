import '../../components/data-grid/layout.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import { fail } from '../../../shared/failure.ts';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import { LibraryHost } from './library-host.fixture.ts';
import {
  actions,
  all,
  expectRows,
  field,
  names,
  openLibrary,
  rows,
  some,
  table,
  type,
} from './open-library.fixture.tsx';

/** A library whose lists are answered when they are let go. */
async function openHeld(host = new LibraryHost(some)) {
  const list = host.answers['library.list'];
  let held: (() => void)[] | null = null;
  const page = await openLibrary(host, {
    'library.list': async (input: OperationInput<'library.list'>) => {
      if (held !== null) await new Promise<void>((resolve) => held?.push(resolve));
      return list?.(input) ?? fail({ kind: 'host-gone' });
    },
  });
  const asked = (): number => page.bridge.inputsOf('library.list').length;
  return {
    ...page,
    hold: () => {
      held = [];
    },
    letGo: () =>
      act(async () => {
        const waiting = held ?? [];
        held = null;
        for (const answer of waiting) answer();
      }),
    /** A query whose answer is on its way. */
    typeHeld: async (query: string) => {
      held = [];
      const before = asked();
      type(query);
      await waitFor(() => expect(asked()).toBeGreaterThan(before));
    },
  };
}

test('actions have no target and nothing is ticked while another search runs', async () => {
  const { user, typeHeld, letGo } = await openHeld();
  await expectRows(all);
  type('invoice');
  await expectRows(['invoice.scr']);
  rows()[0]?.focus();
  await typeHeld('size:>0');
  await user.click(rows()[0] ?? table());
  await user.keyboard('{Control>}a{/Control}{Delete}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(
    within(actions())
      .getByRole('button', { name: /^Forget/ })
      .hasAttribute('disabled'),
  ).toBe(true);
  expect(screen.getByRole('button', { name: 'Export all…' }).hasAttribute('disabled')).toBe(true);
  await letGo();
  await expectRows(all);
  expect(within(actions()).queryByText(/selected/)).toBeNull();
});

test('forgetting a selection that grew during the prompt requires a new confirmation', async () => {
  const host = new LibraryHost(some);
  const { user, bridge } = await openLibrary(host);
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{Control>}a{/Control}{Delete}');
  const question = await screen.findByRole('alertdialog', { name: 'Forget 4 samples?' });
  host.rows = [...some, rowOf(9)];
  await user.click(within(question).getByRole('button', { name: 'Forget 4 samples' }));
  expect(await within(question).findByText('The selection now has 5 samples, not 4')).toBeDefined();
  expect(host.rows).toHaveLength(5);
  expect(screen.getByRole('alertdialog', { name: 'Forget 5 samples?' })).toBe(question);
  await user.click(within(question).getByRole('button', { name: 'Forget 5 samples' }));
  await waitFor(() => expect(host.rows).toEqual([]));
  expect(bridge.inputsOf('library.forget')).toMatchObject([{ expected: { samples: 4 } }, { expected: { samples: 5 } }]);
});

test(
  'forgetting refuses a selection of as many but different samples than at the prompt',
  { tags: ['long'] },
  async () => {
    const host = new LibraryHost(some);
    const { user } = await openLibrary(host);
    await expectRows(all);
    rows()[0]?.focus();
    await user.keyboard('{Control>}a{/Control}{Delete}');
    const question = await screen.findByRole('alertdialog', { name: 'Forget 4 samples?' });
    expect(
      await within(question).findByText('Applies to the 4 samples found now, not to samples added later.'),
    ).toBeDefined();
    host.rows = [...some.slice(1), rowOf(9)];
    await user.click(within(question).getByRole('button', { name: 'Forget 4 samples' }));
    expect(await within(question).findByText('The selection now has different samples')).toBeDefined();
    expect(host.rows).toHaveLength(4);
    await user.click(within(question).getByRole('button', { name: 'Forget 4 samples' }));
    await waitFor(() => expect(host.rows).toEqual([]));
  },
);

test('the prompt about one sample names it, and so does the note', async () => {
  const { user } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{Delete}');
  await user.click(
    within(await screen.findByRole('alertdialog', { name: 'Forget “invoice.scr”?' })).getByRole('button', {
      name: 'Cancel',
    }),
  );
  await user.click(within(actions()).getByRole('button', { name: 'Note…' }));
  expect(await screen.findByRole('dialog', { name: 'Add to the note of “invoice.scr”' })).toBeDefined();
});

test('the current row stays current only when another search found it, too', async () => {
  await openLibrary();
  await expectRows(all);
  rows()[1]?.focus();
  type('size:>1MB');
  await expectRows(['update.dll']);
  expect(within(actions()).getByText('update.dll')).toBeDefined();
  field().focus();
  type('invoice');
  await expectRows(['invoice.scr']);
  expect(within(actions()).getByText('No sample selected')).toBeDefined();
  expect(screen.queryByRole('complementary', { name: 'Selected sample' })).toBeNull();
});

test('an empty result is shown with the query it belongs to', async () => {
  const { typeHeld, letGo } = await openHeld();
  await expectRows(all);
  type('nosuch');
  await screen.findByText(/^No sample matches nosuch/);
  await typeHeld('invoice');
  expect(screen.queryByText(/^No sample matches invoice/)).toBeNull();
  await letGo();
  await expectRows(['invoice.scr']);
});

test('the library is not called empty before its first answer, and the field stays during typing', async () => {
  const host = new LibraryHost(some);
  const list = host.answers['library.list'];
  await openLibrary(host, {
    'library.list': (input) => (input.terms.length === 0 || list === undefined ? new Promise(() => {}) : list(input)),
  });
  type('nosuch');
  await screen.findByText(/^No sample matches nosuch/);
  field().focus();
  type('');
  await screen.findByText('Searching…');
  expect(screen.queryByText('The library is empty')).toBeNull();
  expect(document.activeElement).toBe(field());
});

test('Enter in the query searches at once, and moves to the first row of the result', async () => {
  const { user, hold, letGo } = await openHeld();
  await expectRows(all);
  hold();
  field().focus();
  type('update');
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(field());
  expect(names()).toEqual(all);
  await letGo();
  await waitFor(() => expect(names()).toEqual(['update.dll']));
  await waitFor(() => expect(document.activeElement).toBe(rows()[0]));
  expect(within(actions()).getByText('update.dll')).toBeDefined();
});

test('the focus stays in the query when typing continues after Enter', async () => {
  const { user, hold, letGo } = await openHeld();
  await expectRows(all);
  hold();
  field().focus();
  type('update');
  await user.keyboard('{Enter}');
  type('update size:>0');
  await letGo();
  await waitFor(() => expect(names()).toEqual(['update.dll']));
  expect(document.activeElement).toBe(field());
});

test('a range up to the last row covers its rows, and not later results of the query', { tags: ['long'] }, async () => {
  const { user, bridge } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{Shift>}{End}{/Shift}');
  expect(within(actions()).getByText('4 selected')).toBeDefined();
  await user.keyboard('{Delete}');
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Forget 4 samples' }));
  await waitFor(() => expect(bridge.inputsOf('library.forget')).toMatchObject([{ selection: { kind: 'named' } }]));
});

test('actions after another search use the row shown as current, never one that it did not find', async () => {
  const { user, bridge } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{ArrowDown}');
  expect(within(actions()).getByText('update.dll')).toBeDefined();
  field().focus();
  type('invoice');
  await expectRows(['invoice.scr']);
  expect(within(actions()).getByText('No sample selected')).toBeDefined();
  expect(within(actions()).getByRole('button', { name: /^Tag/ }).hasAttribute('disabled')).toBe(true);
  rows()[0]?.focus();
  type('size:>0');
  await expectRows(all);
  expect(within(actions()).getByText('invoice.scr')).toBeDefined();
  expect(rows()[0]?.getAttribute('aria-current')).toBe('true');
  await user.click(within(actions()).getByRole('button', { name: /^TLP/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'RED' }));
  await waitFor(() =>
    expect(bridge.inputsOf('library.change')).toMatchObject([
      { selection: { kind: 'named', hashes: [some[0]?.hash] } },
    ]),
  );
});

test('actions move to the replacing row when the focused row leaves the list', async () => {
  const { user, host, bridge } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{ArrowDown}');
  host.rows = some.filter(({ name }) => name !== 'update.dll');
  act(() => bridge.emit('library.changed', {}));
  await expectRows(['invoice.scr', 'No name', 'gone.exe']);
  await waitFor(() => expect(document.activeElement).toBe(rows()[1]));
  await waitFor(() => expect(within(actions()).queryByText('update.dll')).toBeNull());
  expect(rows()[1]?.getAttribute('aria-current')).toBe('true');
  await user.keyboard('l');
  await user.click(await screen.findByRole('menuitem', { name: 'RED' }));
  await waitFor(() =>
    expect(bridge.inputsOf('library.change')).toMatchObject([
      { selection: { kind: 'named', hashes: [some[2]?.hash] } },
    ]),
  );
});

test(
  'a row clicked before the list is read again on return becomes current and has the focus',
  { tags: ['long'] },
  async () => {
    const { user, hold, letGo } = await openHeld();
    await expectRows(all);
    await user.click(rows()[2] ?? table());
    await user.click(screen.getByRole('button', { name: 'Look up' }));
    hold();
    await user.click(screen.getByRole('button', { name: /^Library/ }));
    await waitFor(() => expect(rows()).toHaveLength(4));
    await user.click(rows()[0] ?? table());
    await letGo();
    await expectRows(all);
    // The rows are the earlier ones: that they are drawn proves nothing about the answer.
    await waitFor(() =>
      expect(rows().map((row) => row.getAttribute('aria-current'))).toEqual(['true', null, null, null]),
    );
    expect(document.activeElement).toBe(rows()[0]);
  },
);
