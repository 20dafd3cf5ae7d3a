import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { OperationRequest } from '../../../../shared/contract.ts';
import { triageFilter, type TriageRow, triageSort } from '../../../../shared/domain/triage.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { fail } from '../../../../shared/failure.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { noRows } from '../../../components/data-grid/row-selection.ts';
import { describeFailure } from '../../../components/failure-format.ts';
import { rowOf } from '../../../features/library/library-row.fixture.ts';
import { TriageLayouts } from '../../../memory/layouts.ts';
import { emptyTriage, type GivenAnswers, MemoryBridge } from '../../../test/memory-bridge.ts';
import { open } from '../../../test/open-page.fixture.tsx';
import '../../../test/page-surroundings.ts';
import { md5, sha1, sha256 } from '../../../test/quiet-host.ts';
import { openedRow, triageHost } from '../../../test/triage-host.fixture.ts';
import { readTicked, type TriageQuestion } from './triage-rows.ts';

const answers: Record<string, Partial<TriageRow>> = {
  [md5]: {
    state: 'repository',
    sample: rowOf(1, { name: 'loader.exe', severity: 'bad', vault: 'none', threat: 'Ashveil', sizeBytes: 1024 }),
  },
  [sha1]: { state: 'vault', sample: rowOf(2, { name: 'invoice.pdf', sizeBytes: 2048 }), isScanned: true },
  [sha256]: { state: 'needs-md5' },
};
/** A field of one line keeps these line ends alone. */
const many = [`${md5} one`, sha1, sha256, md5, 'a'.repeat(31), '0'.repeat(32)].join(' \u2028');
const bar = (): Promise<HTMLElement> => screen.findByRole('group', { name: 'Actions for selected hashes' });
const host = (job = {}) => triageHost((hash) => answers[hash] ?? {}, job);

test('a table of the hashes shows where each sample is, its severity and what is known of it', async () => {
  const { lookUp, bridge } = await open(host());
  await lookUp(many);
  await openedRow(md5);
  const [, first, second, third] = await within(screen.getByRole('grid')).findAllByRole('row');
  expect(first?.textContent).toMatch(/loader.*Repository.*Bad.*Ashveil.*1,024.*–$/);
  expect(second?.textContent).toMatch(/invoice.*In the vault.*Not set.*2,048.*0$/);
  expect(third?.textContent).toMatch(/Enter its MD5.*Needs an MD5/);
  expect(await screen.findByRole('heading', { name: '3 of 3 answered' })).toBeDefined();
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Finished: 3 of 3 answered');
  expect(bridge.inputsOf('samples.lookup')).toEqual([]);
  expect(bridge.inputsOf('triage.add')).toEqual([{ id: 230, hashes: [md5, sha1, sha256] }]);
});

test('a text that is cleared while its hashes are prepared begins no job', async () => {
  const created = Promise.withResolvers<{ id: number }>();
  const { lookUp, user, bridge } = await open({ ...host(), 'triage.create': () => created.promise });
  await lookUp(many);
  await waitFor(() => expect(bridge.inputsOf('triage.create')).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Clear the hashes' }));
  await act(async () => created.resolve({ id: 230 }));
  await screen.findByRole('textbox', { name: 'Hash, or text with hashes' });
  expect([...bridge.inputsOf('triage.add'), ...bridge.inputsOf('triage.start')]).toEqual([]);
});

test('what was not looked up is listed with its reason, uncertain ones first', async () => {
  const { lookUp, user, bridge } = await open(host());
  await lookUp(many);
  const dock = await screen.findByRole('region', { name: 'Not looked up' });
  expect(within(dock).getByText('1 uncertain, 1 rejected')).toBeDefined();
  expect(
    within(dock)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    expect.stringMatching(/^Line \d+0{32}UncertainOne digit repeated, a placeholderLook up anyway$/),
    expect.stringMatching(/^Line \d+a{31}Rejected31 hex digits, an MD5 has 32Show line$/),
  ]);
  await user.click(within(dock).getByRole('button', { name: 'Look up anyway' }));
  await waitFor(() => expect(bridge.inputsOf('triage.add').at(-1)).toEqual({ id: 230, hashes: ['0'.repeat(32)] }));
  act(() => bridge.emit('library.changed', {}));
  await waitFor(() => expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('5'));
  expect(bridge.inputsOf('samples.lookup')).toEqual([]);
  expect(within(dock).getByText('1 rejected')).toBeDefined();
  expect(within(dock).getByText('In the table')).toBeDefined();
  await user.click(within(dock).getByRole('button', { name: 'Show row' }));
  await openedRow('0'.repeat(32));
});

test('the MD5 of a hash that the repository does not find becomes a row of the same table', async () => {
  const { lookUp, user, bridge } = await open(host());
  await lookUp(many);
  await openedRow(md5);
  await user.click(screen.getByRole('button', { name: 'Enter its MD5' }));
  const dialog = await screen.findByRole('dialog', { name: `MD5 of ${sha256.slice(0, 12)}` });
  expect(
    within(dialog).getByText(/returns a record only for an MD5, and none is known for this SHA-256\./),
  ).toBeDefined();
  await user.keyboard('123{Enter}');
  expect(within(dialog).getByText('An MD5 has 32 hexadecimal digits')).toBeDefined();
  expect(bridge.inputsOf('triage.add')).toHaveLength(1);
  await user.keyboard('{Control>}a{/Control}' + 'B'.repeat(32) + '{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bridge.inputsOf('triage.add').at(-1)).toEqual({ id: 230, hashes: ['b'.repeat(32)] });
});

test('a hash that could not be added is reported, and stays in the list', async () => {
  const answer = host();
  const { lookUp, user } = await open({
    ...answer,
    'triage.add': ({ hashes }) => (hashes.length === 1 ? fail({ kind: 'job-missing', id: 230 }) : { items: 3 }),
  });
  await lookUp(many);
  const dock = await screen.findByRole('region', { name: 'Not looked up' });
  await user.click(within(dock).getByRole('button', { name: 'Look up anyway' }));
  expect(await screen.findByText(/^Not added: /)).toBeDefined();
  expect(within(dock).getByRole('button', { name: 'Look up anyway' })).toBeDefined();
});

test('a download of ticked rows names what is in the vault already, and takes only the others', async () => {
  const { lookUp, user, bridge } = await open(host());
  await lookUp(many);
  await openedRow(md5);
  await user.keyboard('x{ArrowDown}x');
  const actions = await bar();
  await within(actions).findByText('1 to download, 1.00 KiB, 1 in the vault');
  expect(bridge.inputsOf('triage.ticked')).toEqual([]);
  await user.click(within(actions).getByRole('button', { name: /^Download 1/ }));
  await waitFor(() => expect(bridge.inputsOf('bulk.add')).toEqual([{ id: 218, hashes: [rowOf(1).md5] }]));
});

test('the actions mean the current row where none is ticked, and its menu has them', async () => {
  const { lookUp, user, bridge } = await open(host());
  await lookUp(many);
  await openedRow(md5);
  const actions = await bar();
  expect(within(actions).getByText('loader.exe')).toBeDefined();
  await user.pointer({ keys: '[MouseRight]', target: screen.getByText('invoice.pdf') });
  const menu = await screen.findByRole('menu', { name: 'invoice.pdf' });
  const items = within(menu).getAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'TagT',
    'CopyC',
    'Export…E',
    'DownloadNothing to downloadD',
  ]);
  await user.keyboard('{Escape}{ArrowUp}d');
  await waitFor(() => expect(bridge.inputsOf('bulk.add')).toEqual([{ id: 218, hashes: [rowOf(1).md5] }]));
});

test('several hashes of one sample are copied and downloaded as one', async () => {
  const sample = rowOf(1, { name: 'loader.exe', vault: 'none' });
  const { lookUp, user, bridge } = await open({
    ...triageHost(() => ({ state: 'repository', sample })),
    'library.facts': () => ({ samples: [], next: null }),
  });
  await lookUp([md5, sha256, sha1].join(' '));
  await openedRow(md5);
  await user.keyboard('{Control>}a{/Control}');
  const actions = await bar();
  await within(actions).findByText('3 selected');
  await user.click(within(actions).getByRole('button', { name: /^Copy/ }));
  await user.click(await screen.findByRole('menuitem', { name: /^Best known hash/ }));
  expect(await screen.findByText('Copied 1 hash')).toBeDefined();
  await user.click(within(actions).getByRole('button', { name: /^Download/ }));
  await waitFor(() => expect(bridge.inputsOf('bulk.add')).toEqual([{ id: 218, hashes: [sample.md5] }]));
});

test('a table whose rows are not counted yet has a heading, then a line that it is read', async () => {
  const counts = Promise.withResolvers<typeof emptyTriage>();
  const { lookUp } = await open({ ...host(), 'triage.counts': () => counts.promise });
  await lookUp(many);
  expect(await screen.findByRole('heading', { name: '3 hashes' })).toBeDefined();
  expect(await screen.findByText('Reading the table')).toBeDefined();
  await act(async () => counts.resolve({ ...emptyTriage, states: { ...emptyTriage.states, unknown: 3 } }));
  expect(await screen.findByRole('heading', { name: '3 of 3 answered' })).toBeDefined();
  expect(screen.queryByText('Reading the table')).toBeNull();
});

const isDisabled = (button: HTMLElement): boolean => button.hasAttribute('disabled');

const hostGone = describeFailure({ kind: 'host-gone' }).what;

/** One row waits until `answer` gives it its sample. */
async function openWaiting(others: GivenAnswers = {}) {
  let row: Partial<TriageRow> = { state: 'waiting' };
  const page = await open({ ...triageHost((hash) => (hash === md5 ? row : {})), ...others });
  await page.lookUp(many);
  await openedRow(md5);
  const answer = (): void => {
    row = answers[md5] ?? {};
    act(() => page.bridge.emit('library.changed', {}));
  };
  const button = async (name: RegExp): Promise<HTMLElement> => within(await bar()).getByRole('button', { name });
  return { ...page, answer, button };
}

test('an action means what is known of the ticked rows when it is pressed', async () => {
  const { user, bridge, answer, button } = await openWaiting({ 'library.change': () => ({ changed: 1, leftOut: 0 }) });
  await user.keyboard('x');
  expect(isDisabled(await button(/^Tag/))).toBe(true);
  answer();
  await waitFor(async () => expect(isDisabled(await button(/^Tag/))).toBe(false));
  expect(bridge.inputsOf('triage.ticked')).toEqual([]);
  await user.keyboard('t');
  await user.type(await screen.findByRole('combobox', { name: /^Local tags/ }), 'seen{Enter}');
  await waitFor(() =>
    expect(bridge.inputsOf('library.change')).toEqual([
      { selection: { kind: 'named', hashes: [rowOf(1).hash] }, change: { add: ['seen'], remove: [] } },
    ]),
  );
  expect(bridge.inputsOf('triage.ticked')).toHaveLength(1);
});

test('ticked rows that cannot be read are reported by the action that needs them', async () => {
  const { user, answer, button, bridge } = await openWaiting({ 'triage.ticked': () => fail({ kind: 'host-gone' }) });
  answer();
  await user.keyboard('x');
  await waitFor(async () => expect(isDisabled(await button(/^Download/))).toBe(false));
  await user.keyboard('t');
  await user.type(await screen.findByRole('combobox', { name: 'Local tags' }), 'seen{Enter}');
  expect(await screen.findByText(/^Not done: /)).toBeDefined();
  await user.keyboard('{Escape}');
  await user.click(await button(/^Download/));
  await waitFor(() => expect(bridge.inputsOf('triage.ticked')).toHaveLength(3));
  expect(await screen.findAllByText(new RegExp(hostGone))).toHaveLength(2);
  expect([...bridge.inputsOf('library.change'), ...bridge.inputsOf('bulk.create')]).toEqual([]);
});

test('a tag for thousands of ticked samples asks first', async () => {
  const sample = (number: number): string => number.toString(16).padStart(32, '0');
  const all = Array.from({ length: 5001 }, (_, number) => ({ hash: sample(number), sample: sample(number) }));
  const { user, answer, button, bridge } = await openWaiting({
    'triage.ticked': ({ offset }) => ({
      rows: all.slice(offset).map((row) => ({ ...row, toDownload: null })),
      total: all.length,
    }),
  });
  answer();
  await user.keyboard('x');
  await waitFor(async () => expect(isDisabled(await button(/^Tag/))).toBe(false));
  await user.keyboard('t');
  await user.type(await screen.findByRole('combobox', { name: /^Local tags/ }), 'seen{Enter}');
  const question = await screen.findByRole('alertdialog', { name: 'Add seen to 5,001 samples?' });
  expect(bridge.inputsOf('library.change')).toEqual([]);
  await user.click(within(question).getByRole('button', { name: 'Tag 5,001 samples' }));
  await waitFor(() => expect(bridge.inputsOf('library.change')).toHaveLength(2));
});

test('a reading of ticked rows that is given up asks for no further rows', async () => {
  const under = new AbortController();
  const bridge = new MemoryBridge({
    'triage.ticked': () => {
      under.abort();
      return { rows: [{ hash: md5, sample: null, toDownload: null }], total: 2 };
    },
  });
  const question: TriageQuestion = {
    id: 230,
    filter: { states: [], severities: [], find: '' },
    sort: { by: 'position', descending: false },
    moment: 'now',
  };
  expect(await readTicked(bridge, { question, selection: noRows, signal: under.signal })).toEqual({
    ok: false,
    failure: { kind: 'cancelled' },
  });
  expect(bridge.inputsOf('triage.ticked')).toHaveLength(1);
});

const rowsOf = (given: GivenAnswers, request: OperationRequest<'triage.rows'>) =>
  given['triage.rows']?.(request) ?? expect.fail('the host has no rows');

test('an order of rows belongs to one page, and is renewed when the person asks for it', async () => {
  const given = host();
  const { lookUp, user, bridge } = await open({
    ...given,
    'triage.rows': async (request) => ({ ...(await rowsOf(given, request)), isStale: true }),
  });
  await lookUp(many);
  await openedRow(md5);
  const moments = (): unknown[] => [
    ...new Set(
      bridge.inputsOf('triage.rows').flatMap((input) => {
        const { sort, moment } = z.object({ sort: triageSort, moment: z.string() }).parse(input);
        return sort.by === 'severity' ? [moment] : [];
      }),
    ),
  ];
  await user.click(screen.getByRole('columnheader', { name: 'Severity' }));
  await waitFor(() => expect(moments()).toHaveLength(1));
  await user.click(await screen.findByRole('button', { name: 'Changed, sort again' }));
  await waitFor(() => expect(moments()).toHaveLength(2));
  expect(moments().every((moment) => z.uuid().safeParse(moment).success)).toBe(true);
});

test('rows of a filter are found again when a tag changed', async () => {
  const { lookUp, user, bridge } = await open(host());
  await lookUp(many);
  await openedRow(md5);
  await user.click(screen.getByRole('button', { name: '1 in the vault' }));
  const moments = (): string[] =>
    bridge.inputsOf('triage.rows').flatMap((input) => {
      const { filter, moment } = z.object({ filter: triageFilter, moment: z.string() }).parse(input);
      return filter.states.length === 0 ? [] : [moment];
    });
  await waitFor(() => expect(moments()).toHaveLength(1));
  act(() => bridge.emit('library.changed', {}));
  await waitFor(() => expect(new Set(moments()).size).toBe(2));
});

test('a failed record of a sample that is known here can be fetched again', async () => {
  const { lookUp, user, bridge } = await open({
    ...host({ state: 'done' }),
    'triage.counts': () => ({
      states: { ...emptyTriage.states, vault: 2, unknown: 1 },
      severities: { ...emptyTriage.severities, bad: 2 },
      requests: { waiting: 0, failed: 2, cancelled: 0 },
    }),
  });
  await lookUp(many);
  expect(await screen.findByRole('heading', { name: '1 of 3 answered' })).toBeDefined();
  await user.click(await screen.findByRole('button', { name: /^Retry 2 failed/ }));
  await waitFor(() => expect(bridge.inputsOf('jobs.retry')).toEqual([{ id: 230, states: ['failed'] }]));
});

test('a halted look-up counts what waits as waiting', async () => {
  const rowFor = (hash: string): Partial<TriageRow> => (hash === md5 ? { state: 'known' } : { state: 'waiting' });
  const failure: Failure = { kind: 'token-refused', service: 'repository', address: 'https://h/api.php', status: 401 };
  const { lookUp } = await open(triageHost(rowFor, { state: 'paused', failure }));
  await lookUp(many);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('1 of 3 answered, 2 waiting');
  expect(alert.textContent).not.toContain('failed');
  const { what, then } = describeFailure(failure);
  expect(alert.textContent).toContain(`${what}. ${then}`);
});

test('a cancelled look-up counts what it left as not answered', async () => {
  const { lookUp } = await open(
    triageHost((hash) => (hash === md5 ? (answers[md5] ?? {}) : { state: 'cancelled' }), { state: 'cancelled' }),
  );
  await lookUp(many);
  expect(await screen.findByRole('heading', { name: '1 of 3 answered' })).toBeDefined();
  expect(screen.getByRole('button', { name: '2 cancelled' })).toBeDefined();
  expect(screen.getByText('Cancelled: 1 of 3 answered').getAttribute('role')).toBe('status');
});

test('a look-up that the person paused is shown as paused', async () => {
  const { lookUp } = await open(triageHost(() => ({ state: 'waiting' }), { state: 'paused' }));
  await lookUp(many);
  expect((await screen.findAllByText('Paused, 3 waiting. No files are downloaded.')).length).toBeGreaterThan(0);
});

test('a hidden column is gone from the table, and stays hidden in another one', async () => {
  const { lookUp, user } = await open(host());
  await lookUp(many);
  await openedRow(md5);
  await user.click(screen.getByRole('button', { name: 'Columns…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Columns' });
  await user.click(within(dialog).getByRole('checkbox', { name: 'Size' }));
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('columnheader', { name: 'Size' })).toBeNull();
  const later = new TriageLayouts();
  await later.load();
  expect(later.snapshot().hidden).toEqual(['size']);
});

test('ticked rows of samples that the library knows are compared by a key', async () => {
  const known = [answers[md5]?.sample, answers[sha1]?.sample].flatMap((row) => row ?? []);
  const { lookUp, user, bridge } = await open({
    ...host(),
    'library.sample': ({ hash }) => {
      const row = known.find((each) => each.hash === hash) ?? fail({ kind: 'not-in-library', hash });
      return { row, note: null, tlps: [], names: [], records: [], sameMd5: [] };
    },
  });
  await lookUp(many);
  await openedRow(md5);
  await user.keyboard('x');
  const actions = await bar();
  expect(within(actions).queryByRole('button', { name: /^Compare/ })).toBeNull();
  await user.keyboard('{ArrowDown}x');
  await waitFor(() => expect(isDisabled(within(actions).getByRole('button', { name: /^Compare/ }))).toBe(false));
  await user.keyboard('o');
  const dialog = await screen.findByRole('dialog', { name: 'Compare 2 samples' });
  expect(
    within(dialog)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Fact', expect.stringContaining('loader.exe'), expect.stringContaining('invoice.pdf')]);
  expect(bridge.inputsOf('samples.lookup')).toEqual([]);
});

test('a chip shows the rows that it counts, and a second press all of them again', async () => {
  const { lookUp, user } = await open(host());
  await lookUp(many);
  await openedRow(md5);
  const chip = screen.getByRole('button', { name: '1 in the vault' });
  await user.click(chip);
  await waitFor(() => expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('2'));
  await user.click(screen.getByRole('button', { name: '1 in the vault' }));
  await waitFor(() => expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('4'));
});

test('a repository that cannot be reached leaves what is known here, and offers a retry', async () => {
  const { lookUp, user, bridge } = await open({
    ...triageHost((hash) => (hash === md5 ? (answers[md5] ?? {}) : { state: 'waiting' }), {
      state: 'paused',
      failure: {
        kind: 'unreachable',
        service: 'repository',
        address: 'http://127.0.0.1:1',
        reason: 'refused',
        code: 'ECONNREFUSED',
      },
    }),
  });
  await lookUp(many);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('1 of 3 answered, Lab (this computer) unreachable');
  expect(alert.textContent).toContain('2 wait until you retry. 1 of 3 is known here.');
  await user.click(within(alert).getByRole('button', { name: /^Retry/ }));
  await waitFor(() => expect(bridge.inputsOf('jobs.resume')).toEqual([{ id: 230 }]));
});

test('facts that contradict each other are shown with their sources', async () => {
  const { lookUp, user } = await open(
    triageHost((hash) =>
      hash === md5
        ? {
            ...answers[md5],
            conflicts: [
              {
                fact: 'size',
                values: [
                  { value: '64', from: null },
                  { value: '999', from: 'lab' },
                ],
              },
            ],
          }
        : {},
    ),
  );
  await lookUp(many);
  await openedRow(md5);
  await user.keyboard('{ArrowDown}{ArrowUp}');
  expect(await screen.findByText(/^64 .*\(here\), 999 .*\(Lab/)).toBeDefined();
});
