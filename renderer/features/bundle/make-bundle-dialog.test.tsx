import { bulkJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import { type GivenAnswers, MemoryBridge } from '../../test/memory-bridge.ts';
import { host, sha256 } from '../../test/quiet-host.ts';
import { TestProviders } from '../../test/test-providers.fixture.tsx';
import { putIn } from '../../test/put-in.ts';
import { rowOf } from '../library/library-row.fixture.ts';
import { factsOf } from '../library/sample-facts.fixture.ts';
import { MakeBundleDialog } from './make-bundle-dialog.tsx';

beforeEach(() => globalThis.localStorage.clear());

const passphrase = 'kestrel otter brine lantern quill';
const button = (name: string): HTMLElement => screen.getByRole('button', { name });

async function openDialog(answers: GivenAnswers = {}) {
  const bridge = new MemoryBridge({ 'host.describe': () => ({ ...host, exportFolder: '/exports' }), ...answers });
  const user = userEvent.setup();
  const onClose = vi.fn();
  render(
    <TestProviders bridge={bridge}>
      <MakeBundleDialog
        selection={{ kind: 'named', hashes: [sha256] }}
        count={1}
        title="update_helper.dll"
        onClose={onClose}
      />
    </TestProviders>,
  );
  await screen.findByRole('button', { name: 'Copy fingerprint' });
  return { bridge, user, onClose };
}

test('a bundle is created only with a name and a passphrase that was typed twice', async () => {
  const { user, bridge, onClose } = await openDialog();
  expect(button('Cancel')).toBe(document.activeElement);
  const make = button('Export to folder');
  await putIn(user, screen.getByLabelText('Passphrase'), passphrase);
  expect(screen.getByRole('textbox', { name: 'Author' }).getAttribute('aria-invalid')).toBe('true');
  await putIn(user, screen.getByRole('textbox', { name: 'Author' }), 'A. Weber');
  expect(make).toHaveProperty('disabled', true);
  await putIn(user, screen.getByLabelText('Repeat passphrase'), `${passphrase}s`);
  expect(screen.getByText('The passphrases do not match')).toBeDefined();
  expect(make).toHaveProperty('disabled', true);
  await user.keyboard('{Backspace}');
  expect(make).toHaveProperty('disabled', false);
  await user.click(screen.getByRole('checkbox', { name: 'Comments' }));
  await user.click(make);
  expect(await screen.findByText('Exporting the bundle (job 223)')).toBeDefined();
  expect(bridge.inputsOf('bundles.start')).toEqual([
    {
      selection: { kind: 'named', hashes: [sha256] },
      parts: { samples: true, notes: false, threads: true, rules: false },
      title: 'update_helper.dll',
      author: 'A. Weber',
      passphrase,
      workspaceId: 'lab',
    },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('samples with an unknown TLP are reported, and their records can be fetched', async () => {
  const reading: Job = {
    ...bulkJob,
    id: 223,
    task: { kind: 'library-change', what: 'records', add: [], remove: [], addsNote: false },
    items: 1,
    counts: { ...bulkJob.counts, waiting: 1 },
    active: [],
    failure: null,
  };
  let isRecorded = false;
  const { user, bridge } = await openDialog({
    'library.facts': () => ({ samples: [factsOf(rowOf(1, { isRecorded }))], next: null }),
    'library.readRecords': () => reading,
  });
  expect(await screen.findByText('The TLP of 1 sample is unknown')).toBeDefined();
  await user.click(button('Fetch metadata from Lab (this computer)'));
  expect(bridge.inputsOf('library.readRecords')).toEqual([
    { selection: { kind: 'named', hashes: [sha256] }, workspaceId: 'lab' },
  ]);
  isRecorded = true;
  act(() =>
    bridge.emit('job.changed', { ...reading, state: 'done', counts: { ...bulkJob.counts, waiting: 0, done: 1 } }),
  );
  await waitFor(() => expect(screen.queryByText(/The TLP of .* is unknown/)).toBeNull());
  expect(document.activeElement).not.toBe(document.body);
});

test('samples that are not in the vault are named as without their file, while files are included', async () => {
  const { user } = await openDialog({
    'library.facts': () => ({
      samples: [
        factsOf(rowOf(1, { name: 'here.exe', vault: 'held' })),
        factsOf(rowOf(2, { name: 'gone.exe', vault: 'none' })),
      ],
      next: null,
    }),
  });
  expect(await screen.findByText(/goes without its file$/)).toBeDefined();
  expect(screen.getByText('Not in the vault: gone.exe. Everything else known about them is included.')).toBeDefined();
  await user.click(screen.getByRole('checkbox', { name: 'Sample files' }));
  expect(screen.queryByText(/goes without its file$/)).toBeNull();
});

test('notes and comments are included only by choice, and Enter in the last field creates the bundle', async () => {
  const { user, bridge } = await openDialog();
  const ticked = ['Sample files', 'Notes', 'Comments'].map(
    (name) => screen.getByRole<HTMLInputElement>('checkbox', { name }).checked,
  );
  expect(ticked).toEqual([true, false, false]);
  await putIn(user, screen.getByRole('textbox', { name: 'Author' }), 'A. Weber');
  await putIn(user, screen.getByLabelText('Passphrase'), passphrase);
  await putIn(user, screen.getByLabelText('Repeat passphrase'), passphrase.slice(0, -1));
  await user.keyboard('{Enter}');
  expect(bridge.inputsOf('bundles.start')).toEqual([]);
  await user.keyboard(`${passphrase.slice(-1)}{Enter}`);
  expect(await screen.findByText('Exporting the bundle (job 223)')).toBeDefined();
});

test('the second passphrase field reports the missing part during typing', async () => {
  const { user } = await openDialog();
  await putIn(user, screen.getByLabelText('Passphrase'), passphrase);
  expect(screen.getByText('Enter the passphrase again')).toBeDefined();
  await putIn(user, screen.getByLabelText('Repeat passphrase'), passphrase.slice(0, 5));
  expect(screen.getByText('Not complete yet')).toBeDefined();
  await putIn(user, screen.getByLabelText('Repeat passphrase'), passphrase.slice(5));
  expect(screen.queryByText('Not complete yet')).toBeNull();
});

test('a click outside the dialog closes it only when nothing was typed', async () => {
  const { user, onClose } = await openDialog();
  const beside = (): Promise<void> => user.click(document.body);
  const title = screen.getByRole('textbox', { name: 'Title' });
  await user.type(title, 'x');
  await beside();
  expect(onClose).not.toHaveBeenCalled();
  await user.type(title, '{Backspace}');
  await beside();
  expect(onClose).toHaveBeenCalledOnce();
});

test('Escape prompts before it discards typed text', async () => {
  const { user, onClose } = await openDialog();
  const field = screen.getByLabelText('Passphrase');
  fireEvent.change(field, { target: { value: passphrase } });
  act(() => field.focus());
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('alertdialog', { name: 'Discard changes?' })).toBeDefined();
  expect(button('Keep editing')).toBe(document.activeElement);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field).toHaveProperty('value', passphrase);
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('Escape does not prompt once the bundle is being created from the typed text', async () => {
  const begun = Promise.withResolvers<never>();
  const { user, bridge, onClose } = await openDialog({ 'bundles.start': () => begun.promise });
  fireEvent.change(screen.getByRole('textbox', { name: 'Author' }), { target: { value: 'A. Weber' } });
  for (const name of ['Passphrase', 'Repeat passphrase'])
    fireEvent.change(screen.getByLabelText(name), { target: { value: passphrase } });
  await user.click(button('Export to folder'));
  await waitFor(() => expect(bridge.inputsOf('bundles.start')).toHaveLength(1));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(onClose).toHaveBeenCalledOnce();
});

test.each([
  ['Escape closes it at once where nothing was typed', '', '{Escape}'],
  ['its button closes it at once', 'x', '{Enter}'],
])('%s', async (_way, typed, key) => {
  const { user, onClose } = await openDialog();
  fireEvent.change(screen.getByLabelText('Passphrase'), { target: { value: typed } });
  act(() => button('Cancel').focus());
  await user.keyboard(key);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a short passphrase reports the missing length and the value of a longer one', async () => {
  const { user } = await openDialog();
  const field = screen.getByLabelText('Passphrase');
  await putIn(user, field, 'kestrel');
  expect(screen.getByText('Too short: 5 more characters needed')).toBeDefined();
  await putIn(user, field, ' otter brine');
  expect(screen.getByText(/^Weak:/)).toBeDefined();
  await putIn(user, field, ' lantern quill');
  expect(screen.getByText(/^Strong/)).toBeDefined();
});

test('the dialog shows the own key, and whether it lasts only until the program ends', async () => {
  await openDialog();
  expect(screen.getByText(/This key is lost when you quit/)).toBeDefined();
  cleanup();
  await openDialog({ 'bundles.signer': () => ({ fingerprint: 'f'.repeat(64), isDurable: true }) });
  expect(screen.queryByText(/This key is lost/)).toBeNull();
});

test('rules can be included only when some are active', async () => {
  await openDialog();
  await waitFor(() =>
    expect(screen.getByRole('checkbox', { name: 'Active rules: none in this workspace' })).toHaveProperty(
      'disabled',
      true,
    ),
  );
});
