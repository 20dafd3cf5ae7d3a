import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { OperationInput } from '../../../shared/contract.ts';
import type { CaseFormat, Job } from '../../../shared/domain/job.ts';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import { fail } from '../../../shared/failure.ts';
import { bulkJob } from '../../components/jobs/job.fixture.ts';
import { type GivenAnswers, MemoryBridge } from '../../test/memory-bridge.ts';
import '../../test/page-surroundings.ts';
import { putIn } from '../../test/put-in.ts';
import { host, md5, sha256 } from '../../test/quiet-host.ts';
import { TestProviders } from '../../test/test-providers.fixture.tsx';
import { rowOf } from '../library/library-row.fixture.ts';
import { CaseDialog, type CaseDialogProps } from './case-dialog.tsx';

beforeEach(() => globalThis.localStorage.clear());

const selection: CaseDialogProps['selection'] = { kind: 'query', terms: [], except: [] };
const withFolder: GivenAnswers = { 'host.describe': () => ({ ...host, exportFolder: '/exports' }) };
const strictest = (tlp: TlpLevel | null): GivenAnswers => ({
  ...withFolder,
  'library.list': () => ({ rows: [{ ...rowOf(1), tlp }], total: 1, elapsedMs: 1 }),
});

async function openDialog(answers: GivenAnswers = strictest('amber'), given: Partial<CaseDialogProps> = {}) {
  const bridge = new MemoryBridge(answers);
  const user = userEvent.setup();
  const onClose = vi.fn();
  render(
    <TestProviders bridge={bridge}>
      <CaseDialog selection={selection} count={12} title="Case 2026-114" {...given} onClose={onClose} />
    </TestProviders>,
  );
  await screen.findByRole('dialog');
  await screen.findByText(/strict|None of these|unknown/, { selector: '[slot=description]' });
  return { bridge, user, onClose };
}

const button = (name: string): HTMLElement => screen.getByRole('button', { name });
const checkbox = (name: string | RegExp): HTMLElement => screen.getByRole('checkbox', { name });
const radio = (name: string | RegExp): HTMLElement => screen.getByRole('radio', { name });
const sent = (bridge: MemoryBridge): unknown[] => bridge.inputsOf('cases.start');
const asked: OperationInput<'cases.start'> = {
  selection,
  options: {
    format: 'misp',
    title: 'Case 2026-114',
    author: '',
    tlp: null,
    vouched: false,
    include: { notes: false, comments: false, hits: true },
    samples: null,
  },
};

test('the dialog starts with safe values: strictest TLP, no bytes, notes or comments, focus on Cancel', async () => {
  const { bridge, user, onClose } = await openDialog();
  expect(screen.getByRole('heading', { name: 'Export a case of 12 samples?' })).toBeDefined();
  expect(button('Cancel')).toBe(document.activeElement);
  expect(radio('AMBER')).toHaveProperty('checked', true);
  await user.click(button('Export to folder'));
  expect(await screen.findByText('Exporting the case (job 222)')).toBeDefined();
  expect(sent(bridge)).toEqual([asked]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a stricter TLP can be chosen; a less strict one cannot, and the dialog gives the reason', async () => {
  const { bridge, user } = await openDialog();
  for (const open of ['CLEAR', 'GREEN']) expect(radio(open)).toHaveProperty('disabled', true);
  expect(screen.getByRole('radiogroup', { name: 'TLP', description: /The strictest sample is AMBER/ })).toBeDefined();
  await user.click(radio('RED'));
  await user.click(button('Export to folder'));
  await waitFor(() => expect(sent(bridge)).toEqual([{ ...asked, options: { ...asked.options, tlp: 'red' } }]));
});

test('the case has no TLP unless one is chosen when no sample has a TLP', async () => {
  const { bridge, user } = await openDialog(strictest(null));
  expect(radio('No TLP')).toHaveProperty('checked', true);
  await user.click(radio('CLEAR'));
  await user.click(button('Export to folder'));
  await waitFor(() => expect(sent(bridge)).toEqual([{ ...asked, options: { ...asked.options, tlp: 'clear' } }]));
});

const unknown: GivenAnswers = {
  ...strictest(null),
  'library.totals': ({ queries }) => ({
    totals: queries.map((terms) => ({
      samples: terms.some((term) => term.field === 'tlp' && term.level === 'unknown') ? 3 : 12,
      bytes: 0,
    })),
  }),
};

test('an unknown TLP of samples is reported, and the case gets the strictest TLP', async () => {
  const { bridge, user } = await openDialog(unknown);
  expect(
    screen.getByRole('radiogroup', {
      name: 'TLP',
      description: /^The TLP of 3 samples is unknown: they have no metadata\./,
    }),
  ).toBeDefined();
  for (const open of ['CLEAR', 'GREEN', 'AMBER', 'AMBER+STRICT']) expect(radio(open)).toHaveProperty('disabled', true);
  expect(screen.queryByRole('radio', { name: 'No TLP' })).toBeNull();
  await user.click(button('Export to folder'));
  await waitFor(() => expect(sent(bridge)).toEqual([{ ...asked, options: { ...asked.options, tlp: 'red' } }]));
});

test('vouching for the samples allows a lower TLP, and only vouching allows none', async () => {
  const { bridge, user } = await openDialog(unknown);
  await user.click(screen.getByRole('checkbox', { name: /^I know their TLP/ }));
  expect(radio('RED')).toHaveProperty('checked', true);
  await user.click(radio('CLEAR'));
  await user.click(button('Export to folder'));
  await waitFor(() =>
    expect(sent(bridge)).toEqual([{ ...asked, options: { ...asked.options, tlp: 'clear', vouched: true } }]),
  );
});

test('records with the missing TLP can be fetched in the dialog, and the case takes their strictness', async () => {
  const reading: Job = {
    ...bulkJob,
    id: 223,
    workspaceId: 'lab',
    task: { kind: 'library-change', what: 'records', add: [], remove: [], addsNote: false },
    state: 'running',
    items: 12,
    counts: { ...bulkJob.counts, waiting: 9, done: 3 },
  };
  let isRead = false;
  const { bridge, user } = await openDialog({
    ...unknown,
    'library.readRecords': () => reading,
    'library.list': () => ({ rows: [{ ...rowOf(1), tlp: isRead ? 'green' : null }], total: 1, elapsedMs: 1 }),
    'library.totals': () => ({ totals: [{ samples: isRead ? 0 : 3, bytes: 0 }] }),
  });
  await user.click(button('Fetch metadata from Lab (this computer)'));
  expect(bridge.inputsOf('library.readRecords')).toEqual([{ selection, workspaceId: 'lab' }]);
  expect(await screen.findByText('3 of 12 done')).toBeDefined();
  isRead = true;
  act(() =>
    bridge.emit('job.changed', { ...reading, state: 'done', counts: { ...bulkJob.counts, waiting: 0, done: 12 } }),
  );
  await waitFor(() => expect(radio('GREEN')).toHaveProperty('checked', true));
  expect(screen.queryByRole('checkbox', { name: /^I know their TLP/ })).toBeNull();
  expect(document.activeElement?.contains(radio('GREEN'))).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
});

test('a known TLP also limits the samples that are vouched for', async () => {
  const { user } = await openDialog({ ...unknown, ...strictest('amber') });
  await user.click(screen.getByRole('checkbox', { name: /^I know their TLP/ }));
  for (const open of ['CLEAR', 'GREEN']) expect(radio(open)).toHaveProperty('disabled', true);
  expect(screen.getByRole('radiogroup', { name: 'TLP', description: /The strictest sample is AMBER/ })).toBeDefined();
});

test('samples excluded from search results are not counted among those with an unknown TLP', async () => {
  const left = { ...factsOf, isRecorded: false, tlp: null };
  await openDialog(
    { ...unknown, 'library.facts': () => ({ samples: [left, left, left], next: null }) },
    { selection: { ...selection, except: [sha256, '4'.repeat(64), '5'.repeat(64)] } },
  );
  expect(screen.getByText('None of these samples has a TLP.')).toBeDefined();
});

test('sample files are exported in an event only when ticked, and behind a password', async () => {
  const { bridge, user } = await openDialog();
  expect(screen.queryByRole('textbox', { name: 'Password' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: /^Sample files in password ZIPs/ }));
  const password = screen.getByRole('textbox', { name: 'Password' });
  expect(password).toHaveProperty('value', 'infected');
  await user.clear(password);
  expect(button('Export to folder')).toHaveProperty('disabled', true);
  await user.type(password, 'other');
  await user.click(button('Export to folder'));
  await waitFor(() =>
    expect(sent(bridge)).toEqual([{ ...asked, options: { ...asked.options, samples: { password: 'other' } } }]),
  );
});

test('ticked sample files are not included in another format', async () => {
  const { bridge, user } = await openDialog();
  await user.click(screen.getByRole('checkbox', { name: /^Sample files in password ZIPs/ }));
  await user.click(checkbox(/^MISP event/));
  await user.click(checkbox(/^STIX/));
  expect(screen.queryByRole('checkbox', { name: /^Sample files in password ZIPs/ })).toBeNull();
  await user.click(button('Export to folder'));
  await waitFor(() => expect(sent(bridge)).toEqual([{ ...asked, options: { ...asked.options, format: 'stix' } }]));
});

test('formats with a limit below the number of samples show it and cannot be chosen', async () => {
  await openDialog(strictest(null), { count: 10_001 });
  for (const name of [/^MISP event at most 10,000 samples/, /^STIX/, /^Markdown/, /^HTML/])
    expect(checkbox(name)).toHaveProperty('disabled', true);
  expect(checkbox(/^CSV/)).toHaveProperty('checked', true);
});

test('several formats start from one dialog, each as its own job, with sample files in the event alone', async () => {
  let id = 221;
  const { bridge, user, onClose } = await openDialog({
    ...strictest('amber'),
    'cases.start': () => ({ ...bulkJob, id: (id += 1) }),
  });
  await user.click(checkbox(/^HTML/));
  await user.click(checkbox(/^CSV/));
  await user.click(checkbox(/^Sample files in password ZIPs/));
  await user.click(button('Export to folder'));
  expect(await screen.findByText('Exporting the case (jobs 222 to 224)')).toBeDefined();
  const as = (format: CaseFormat, samples: { password: string } | null) => ({
    ...asked,
    options: { ...asked.options, format, samples },
  });
  expect(sent(bridge)).toEqual([as('misp', { password: 'infected' }), as('csv', null), as('html', null)]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('nothing can be exported without a format, and the dialog gives the reason', async () => {
  const { user } = await openDialog();
  await user.click(checkbox(/^MISP event/));
  expect(screen.getByRole('alert').textContent).toBe('Choose at least one format');
  expect(button('Export to folder')).toHaveProperty('disabled', true);
});

test('a job started before another format was refused is not started again', async () => {
  let isRefused = true;
  const { bridge, user } = await openDialog({
    ...strictest('amber'),
    'cases.start': ({ options: { format } }) =>
      format === 'csv' && isRefused ? fail({ kind: 'disk-full', path: '/exports' }) : { ...bulkJob, id: 222 },
  });
  await user.click(checkbox(/^CSV/));
  await user.click(button('Export to folder'));
  await screen.findByRole('alert');
  isRefused = false;
  await user.click(button('Export to folder'));
  await waitFor(() => expect(sent(bridge)).toHaveLength(3));
  expect(
    sent(bridge).map((each) => z.object({ options: z.object({ format: z.string() }) }).parse(each).options.format),
  ).toEqual(['misp', 'csv', 'csv']);
});

test('each format is a link that works once when exported through the browser', async () => {
  const { user } = await openDialog({
    ...strictest('amber'),
    'cases.prepare': ({ options: { format } }) => ({
      kind: 'browser',
      id: format,
      fileName: `Case 2026-114.${format}`,
      samples: 12,
      unknown: { count: 0, hashes: [] },
      withoutBytes: 0,
    }),
  });
  await user.click(checkbox(/^CSV/));
  await user.click(button('Export as download'));
  const [misp, csv] = await screen.findAllByRole('link', { name: /^Save Case 2026-114/ });
  expect([misp, csv].map((link) => link?.getAttribute('href'))).toEqual(['/export/misp', '/export/csv']);
  if (misp) await user.click(misp);
  expect(screen.queryByRole('link', { name: 'Save Case 2026-114.misp' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Save Case 2026-114.csv' })).toBe(document.activeElement);
});

test('an author is remembered, and an invisible one is refused at its field', async () => {
  const { user } = await openDialog();
  const author = screen.getByRole('textbox', { name: 'Author' });
  await user.type(author, '\u200b');
  expect(author.getAttribute('aria-invalid')).toBe('true');
  expect(button('Export to folder')).toHaveProperty('disabled', true);
  await user.clear(author);
  await putIn(user, author, 'CERT North');
  await user.click(checkbox(/^Markdown/));
  cleanup();
  await openDialog();
  expect(screen.getByRole('textbox', { name: 'Author' })).toHaveProperty('value', 'CERT North');
  for (const format of [/^MISP event/, /^Markdown/]) expect(checkbox(format)).toHaveProperty('checked', true);
});

test('a case exported through the browser is a link that works once', async () => {
  const { user, bridge } = await openDialog();
  await user.click(button('Export as download'));
  const link = await screen.findByRole('link', { name: 'Save case' });
  expect(link.getAttribute('href')).toBe(`/export/${'e'.repeat(64)}`);
  expect(bridge.inputsOf('cases.prepare')).toEqual([asked]);
});

test('missing parts of a download are reported beside it', async () => {
  const { user } = await openDialog({
    ...strictest('amber'),
    'cases.prepare': () => ({
      kind: 'browser',
      id: 'e'.repeat(64),
      fileName: 'case.json',
      samples: 10,
      unknown: { count: 22, hashes: [md5, sha256, '3'.repeat(32), '4'.repeat(32)] },
      withoutBytes: 1,
    }),
  });
  await user.click(button('Export as download'));
  const said = (await screen.findAllByRole('note')).map(({ textContent }) => textContent).join();
  expect(said).toContain('22 of 32 samples are not in the case');
  expect(said).toContain(`Not in the library: ${md5}, ${sha256}, ${'3'.repeat(32)}, and 19 more.`);
  expect(said).toContain('1 sample is exported without its file');
});

test('a complete download only reports that it is ready', async () => {
  const { user } = await openDialog();
  await user.click(button('Export as download'));
  await screen.findByRole('link', { name: 'Save case' });
  expect(screen.queryByRole('note')).toBeNull();
});

test('a refusal of the host is reported in place, and the dialog stays open', async () => {
  const { user, onClose } = await openDialog({
    ...strictest('amber'),
    'cases.start': () => fail({ kind: 'tlp-too-open', tlp: 'TLP:GREEN', strictest: 'TLP:AMBER' }),
  });
  await user.click(button('Export to folder'));
  expect((await screen.findByRole('alert')).textContent).toContain('less strict than a sample in the case');
  expect(onClose).not.toHaveBeenCalled();
});

test('facts of named samples are read page by page', async () => {
  const { bridge } = await openDialog(
    {
      ...withFolder,
      'library.facts': ({ after }) => ({
        samples: [{ ...factsOf, isRecorded: true, tlp: after === 0 ? 'green' : 'red' }],
        next: after === 0 ? 1 : null,
      }),
    },
    { selection: { kind: 'named', hashes: [sha256] } },
  );
  expect(bridge.inputsOf('library.facts')).toHaveLength(2);
  expect(radio('RED')).toHaveProperty('checked', true);
  expect(radio('AMBER+STRICT')).toHaveProperty('disabled', true);
});

test('the host resolves the items of a job with more than can be named', async () => {
  await openDialog(
    { ...withFolder, 'jobs.items': () => ({ items: [], total: 5001 }) },
    { selection: { kind: 'job', id: 218, filter: { states: [], find: '' } } },
  );
  expect(radio('Strictest of the samples')).toHaveProperty('checked', true);
  expect(radio('CLEAR')).toHaveProperty('disabled', false);
  expect(screen.getByRole('checkbox', { name: /^I know their TLP/ })).toHaveProperty('checked', false);
});

const factsOf = {
  sha256,
  sha1: null,
  md5: null,
  name: null,
  sizeBytes: null,
  type: null,
  isRecorded: true,
  ownTlp: null,
  threat: null,
  tags: [],
  serviceTags: [],
  hits: [],
  firstSeen: '2026-11-09T07:40:00.000Z',
  lastSeen: '2026-11-09T07:40:00.000Z',
  inVault: true,
  hasBytes: true,
};
