import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import '../../components/data-grid/layout.fixture.ts';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import '../../test/page-surroundings.ts';
import { LibraryHost } from './library-host.fixture.ts';
import {
  actions,
  all,
  described,
  expectRows,
  field,
  names,
  openLibrary,
  rows,
  some,
  table,
  type,
} from './open-library.fixture.tsx';

test('every sample is a row, and its problems are shown on it', async () => {
  await openLibrary();
  await expectRows(all);
  expect(screen.getByText('4 samples')).toBeDefined();
  expect(within(rows()[3] ?? table()).getByLabelText('Missing')).toBeDefined();
  expect(within(rows()[0] ?? table()).getByText('emotet')).toBeDefined();
});

test.each([
  ['missing', 'Missing'],
  ['altered', 'Modified'],
] as const)('a copy that is %s is in no row as one that is whole', async (vault, words) => {
  await openLibrary(new LibraryHost([rowOf(1, { name: 'a.exe', vault }), rowOf(2, { name: 'b.exe', vault: 'held' })]));
  await expectRows(['a.exe', 'b.exe']);
  const [damaged, whole] = rows();
  expect(within(damaged ?? table()).getAllByText(words).length).toBeGreaterThan(0);
  expect([damaged, whole].map((row) => row?.querySelector('.lucide-shield-check') !== null)).toEqual([false, true]);
});

test('a TLP that was never fetched is distinguished from no TLP', async () => {
  const { user } = await openLibrary(
    new LibraryHost([rowOf(1, { name: 'asked.exe' }), rowOf(2, { name: 'fetched.exe', isRecorded: false })]),
  );
  await expectRows(['asked.exe', 'fetched.exe']);
  const said = (): (string | null)[] =>
    rows().map((row) => within(row).queryByTitle(/^TLP unknown/)?.textContent ?? null);
  expect(said()).toEqual([null, 'unknown']);
  await user.click(within(rows()[1] ?? table()).getByText('fetched.exe'));
  const pane = await screen.findByRole('complementary', { name: 'Selected sample' });
  await waitFor(() => expect(within(pane).getByText('unknown: no record fetched yet')).toBeDefined());
  await user.click(within(rows()[0] ?? table()).getByText('asked.exe'));
  await waitFor(() => expect(within(pane).getByText('none')).toBeDefined());
});

test('a search runs during typing, and shows the found and the total number', async () => {
  await openLibrary();
  await expectRows(all);
  type('size:>1MB');
  await expectRows(['update.dll']);
  expect(screen.getByText('1 of 4 samples')).toBeDefined();
  expect(screen.getByText('6 ms')).toBeDefined();
});

test('a broken hash is pasted whole, and any other text unchanged', async () => {
  const { user } = await openLibrary();
  await expectRows(all);
  const sha256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
  await user.click(field());
  await user.paste(`${sha256.slice(0, 32)}-\n${sha256.slice(32)}`);
  expect(field().value).toBe(sha256);
  await user.clear(field());
  await user.paste('tag:emotet');
  expect(field().value).toBe('tag:emotet');
});

test('a failed read is reported in place, and earlier results stay', async () => {
  await openLibrary();
  type('size:>1MB');
  await expectRows(['update.dll']);
  type('size:>1MB size:big');
  await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'));
  const said = document.getElementById(field().getAttribute('aria-describedby') ?? '');
  expect(said?.textContent).toMatch(
    /^big Invalid size.*For example: size:10kB..2MiB\. Showing results for size:>1MB.$/,
  );
  expect(names()).toEqual(['update.dll']);
  expect(screen.getByRole('grid').closest('[data-pane]')?.className).toMatch(/outdated/);
  for (const action of screen.getAllByRole<HTMLButtonElement>('button', { name: /^Export/ }))
    expect(action.disabled).toBe(true);
});

test('a query that may be continued is no mistake while it is typed', { tags: ['long'] }, async () => {
  const { user } = await openLibrary();
  await expectRows(all);
  await user.click(field());
  await user.keyboard('update OR ');
  await waitFor(() => expect(described()).toMatch(/^OR “OR” needs a term on each side/));
  expect(field().getAttribute('aria-invalid')).toBeNull();
  await user.tab();
  await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'));
});

test('what was meant takes the place of a mistake at one press', { tags: ['long'] }, async () => {
  const { user } = await openLibrary();
  type('sise:>1MB');
  await user.click(await screen.findByRole('button', { name: 'Use size:>1MB' }));
  expect(field().value).toBe('size:>1MB');
  expect(document.activeElement).toBe(field());
  await expectRows(['update.dll']);
});

test('an invalid query hides the empty result of an earlier one', { tags: ['long'] }, async () => {
  const { user } = await openLibrary();
  type('nothing');
  expect(await screen.findByText('No samples found')).toBeDefined();
  type('nothing size:big');
  expect(await screen.findByText('Invalid query')).toBeDefined();
  expect(screen.getByText('See the message under the search field.')).toBeDefined();
  expect(screen.queryByText(/No samples found|of 4 samples|^\d+ ms$/)).toBeNull();
  expect(described()).toMatch(/^big Invalid size[^]*MiB$/);
  await user.click(screen.getByRole('button', { name: 'Show all samples' }));
  await expectRows(all);
});

test(
  'the problem of a query is shown below the suggestions, and not as a mistake yet',
  { tags: ['long'] },
  async () => {
    const { user } = await openLibrary();
    await expectRows(all);
    await user.click(field());
    await user.keyboard('size:big ta');
    await screen.findByRole('listbox');
    await waitFor(() => expect(described()).toMatch(/^big Invalid size/));
    expect(screen.getByRole('listbox')).toBeDefined();
    expect(field().getAttribute('aria-invalid')).toBeNull();
    expect(screen.getByText('All samples are shown.', { exact: false })).toBeDefined();
  },
);

test('fields and local values are suggested and chosen by key', async () => {
  const { user } = await openLibrary();
  await expectRows(all);
  await user.click(field());
  await user.keyboard('ta');
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent?.slice(0, 4))).toEqual(['tag:']);
  await user.keyboard('{Tab}');
  expect(field().value).toBe('tag:');
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
    'family:emotet',
    'family:ashveil',
  ]);
  await user.keyboard('{ArrowDown}');
  expect(field().getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[0]?.id);
  await user.keyboard('{Enter}');
  expect(field().value).toBe('tag:family:emotet ');
  await expectRows(['invoice.scr']);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
});

test('suggestions after a space appear only on request', { tags: ['long'] }, async () => {
  const { user } = await openLibrary();
  await user.click(field());
  await user.keyboard('ta');
  await screen.findByRole('listbox');
  await user.keyboard('{Backspace}{Backspace}size:>1MB ');
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  await user.keyboard('{Control>} {/Control}');
  expect((await screen.findAllByRole('option')).length).toBeGreaterThan(10);
  await user.keyboard('ta');
  await waitFor(() =>
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent?.slice(0, 4))).toEqual(['tag:']),
  );
});

test('the part of a query that excludes all results can be removed when nothing is found', async () => {
  const { user } = await openLibrary();
  type('update size:>1GB');
  expect(
    await screen.findByText('No sample matches update size:>1GB. size:>1GB alone matches no sample.'),
  ).toBeDefined();
  await user.click(screen.getByRole('button', { name: /^Without size:>1GB/ }));
  expect(field().value).toBe('update');
  await expectRows(['update.dll']);
  expect(document.activeElement).toBe(field());
});

test('text typed before a query was set is not searched for again', { tags: ['long'] }, async () => {
  await openLibrary();
  type('update size:>1GB');
  const without = await screen.findByRole('button', { name: /^Without size:>1GB/ });
  fireEvent.click(without);
  type('size:big');
  await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'));
  await waitFor(() => expect(names()).toEqual(['update.dll']));
});

test('an empty library leads to the look-up', async () => {
  const { user } = await openLibrary(new LibraryHost([]));
  await user.click(await screen.findByRole('button', { name: 'Look up a sample' }));
  expect(await screen.findByRole('textbox', { name: 'Hash, or text with hashes' })).toBeDefined();
});

test('a list that cannot be read shows the reason, and is read again', async () => {
  let isBroken = true;
  const host = new LibraryHost(some);
  const list = host.answers['library.list'];
  const { user } = await openLibrary(host, {
    'library.list': (input) => (isBroken || list === undefined ? fail({ kind: 'host-gone' }) : list(input)),
  });
  await screen.findByRole('alert');
  isBroken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(names()).toEqual(all));
});

test('a shown list is read again when another request of this view replaced its own', async () => {
  const askers: unknown[] = [];
  const host = new LibraryHost(some);
  const list = host.answers['library.list'];
  await openLibrary(host, {
    'library.list': (input) =>
      askers.push(input.asker) < 3 || list === undefined ? fail({ kind: 'cancelled' }) : list(input),
  });
  await expectRows(all);
  expect(askers).toEqual([expect.any(String), askers[0], askers[0]]);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a list whose request is replaced repeatedly reports that', async () => {
  const { user, bridge } = await openLibrary(new LibraryHost(some), {
    'library.list': () => fail({ kind: 'cancelled' }),
  });
  await screen.findByRole('alert');
  const asked = bridge.inputsOf('library.list').length;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(bridge.inputsOf('library.list').length).toBeGreaterThan(asked));
});

test('a failed ticking of rows in a range is reported with its reason', { tags: ['long'] }, async () => {
  const host = new LibraryHost(
    Array.from({ length: 700 }, (_, index) => rowOf(index + 1, { name: `sample ${index + 1}` })),
  );
  const list = host.answers['library.list'];
  const { user } = await openLibrary(host, {
    'library.list': (input) => (input.limit !== 100 || list === undefined ? fail({ kind: 'host-gone' }) : list(input)),
  });
  await waitFor(() => expect(names()[0]).toBe('sample 1'));
  rows()[1]?.focus();
  await user.keyboard('{Shift>}{End}{/Shift}');
  expect(await screen.findByText(/^Some samples could not be selected: /)).toBeDefined();
});

test('ticked samples are counted and tagged, skipped ones listed, and Undo removes only the new tags', async () => {
  const { user, host } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('x{ArrowDown}x{ArrowDown}x');
  expect(within(actions()).getByText('3 selected')).toBeDefined();
  await user.keyboard('t');
  await user.type(await screen.findByRole('combobox', { name: 'Local tags for 3 samples' }), 'family:emotet{Enter}');
  expect(await screen.findByText('family:emotet added to 2 samples. 1 sample skipped: SHA-256 unknown')).toBeDefined();
  expect(host.rows.map(({ tags }) => tags.length)).toEqual([1, 1, 0, 0]);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(host.rows[1]?.tags).toEqual([]));
  expect(host.rows[0]?.tags).toContain('family:emotet');
});

test('actions on all found samples use the query, without the unticked ones', async () => {
  const { user, bridge } = await openLibrary();
  type('size:>1kB');
  await waitFor(() => expect(screen.getByText('4 of 4 samples')).toBeDefined());
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{Control>}a{/Control}x');
  expect(await within(actions()).findByText('3 selected')).toBeDefined();
  await user.keyboard('{Delete}');
  const question = await screen.findByRole('alertdialog', { name: 'Forget 3 samples?' });
  await waitFor(() => expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Cancel' })));
  await user.click(within(question).getByRole('radio', { name: /^All local data/ }));
  await user.click(within(question).getByRole('button', { name: 'Forget 3 samples' }));
  await waitFor(() =>
    expect(bridge.inputsOf('library.forget')).toEqual([
      {
        selection: {
          kind: 'query',
          terms: [{ field: 'size', negated: false, least: 1001, most: null }],
          except: [some[0]?.hash],
        },
        what: 'all',
        expected: { samples: 3, mark: expect.any(String) },
      },
    ]),
  );
});

test('two to four ticked samples are compared by a key, ticked one by one or all at once', async () => {
  const { user } = await openLibrary();
  await expectRows(all);
  await user.click(rows()[0] ?? table());
  const button = () => within(actions()).queryByRole('button', { name: /^Compare/ });
  await user.keyboard('x');
  expect(button()).toBeNull();
  await user.keyboard('{ArrowDown}xo');
  await screen.findByRole('dialog', { name: 'Compare 2 samples' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  act(() => rows()[0]?.focus());
  await user.keyboard('{Control>}a{/Control}');
  await waitFor(() => expect(within(actions()).getByText('4 selected')).toBeDefined());
  await user.keyboard('o');
  await screen.findByRole('dialog', { name: 'Compare 4 samples' });
});

test('another search clears the ticks of the one before', async () => {
  const { user } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{Control>}a{/Control}');
  expect(within(actions()).getByText('4 selected')).toBeDefined();
  type('update');
  await expectRows(['update.dll']);
  expect(within(actions()).queryByText(/selected/)).toBeNull();
});

test('the current row is previewed beside the list; Space hides it, Enter opens it, and the list stays', async () => {
  const { user } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{ArrowDown}');
  const pane = await screen.findByRole('complementary', { name: 'Selected sample' });
  expect(within(pane).getByRole('heading', { level: 2, name: 'update.dll' })).toBeDefined();
  expect(within(pane).getByText('5,000,000 bytes (4.77 MiB)')).toBeDefined();
  await user.keyboard(' ');
  expect(screen.queryByRole('complementary', { name: 'Selected sample' })).toBeNull();
  await user.keyboard(' {Enter}');
  await waitFor(() => expect(screen.queryByRole('grid', { name: 'Samples in the library' })).toBeNull());
  await screen.findByRole('heading', { name: 'update.dll' });
  await user.keyboard('{Escape}');
  await expectRows(all);
  await waitFor(() => expect(document.activeElement?.textContent).toContain('update.dll'));
});

test('samples missing from the vault are fetched as a job, present ones are not', async () => {
  const { user, bridge } = await openLibrary();
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{Control>}a{/Control}d');
  expect(
    await screen.findByText('Downloading 2 of 4 samples (job 218): the others are already in the vault'),
  ).toBeDefined();
  expect(bridge.inputsOf('bulk.add')).toEqual([{ id: 218, hashes: [some[2]?.md5, some[3]?.md5] }]);
});

test('columns are hidden and moved, and a header sorts the rows', async () => {
  const { user, bridge } = await openLibrary();
  await expectRows(all);
  await user.click(screen.getByRole('button', { name: 'Columns…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Columns' });
  await user.click(within(dialog).getByRole('checkbox', { name: 'TLP' }));
  await user.click(within(dialog).getByRole('button', { name: 'Move Size up' }));
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  const heads = within(table())
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);
  expect(heads.slice(0, 6)).toEqual(['Select all', 'SHA-256', 'Name', 'Size', 'Bytes', 'Tags']);
  await user.click(within(table()).getByRole('columnheader', { name: 'Size' }));
  await waitFor(() =>
    expect(bridge.inputsOf('library.list').at(-1)).toMatchObject({ sort: { by: 'size', descending: false } }),
  );
});

test('the list follows the library as it changes', async () => {
  const { bridge, host } = await openLibrary();
  await expectRows(all);
  host.rows = [rowOf(9, { name: 'new.js' }), ...some];
  act(() => bridge.emit('library.changed', {}));
  await waitFor(() => expect(names()).toEqual(['new.js', ...all]));
});

test('the preview lists a rule once for both engines, and marks one without strings', async () => {
  const hit = (rule: string, side: SampleHit['side'], matches: number): SampleHit => ({
    rule,
    side,
    matches,
    version: null,
    firstSeen: '2026-11-20T10:00:00.000Z',
    lastSeen: '2026-11-20T10:00:00.000Z',
    jobId: null,
    position: null,
    mute: null,
  });
  const host = new LibraryHost([rowOf(1, { name: 'invoice.scr', hits: 2 })]);
  await openLibrary(host, {
    'samples.hits': () => ({
      hits: [hit('loader', 'local', 3), hit('loader', 'service', 2), hit('small', 'local', 0)],
      known: null,
      lastScan: null,
    }),
  });
  await expectRows(['invoice.scr']);
  rows()[0]?.focus();
  const pane = await screen.findByRole('complementary', { name: 'Selected sample' });
  expect((await within(pane).findByText('loader')).closest('ul')?.textContent).toBe(
    'loader3 matchessmallcondition only',
  );
});
