import '../../components/data-grid/layout.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { OperationInput, OperationOutput } from '../../../shared/contract.ts';
import type { ActionState, WorkspaceActions } from '../../../shared/domain/server-action.ts';
import type { FoundSample } from '../../../shared/domain/server-record.ts';
import { fail } from '../../../shared/failure.ts';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import { factsOf } from '../../features/library/sample-facts.fixture.ts';
import type { GivenAnswers } from '../../test/memory-bridge.ts';
import { found as lookedUp } from '../../test/quiet-host.ts';
import { proposedSearch } from './at-repository.tsx';
import { LibraryHost, serverSample } from './library-host.fixture.ts';
import { all, expectRows, openLibrary, some, type } from './open-library.fixture.tsx';

const actions = (state: ActionState['state'], mayUse = true): WorkspaceActions => ({
  mayUse,
  actions: [{ service: 'repository', action: 'getfiles', state, seen: null }],
});
const page = (from: number, count: number): FoundSample[] =>
  Array.from({ length: count }, (_, at) => serverSample(from + at));

type Search = OperationInput<'servers.search'>['search'];
type Answer = OperationOutput<'servers.search'>;

/** The library beside a repository that can be searched. `asked`: the searches that it got. */
async function openBeside(answer: (search: Search) => Answer | Promise<Answer>, more: GivenAnswers = {}) {
  const asked: Search[] = [];
  const opened = await openLibrary(new LibraryHost(some), {
    'servers.actions': () => actions('answers'),
    'servers.search': ({ search }) => {
      asked.push(search);
      return answer(search);
    },
    ...more,
  });
  await expectRows(all);
  return { ...opened, asked };
}
const toggle = (): HTMLElement => screen.getByRole('button', { name: 'Also at the repository' });
const field = (): HTMLInputElement =>
  screen.getByRole<HTMLInputElement>('textbox', { name: 'Text to search for at the repository' });
const table = (): HTMLElement => screen.getByRole('grid', { name: 'Samples at the repository' });
const names = (): string[] =>
  within(table())
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('rowheader').textContent ?? '');
const pane = (): HTMLElement => screen.getByRole('region', { name: 'Also at the repository' });
const said = (): string => within(pane()).getByRole('status').textContent ?? '';
const nothing = (): Answer => ({ found: [], mayBeMore: false });

test('the repository is not asked before a person presses Search', async () => {
  const { user, asked } = await openBeside(nothing);
  type('invoice');
  await expectRows(['invoice.scr']);
  await user.click(toggle());
  expect(toggle().getAttribute('aria-expanded')).toBe('true');
  expect(field().value).toBe('invoice');
  expect(document.activeElement).toBe(field());
  await user.type(field(), ' 2026');
  expect(asked).toEqual([]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(asked).toEqual([{ field: 'name', text: 'invoice 2026', page: 1 }]));
  await waitFor(() => expect(said()).toBe('The repository has no sample with Name “invoice 2026”.'));
});

test('samples of the repository are listed as it describes them, with those that are known here', async () => {
  const samples = [
    serverSample(1, { md5: '2'.padStart(32, '0'), tags: ['family:emotet'], threat: 'Trojan\u202eFoo' }),
    serverSample(2, { name: 'evil\u202egpj.exe', md5: '9'.repeat(32), sizeBytes: null, date: null }),
  ];
  const row = rowOf(2, { md5: '2'.padStart(32, '0') });
  const facts: GivenAnswers['library.facts'] = ({ selection }) => {
    expect(selection).toEqual({ kind: 'named', hashes: samples.map(({ md5 }) => md5) });
    return { samples: [{ ...factsOf(row), inVault: true }], next: null };
  };
  const { user } = await openBeside(() => ({ found: samples, mayBeMore: false }), { 'library.facts': facts });
  await user.click(toggle());
  await user.type(field(), 'x{Enter}');
  await waitFor(() => expect(said()).toBe('2 samples'));
  const [first, second] = within(table()).getAllByRole('row').slice(1);
  await waitFor(() => expect(first?.textContent).toContain('In vault'));
  expect(first?.textContent).toContain('2.00 KiB');
  expect(first?.textContent).toContain('2026-11-30 03:23:30');
  expect(first?.textContent).not.toContain('\u202e');
  expect(second?.textContent).not.toContain('\u202e');
  expect(second?.textContent).not.toContain('In vault');
  expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
});

test('further pages are added below, each sample once', async () => {
  const { user, asked } = await openBeside(({ page: number }) =>
    number === 1 ? { found: page(1, 3), mayBeMore: true } : { found: page(3, 2), mayBeMore: false },
  );
  await user.click(toggle());
  await user.type(field(), 'x{Enter}');
  await waitFor(() => expect(said()).toBe('First 3 samples'));
  await user.click(screen.getByRole('button', { name: 'More' }));
  await waitFor(() => expect(said()).toBe('4 samples'));
  expect(names().at(-1)).toContain('server 4.exe');
  expect(asked.map((search) => search.page)).toEqual([1, 2]);
  // The same search, pressed once more, is sent once more from its first page.
  await user.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(said()).toBe('First 3 samples'));
  expect(asked.map((search) => search.page)).toEqual([1, 2, 1]);
});

test('a sample is looked up by its MD5 with the keyboard alone, and its row has the focus on return', async () => {
  const looked: string[] = [];
  const { user } = await openBeside(() => ({ found: page(1, 3), mayBeMore: false }), {
    'samples.lookup': ({ hash }) => {
      looked.push(hash);
      return lookedUp;
    },
  });
  act(() => toggle().focus());
  await user.keyboard('{Enter}');
  await user.keyboard('server{Enter}');
  await waitFor(() => expect(said()).toBe('3 samples'));
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await waitFor(() => expect(looked).toEqual([serverSample(2).md5]));
  await user.click(screen.getByRole('button', { name: /^Library/ }));
  await waitFor(() => expect(names()).toHaveLength(3));
  await waitFor(() => expect(document.activeElement?.textContent).toContain('server 2.exe'));
});

test('a click on a name looks the sample up', async () => {
  const looked: string[] = [];
  const { user } = await openBeside(() => ({ found: page(1, 1), mayBeMore: false }), {
    'samples.lookup': ({ hash }) => {
      looked.push(hash);
      return lookedUp;
    },
  });
  await user.click(toggle());
  await user.type(field(), 'x{Enter}');
  await user.click(await within(pane()).findByTitle('server 1.exe'));
  await waitFor(() => expect(looked).toEqual([serverSample(1).md5]));
});

test('keys in the table of the repository do nothing to the samples that are selected in the library', async () => {
  const forgotten: unknown[] = [];
  const { user } = await openBeside(() => ({ found: page(1, 2), mayBeMore: false }), {
    'library.meant': (input) => {
      forgotten.push(input);
      return { samples: 1, mark: '0'.repeat(64) };
    },
  });
  await user.click(toggle());
  await user.type(field(), 'x{Enter}');
  await waitFor(() => expect(said()).toBe('2 samples'));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('server 1.exe');
  await user.keyboard('{Delete}t');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(forgotten).toEqual([]);
});

test('a search that fails shows why, and can be tried again', async () => {
  let fails = true;
  const { user } = await openBeside(() =>
    fails
      ? fail({
          kind: 'timed-out',
          service: 'repository',
          address: 'https://a.example/api.php',
          phase: 'first-byte',
          seconds: 5,
        })
      : { found: page(1, 1), mayBeMore: false },
  );
  await user.click(toggle());
  await user.type(field(), 'x{Enter}');
  const alert = await within(pane()).findByRole('alert');
  fails = false;
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(said()).toBe('1 sample'));
});

test('a field can be chosen, and a SHA-256 must be whole', async () => {
  const { user, asked } = await openBeside(nothing);
  await user.click(toggle());
  await user.type(field(), 'abc');
  await user.click(within(pane()).getByRole('button', { name: 'Name' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'SHA-256' }));
  expect(screen.getByRole('button', { name: 'Search' })).toHaveProperty('disabled', true);
  await user.clear(field());
  await user.type(field(), `${'A'.repeat(64)}{Enter}`);
  await waitFor(() => expect(asked).toEqual([{ field: 'sha256', text: 'A'.repeat(64), page: 1 }]));
});

test.each<[string, WorkspaceActions]>([
  ['is known to have no search', actions('absent')],
  ['is not to be asked', actions('answers', false)],
  ['is not configured', { mayUse: true, actions: [] }],
])('nothing of a repository is shown when it %s', async (_, known) => {
  await openLibrary(undefined, { 'servers.actions': () => known });
  await expectRows(all);
  expect(screen.queryByRole('region', { name: 'Also at the repository' })).toBeNull();
});

describe('a repository that was never asked for a search', () => {
  const find = (): HTMLElement =>
    screen.getByRole('button', { name: 'Find out whether the repository can be searched' });

  test.each<[ActionState['state'], string]>([
    ['absent', 'This repository cannot be searched.'],
    ['unknown', 'The answers of the repository do not show whether it can be searched.'],
  ])('is asked on request: %s', async (state, sentence) => {
    let known = actions('unknown');
    const { user, bridge } = await openLibrary(undefined, {
      'servers.actions': () => known,
      'servers.findActions': () => (known = actions(state)),
    });
    await expectRows(all);
    await user.click(find());
    act(() => bridge.emit('servers.changed', { workspaceId: 'lab' }));
    await waitFor(() => expect(said()).toBe(sentence));
  });

  test('can be searched as soon as it is known to have a search', async () => {
    let known = actions('unknown');
    const { user, bridge } = await openLibrary(undefined, {
      'servers.actions': () => known,
      'servers.findActions': () => (known = actions('answers')),
    });
    await expectRows(all);
    await user.click(find());
    act(() => bridge.emit('servers.changed', { workspaceId: 'lab' }));
    await waitFor(() => expect(toggle()).toBeDefined());
  });

  test('that cannot be asked shows why', async () => {
    const { user } = await openLibrary(undefined, {
      'servers.actions': () => actions('unknown'),
      'servers.findActions': () => fail({ kind: 'token-missing', service: 'repository' }),
    });
    await expectRows(all);
    await user.click(find());
    expect(await within(pane()).findByRole('alert')).toBeDefined();
  });
});

test.each([
  ['', 'name', ''],
  ['invoice scr', 'name', 'invoice scr'],
  ['"two words" size:>1MB', 'name', 'two words'],
  ['-gone name:invoice', 'name', 'invoice'],
  ['invoice threat:emotet', 'threat', 'emotet'],
  ['tag:family:emotet other', 'tag', 'family:emotet'],
  ['comment:packed', 'comment', 'packed'],
  ['-tag:old word', 'name', 'word'],
  ['a'.repeat(64), 'sha256', 'a'.repeat(64)],
  ['a'.repeat(32), 'name', ''],
  ['sise:1', 'name', ''],
])('what is searched for in the library proposes a search of the repository: %s', (query, by, text) => {
  expect(proposedSearch(query)).toEqual({ field: by, text });
});
