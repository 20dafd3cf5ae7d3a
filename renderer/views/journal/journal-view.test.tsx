import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationInput, OperationOutput } from '../../../shared/contract.ts';
import type { JournalLine } from '../../../shared/domain/journal.ts';
import { fail } from '../../../shared/failure.ts';
import { putIn } from '../../test/put-in.ts';
import { host, md5 } from '../../test/quiet-host.ts';
import { answerList, lastFilter, line, openJournal, pane, rowOf, rows, some } from './journal-entries.fixture.tsx';

test('each entry has number, time, operation, hash, workspace, outcome and detail, or is marked damaged', async () => {
  await openJournal();
  await waitFor(() =>
    expect(rows()).toEqual([
      '42026-11-18 14:21:07ZExportno export folder',
      '3unreadable entry',
      '22026-11-18 14:21:07ZUpload25f4f5501a05Lab (this computer)done2.00 KiB, VirusTotal',
      '12026-11-18 14:21:07ZLook-up25f4f5501a05Lab (this computer)found',
    ]),
  );
  expect(screen.getByText('4 entries, newest first')).toBeDefined();
});

test('keys walk the list, Enter leads to the complete entry, Escape back, and its sample can be opened', async () => {
  const { user, bridge } = await openJournal();
  await screen.findByText('unreadable entry');
  await user.keyboard('{ArrowDown}j');
  expect(within(pane()).getByText(/^Another program changed this entry/)).toBeDefined();
  await user.keyboard('{ArrowDown}');
  expect(within(pane()).getByText(md5)).toBeDefined();
  expect([...pane().querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual([
    'Time',
    'Operation',
    'Outcome',
    'Workspace',
    'Hash',
    'size',
    'VirusTotal',
    'sandbox',
    'TLP',
  ]);
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(pane());
  await user.keyboard('{Escape}');
  expect(document.activeElement?.textContent).toContain('Upload');
  await user.click(within(pane()).getByRole('button', { name: 'Open sample' }));
  await waitFor(() => expect(bridge.inputsOf('library.sample')).toEqual([{ hash: md5 }]));
  await user.keyboard('{Control>}9{/Control}');
  await waitFor(() => expect(within(pane()).getByText('2,048 bytes (2.00 KiB)')).toBeDefined());
});

test('the shown row can be dismissed, and the focus moves to its line', async () => {
  const { user } = await openJournal();
  await user.click(await line('Upload'));
  await user.click(within(pane()).getByRole('button', { name: 'Close entry' }));
  expect(screen.queryByRole('region', { name: /^Entry \d/ })).toBeNull();
  expect(document.activeElement?.textContent).toContain('Upload');
});

test('rows are filtered by words, operations, workspace and times, and a reset shows all again', async () => {
  const { user, bridge } = await openJournal();
  await screen.findByText('unreadable entry');
  await user.keyboard('/');
  await user.keyboard('found');
  await screen.findByText('1 entry found, newest first');
  expect(bridge.inputsOf('journal.list').map((input) => (input as OperationInput<'journal.list'>).filter.find)).toEqual(
    ['', 'found'],
  );
  await user.keyboard('{Escape}');
  await screen.findByText('4 entries, newest first');

  await user.click(screen.getByRole('button', { name: 'All operations' }));
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Upload' }));
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Export' }));
  await user.keyboard('{Escape}');
  await screen.findByText('2 entries found, newest first');
  expect(screen.getByRole('button', { name: '2 operations' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'All workspaces' }));
  await user.click(screen.getByRole('menuitemradio', { name: 'Lab (this computer)' }));
  await putIn(user, screen.getByRole('textbox', { name: /^From/ }), '2026-11-18');
  await putIn(user, screen.getByRole('textbox', { name: /^Before/ }), '2026-11-19 08:00');
  await waitFor(() =>
    expect(lastFilter(bridge)).toEqual({
      operations: ['export', 'upload'],
      workspaceId: 'lab',
      find: '',
      from: '2026-11-18T00:00:00.000Z',
      before: '2026-11-19T08:00:00.000Z',
    }),
  );

  await putIn(user, screen.getByRole('textbox', { name: 'Find in hash, outcome and detail' }), 'nothing');
  await screen.findByRole('heading', { name: 'No entries found' });
  await user.click(screen.getByRole('button', { name: 'Show all entries' }));
  await screen.findByText('4 entries, newest first');
  expect(
    bridge.inputsOf('journal.list').map((input) => (input as OperationInput<'journal.list'>).filter),
  ).toContainEqual({
    operations: ['export', 'upload'],
    workspaceId: 'lab',
    find: 'nothing',
    from: '2026-11-18T00:00:00.000Z',
    before: '2026-11-19T08:00:00.000Z',
  });
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^From/ }).value).toBe('');
});

test('focus set on the list before its search ended shows the entry found, not the earlier one', async () => {
  const { user } = await openJournal();
  await line('unreadable entry');
  await user.keyboard('/');
  await user.keyboard('done');
  await user.keyboard('{ArrowDown}');
  expect(pane().getAttribute('aria-label')).toMatch(/^Entry 4/);
  await screen.findByRole('region', { name: /^Entry 2/ });
  expect(document.activeElement?.textContent).toContain('2.00 KiB, VirusTotal');
});

test('an invalid time is reported beside its field, and leaves that side open', async () => {
  const { user, bridge } = await openJournal();
  await screen.findByText('unreadable entry');
  const from = screen.getByRole('textbox', { name: /^From/ });
  await putIn(user, from, 'yesterday');
  expect(from.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText(/^Enter a UTC date or time/).id).toBe(from.getAttribute('aria-describedby'));
  expect(lastFilter(bridge)).toMatchObject({ from: null });
  await user.keyboard('{Escape}');
  expect(from.getAttribute('aria-invalid')).toBe('false');
});

test('an end that is not after its start is reported beside its field', async () => {
  const { user } = await openJournal();
  await screen.findByText('unreadable entry');
  const [from, before] = [
    screen.getByRole('textbox', { name: /^From/ }),
    screen.getByRole('textbox', { name: /^Before/ }),
  ];
  await putIn(user, from, '2026-11-18T14:00:00.123Z');
  await putIn(user, before, '2026-11-18');
  expect(screen.getByText('Must be later than From').id).toBe(before.getAttribute('aria-describedby'));
  expect([from, before].map((field) => field.getAttribute('aria-invalid'))).toEqual(['false', 'true']);
  await putIn(user, before, ' 15:00');
  expect(before.getAttribute('aria-invalid')).toBe('false');
});

test('workspaces of entries are offered by their last name or id, also when removed', async () => {
  const { user, bridge } = await openJournal(some, {
    'journal.workspaces': () => ({
      workspaces: [
        { id: 'lab', name: null },
        { id: 'w-1', name: 'Team' },
        { id: 'w-2', name: null },
      ],
    }),
  });
  await screen.findByText('unreadable entry');
  await user.click(screen.getByRole('button', { name: 'All workspaces' }));
  expect(screen.getAllByRole('menuitemradio').map(({ textContent }) => textContent)).toEqual([
    'All workspaces',
    'Lab (this computer)',
    'Removed: Team',
    'Removed: w-2',
  ]);
  await user.click(screen.getByRole('menuitemradio', { name: 'Removed: Team' }));
  await waitFor(() => expect(lastFilter(bridge)).toMatchObject({ workspaceId: 'w-1' }));
  expect(screen.getByRole('button', { name: 'Removed: Team' })).toBeDefined();
});

test('a slow list shows that it is loading', async () => {
  const answer = Promise.withResolvers<OperationOutput<'journal.list'>>();
  await openJournal(some, { 'journal.list': () => answer.promise });
  expect(await screen.findByText('Loading…')).toBeDefined();
  answer.resolve({ lines: [...some], total: 4, newest: 4, newer: 0 });
  expect(await screen.findByText('4 entries, newest first')).toBeDefined();
});

test('an unreadable list shows the reason', async () => {
  await openJournal(some, { 'journal.list': () => fail({ kind: 'data-damaged', path: '/data', code: 'x' }) });
  expect((await screen.findByRole('alert')).textContent).toContain('The database is damaged');
  expect(screen.queryByRole('grid')).toBeNull();
});

test('a journal without rows names their sources', async () => {
  const { user } = await openJournal([]);
  expect(await screen.findByRole('heading', { name: 'No entries yet' })).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Find in hash, outcome and detail' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Look up a sample' }));
  expect(screen.getByRole('heading', { name: 'No hash looked up' })).toBeDefined();
});

test('the list requests and draws only the visible ones of a million rows', async () => {
  const million = ({ offset, limit }: OperationInput<'journal.list'>) => ({
    lines: Array.from({ length: limit }, (_, index) => rowOf(1_000_000 - offset - index)),
    total: 1_000_000,
    newest: 1_000_000,
    newer: 0,
  });
  const { bridge } = await openJournal(some, { 'journal.list': million });
  await screen.findByText('1,000,000 entries, newest first');
  await waitFor(() => expect(rows()[0]).toContain('1,000,000'));
  expect(rows().length).toBeLessThan(60);
  expect(bridge.inputsOf('journal.list')).toHaveLength(1);
});

test('new rows are added at the top, and the shown one stays', async () => {
  let all: readonly JournalLine[] = some;
  const { user, bridge } = await openJournal(some, { 'journal.list': (input) => answerList(all)(input) });
  await user.click(await line('Upload'));
  all = [rowOf(5, { operation: 'download', outcome: 'done' }), ...some];
  act(() => bridge.emit('journal.changed', {}));
  expect(await line('Download')).toBeDefined();
  expect(screen.getByText('5 entries, newest first')).toBeDefined();
  expect(screen.getByRole('row', { current: true }).textContent).toContain('Upload');
});

test('new rows do not move the reading position further down, and are shown on request', async () => {
  let all: readonly JournalLine[] = Array.from({ length: 300 }, (_, index) => rowOf(300 - index));
  const { user, bridge } = await openJournal(some, { 'journal.list': (input) => answerList(all)(input) });
  const scroller = (await screen.findByRole('grid')).firstElementChild;
  if (scroller === null) throw new TypeError('a grid without rows');
  scroller.scrollTop = 2800;
  fireEvent.scroll(scroller);
  const placeOf = async (number: string): Promise<string | null> =>
    (await line(number)).closest('[role=row]')?.getAttribute('aria-rowindex') ?? null;
  const before = await placeOf('195');
  await waitFor(() => expect(bridge.inputsOf('journal.list').at(-1)).toMatchObject({ upTo: 300 }));
  all = [rowOf(302), rowOf(301), ...all];
  act(() => bridge.emit('journal.changed', {}));
  const shown = await screen.findByRole('button', { name: '2 new entries' });
  expect(await placeOf('195')).toBe(before);
  expect(screen.getByText('300 entries, newest first')).toBeDefined();
  await user.click(shown);
  await screen.findByText('302 entries, newest first');
  await waitFor(() => expect(rows()[0]).toMatch(/^302/));
  expect(document.activeElement?.getAttribute('role')).toBe('row');
  expect(screen.queryByRole('button', { name: /new entr(y|ies)$/ })).toBeNull();
});

test('the list shows new rows after a return to the newest end', async () => {
  let all: readonly JournalLine[] = Array.from({ length: 300 }, (_, index) => rowOf(300 - index));
  const { bridge } = await openJournal(some, { 'journal.list': (input) => answerList(all)(input) });
  const scroller = (await screen.findByRole('grid')).firstElementChild;
  if (scroller === null) throw new TypeError('a grid without rows');
  await screen.findByText('300 entries, newest first');
  scroller.scrollTop = 280;
  fireEvent.scroll(scroller);
  all = [rowOf(301), ...all];
  act(() => bridge.emit('journal.changed', {}));
  await screen.findByRole('button', { name: '1 new entry' });
  scroller.scrollTop = 0;
  fireEvent.scroll(scroller);
  await screen.findByText('301 entries, newest first');
  expect(screen.queryByRole('button', { name: /new entr(y|ies)$/ })).toBeNull();
});

test('the listed rows are exported in the chosen format to the chosen place', async () => {
  const { user, bridge } = await openJournal(some, {
    'host.describe': () => ({
      ...host,
      exportFolder: '/exports',
      capabilities: { ...host.capabilities, browserDownload: true },
    }),
    'journal.export': () => ({
      kind: 'folder',
      path: '/exports/journal.jsonl',
      fileName: 'journal.jsonl',
      sizeBytes: 9,
    }),
  });
  await screen.findByText('unreadable entry');
  await user.click(screen.getByRole('button', { name: /^Export/ }));
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'CSV list, to export folder',
    'CSV list, as download',
    'JSON Lines list, to export folder',
    'JSON Lines list, as download',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'JSON Lines list, to export folder' }));
  expect(await screen.findByText('Saved journal.jsonl to /exports')).toBeDefined();
  expect(bridge.inputsOf('journal.export')).toEqual([
    {
      filter: { operations: [], workspaceId: null, find: '', from: null, before: null },
      format: 'jsonl',
      to: 'folder',
    },
  ]);
});

test('texts from outside are shown as plain text, whole only beside the list', async () => {
  const { user } = await openJournal([
    rowOf(1, { outcome: '<b>bold</b>', detail: { note: 'x'.repeat(900), 'a\u202eb': '<i>' } }),
  ]);
  await user.click(await screen.findByText('<b>bold</b>'));
  expect(within(pane()).getByText(/^x{400}…$/)).toBeDefined();
  await user.click(within(pane()).getByRole('button', { name: /900/ }));
  expect(within(pane()).getByText('x'.repeat(900))).toBeDefined();
  expect(pane().textContent).not.toContain('\u202e');
});

test('the keys of the view are among those that ? shows', async () => {
  const { user } = await openJournal();
  await screen.findByText('unreadable entry');
  await user.keyboard('?');
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByRole('heading', { name: 'Journal' })).toBeDefined();
  expect(within(dialog).getByText('Verify journal')).toBeDefined();
});
