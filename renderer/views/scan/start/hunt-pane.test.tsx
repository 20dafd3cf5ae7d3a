import { huntJob } from '../../../components/jobs/job.fixture.ts';
import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationInput } from '../../../../shared/contract.ts';
import { fail } from '../../../../shared/failure.ts';
import { openScanView, someEstimate } from '../open-scan.fixture.tsx';

const pane = () => within(screen.getByRole('region', { name: 'Hunt the vault' }));
const facts = (): (string | null)[] =>
  [...screen.getByRole('region', { name: 'Hunt the vault' }).querySelectorAll('dd')].map(
    ({ textContent }) => textContent,
  );

test('a hunt shows its number of rules, its samples and its estimated time before it starts', async () => {
  const { user, bridge } = await openScanView();
  const button = await screen.findByRole('button', { name: 'Hunt 8,214 samples' });
  expect(facts()).toEqual([
    '5',
    '8,214',
    '61.3 GiB',
    '41,070 of 3,359,526 rule × sample pairs',
    'about 6 min, native engine',
  ]);
  expect(pane().getByText('8,214 of 8,214 samples not yet scanned with 5 rules.')).toBeDefined();
  expect(pane().getByRole('note', { name: 'First rules' }).textContent).toBe(
    'ashveil_config_xor, quillpost_macro_chain and 3 more',
  );
  expect(pane().getByText('1 rule removed: its hits are marked as lost.')).toBeDefined();
  expect(pane().getByText('Last hunted with 2026.11.03, 2026-11-03 15:00Z')).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'New and changed rules' }).checked).toBe(true);
  await user.click(button);
  await waitFor(() =>
    expect(bridge.inputsOf('hunts.start')).toEqual([{ workspaceId: 'lab', scope: { kind: 'changed' } }]),
  );
  expect(await screen.findByText('Hunt, 8,214 samples')).toBeDefined();
});

test('a hunt with all rules has its own numbers', async () => {
  const estimate = ({ scope }: OperationInput<'hunts.estimate'>) =>
    scope.kind === 'all' ? { ...someEstimate, rules: 409, removed: [], seconds: null } : someEstimate;
  const { user, bridge } = await openScanView({ 'hunts.estimate': estimate });
  await user.click(await screen.findByRole('radio', { name: 'All rules' }));
  await waitFor(() =>
    expect(facts()).toEqual([
      '409',
      '8,214',
      '61.3 GiB',
      '41,070 of 3,359,526 rule × sample pairs',
      'unknown until the first hunt',
    ]),
  );
  await user.click(screen.getByRole('button', { name: 'Hunt 8,214 samples' }));
  await waitFor(() => expect(bridge.inputsOf('hunts.start')).toEqual([{ workspaceId: 'lab', scope: { kind: 'all' } }]));
});

const idle = { rules: 0, names: [], removed: [], samples: 0, bytes: 0, unseen: { rules: 0, samples: 0, pairs: 0 } };

test.each([
  ['nothing is new', () => ({ ...someEstimate, ...idle }), 'Nothing to hunt: every rule has scanned every sample.'],
  [
    'it is not known what earlier hunts looked at',
    () => ({ ...someEstimate, isFirst: true }),
    'What earlier hunts covered is unknown, so the next hunt scans everything.',
  ],
  ['nothing is installed', () => fail({ kind: 'no-package' }), 'No rules installed.'],
  [
    'the vault is empty',
    () => ({ ...someEstimate, ...idle, total: { rules: 409, samples: 0 } }),
    'The vault is empty.',
  ],
  ['nothing was hunted before', () => ({ ...someEstimate, against: null }), 'No hunt yet.'],
] as const)('HuntPane reports that %s', async (_, estimate, words) => {
  await openScanView({ 'hunts.estimate': estimate });
  expect(await pane().findByText(words)).toBeDefined();
});

test('no hunt can start without rules or without samples', async () => {
  await openScanView({ 'hunts.estimate': () => ({ ...someEstimate, ...idle }) });
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Hunt' })).disabled).toBe(true);
});

test('removed rules are hunted for their lost hits', async () => {
  await openScanView({ 'hunts.estimate': () => ({ ...someEstimate, ...idle, removed: ['brassmoth_beacon_old'] }) });
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Hunt' })).disabled).toBe(false);
});

test('samples scanned with an older engine have their own count and hunt button', async () => {
  const { user, bridge } = await openScanView({
    'hunts.estimate': () => ({ ...someEstimate, ...idle, older: { rules: 409, samples: 8214, pairs: 409 * 8214 } }),
  });
  expect(await pane().findByText('409 rules scanned 8,214 samples with an older engine only.')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Hunt' }).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Hunt again with the newer engine' }));
  await waitFor(() =>
    expect(bridge.inputsOf('hunts.start')).toEqual([{ workspaceId: 'lab', scope: { kind: 'engine' } }]),
  );
});

test('the estimate of a hunt is updated when one has ended', async () => {
  let rules = 5;
  const { bridge } = await openScanView({ 'hunts.estimate': () => ({ ...someEstimate, rules }) });
  await screen.findByRole('button', { name: 'Hunt 8,214 samples' });
  rules = 2;
  act(() => bridge.emit('job.changed', { ...huntJob, state: 'done' }));
  await waitFor(() => expect(facts()[0]).toBe('2'));
});

test('the estimate of a hunt is updated when the vault grows', async () => {
  let samples = 8214;
  const { bridge } = await openScanView({ 'hunts.estimate': () => ({ ...someEstimate, samples }) });
  await screen.findByRole('button', { name: 'Hunt 8,214 samples' });
  samples = 8215;
  act(() => bridge.emit('library.changed', {}));
  expect(await screen.findByRole('button', { name: 'Hunt 8,215 samples' })).toBeDefined();
});
