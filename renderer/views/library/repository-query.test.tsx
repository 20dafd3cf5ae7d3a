import '../../components/data-grid/layout.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import type { FoundPage } from '../../../shared/domain/server-record.ts';
import { fail } from '../../../shared/failure.ts';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import { factsOf } from '../../features/library/sample-facts.fixture.ts';
import type { GivenAnswers } from '../../test/memory-bridge.ts';
import { found as lookedUp } from '../../test/quiet-host.ts';
import { LibraryHost, serverSample } from './library-host.fixture.ts';
import { all, expectRows, field, openLibrary, some, type } from './open-library.fixture.tsx';

const pageOf = (numbers: readonly number[], more: Partial<FoundPage> = {}): FoundPage => ({
  found: numbers.map((number) => serverSample(number)),
  next: null,
  total: numbers.length,
  more: false,
  ...more,
});

type Search = OperationInput<'servers.searchByQuery'>['search'];

/** The library beside a repository that takes its queries. `asked`: those that it got. */
async function openBeside(answer: (search: Search) => FoundPage, more: GivenAnswers = {}) {
  const asked: Search[] = [];
  const opened = await openLibrary(new LibraryHost(some), {
    'servers.actions': () => ({
      mayUse: true,
      actions: (['getfiles', 'searchfiles'] as const).map((action) => ({
        service: 'repository',
        action,
        state: 'answers',
        seen: null,
      })),
    }),
    'servers.searchByQuery': ({ search }) => {
      asked.push(search);
      return answer(search);
    },
    ...more,
  });
  await expectRows(all);
  const open = async (): Promise<void> => opened.user.click(toggle());
  return { ...opened, asked, open };
}
const toggle = (): HTMLElement => screen.getByRole('button', { name: 'Also at the repository' });
const pane = (): HTMLElement => screen.getByRole('region', { name: 'Also at the repository' });
const search = (): HTMLElement => within(pane()).getByRole('button', { name: /^Search/ });
const said = (): string => within(pane()).getByRole('status').textContent ?? '';
const table = (): HTMLElement => screen.getByRole('grid', { name: 'Samples at the repository' });
const names = (): string[] =>
  within(table())
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('rowheader').textContent ?? '');
const first = { order: 'newest', after: null };

test('the repository gets the query of the library once a person presses Search, and not before', async () => {
  const { user, asked, open } = await openBeside(() => pageOf([]));
  await open();
  type('tag:family:emotet OR size:>1MB');
  await waitFor(() => expect(pane().textContent).toContain('Sends the query above, newest first.'));
  expect(asked).toEqual([]);
  await user.click(search());
  await waitFor(() => expect(asked).toEqual([{ query: 'tag:family:emotet OR size:>1MB', ...first }]));
  await waitFor(() => expect(said()).toBe('The repository has no sample for “tag:family:emotet OR size:>1MB”.'));
});

test('Enter in the search field searches the repository while its pane is open, else it goes to the rows', async () => {
  const { user, asked, open } = await openBeside(() => pageOf([9]));
  act(() => field().focus());
  await user.keyboard('{Enter}');
  expect(asked).toEqual([]);
  await open();
  act(() => field().focus());
  type('invoice');
  // What may follow is offered below a word: the first Enter closes that.
  if (field().getAttribute('aria-expanded') === 'true') await user.keyboard('{Enter}');
  expect(asked).toEqual([]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(asked).toEqual([{ query: 'invoice', ...first }]));
  await waitFor(() => expect(said()).toBe('1 sample at the repository, none of them here'));
  expect(document.activeElement).toBe(field());
});

test('samples are listed with those that are known here, and with how many match', async () => {
  const row = rowOf(2, { md5: '2'.padStart(32, '0') });
  const { user, open } = await openBeside(() => pageOf([1, 2], { next: 'b', total: 10_000, more: true }), {
    'library.facts': () => ({ samples: [{ ...factsOf(row), inVault: true }], next: null }),
  });
  await open();
  await user.click(search());
  const sentence = 'More than 10,000 samples at the repository. First 2 listed, 1 of them here.';
  await waitFor(() => expect(said()).toBe(sentence));
  const [one, two] = within(table()).getAllByRole('row').slice(1);
  expect(one?.textContent).not.toContain('In vault');
  expect(two?.textContent).toContain('In vault');
});

test('further pages follow by the mark of the page before, and no mark is followed twice', async () => {
  const pages: Readonly<Record<string, FoundPage>> = {
    null: pageOf([1, 2], { next: 'a', total: 5 }),
    a: pageOf([2, 3], { next: 'b', total: 5 }),
    b: pageOf([4], { next: 'a', total: 5 }),
  };
  const { user, asked, open } = await openBeside(({ after }) => pages[String(after)] ?? pageOf([]));
  await open();
  await user.click(search());
  const more = (): Promise<HTMLElement> => within(pane()).findByRole('button', { name: 'More' });
  await user.click(await more());
  await waitFor(() => expect(said()).toContain('5 samples at the repository. First 3 listed'));
  await user.click(await more());
  await waitFor(() => expect(said()).toContain('First 4 listed'));
  expect(names()).toHaveLength(4);
  expect(within(pane()).queryByRole('button', { name: 'More' })).toBeNull();
  expect(asked.map(({ after }) => after)).toEqual([null, 'a', 'b']);
  // Pressed once more, it begins with the first page.
  await user.click(search());
  await waitFor(() => expect(asked.map(({ after }) => after)).toEqual([null, 'a', 'b', null]));
  await waitFor(() => expect(names()).toHaveLength(2));
});

test('results of an earlier query or order say so until the search is sent again', async () => {
  const { user, asked, open } = await openBeside(() => pageOf([1]));
  await open();
  await user.click(search());
  await waitFor(() => expect(names()).toHaveLength(1));
  type('invoice');
  await waitFor(() =>
    expect(pane().textContent).toContain('Results for all samples, newest first, not for the current search.'),
  );
  expect(names()).toHaveLength(1);
  await user.click(within(pane()).getByRole('button', { name: 'Search again' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ query: 'invoice', ...first }));
  await waitFor(() => expect(pane().textContent).not.toContain('Results for'));
  await expectRows(['invoice.scr']);
  const library = screen.getByRole('grid', { name: 'Samples in the library' });
  await user.click(within(library).getByRole('columnheader', { name: /^Size/ }));
  await waitFor(() => expect(pane().textContent).toContain('Results for “invoice”, newest first'));
  await user.click(within(pane()).getByRole('button', { name: 'Search again' }));
  await waitFor(() => expect(asked.at(-1)?.order).toMatch(/^(largest|smallest)$/));
  expect(asked).toHaveLength(3);
});

test('a query that cannot be read is not sent', async () => {
  const { user, asked, open } = await openBeside(() => pageOf([1]));
  await open();
  type('sise:1');
  await waitFor(() => expect(search()).toHaveProperty('disabled', true));
  expect(pane().textContent).toContain('Invalid query. See the message under the search field.');
  act(() => field().focus());
  await user.keyboard('{Enter}{Enter}');
  expect(asked).toEqual([]);
});

const address = 'https://a.example/api.php';
test.each([
  ['a field that it does not have', 'The team lab cannot search “note:”. Remove it from the search.'],
  ['a search that takes too long', 'The search took too long. Add a term that finds fewer samples.'],
])('a repository that refuses %s is quoted, and the search can be sent again', async (_, sentence) => {
  let refuses = true;
  const { user, open } = await openBeside(() =>
    refuses
      ? fail({ kind: 'request-refused', service: 'repository', address, status: 400, text: sentence })
      : pageOf([1]),
  );
  await open();
  await user.click(search());
  const alert = await within(pane()).findByRole('alert');
  expect(alert.textContent).toContain(sentence);
  expect(said()).toBe('');
  refuses = false;
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(names()).toHaveLength(1));
});

test('a sample is opened with the keyboard alone, and its row has the focus on return, with one request', async () => {
  const looked: string[] = [];
  const { user, asked } = await openBeside(() => pageOf([1, 2, 3]), {
    'samples.lookup': ({ hash }) => {
      looked.push(hash);
      return lookedUp;
    },
  });
  act(() => toggle().focus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(search()));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(names()).toHaveLength(3));
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await waitFor(() => expect(looked).toEqual([serverSample(2).md5]));
  await user.click(screen.getByRole('button', { name: /^Library/ }));
  await waitFor(() => expect(names()).toHaveLength(3));
  await waitFor(() => expect(document.activeElement?.textContent).toContain('server 2.exe'));
  expect(asked).toHaveLength(1);
});
