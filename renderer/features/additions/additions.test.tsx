import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AddedFile } from '../../../shared/domain/addition.ts';
import { fail } from '../../../shared/failure.ts';
import { bulkJob } from '../../components/jobs/job.fixture.ts';
import type { GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';

async function openLibrary(answers: GivenAnswers = {}) {
  const page = await open(answers);
  await page.user.click(screen.getByRole('button', { name: /^Library/ }));
  await screen.findByRole('heading', { level: 1, name: 'Library' });
  return page;
}

async function openDialog(answers: GivenAnswers = {}) {
  const page = await openLibrary(answers);
  const [button] = screen.getAllByRole('button', { name: 'Add files…' });
  if (button === undefined) throw new TypeError('no button');
  await page.user.click(button);
  return { ...page, dialog: await screen.findByRole('dialog', { name: 'Add files to the vault' }) };
}

function pick(...names: string[]): void {
  const picker = document.querySelector<HTMLInputElement>('[data-picker=library-files]');
  if (picker === null) throw new TypeError('no picker');
  fireEvent.change(picker, { target: { files: names.map((name) => new File(['bytes'], name)) } });
}

const addButton = (dialog: HTMLElement): HTMLButtonElement =>
  within(dialog).getByRole<HTMLButtonElement>('button', { name: /^Add/ });

test('the dialog states that nothing is sent, and has nothing to add before files are chosen', async () => {
  const { dialog, bridge } = await openDialog();
  expect(dialog.textContent).toContain('Nothing is sent, and no service is contacted.');
  expect(dialog.textContent).toContain('No files chosen');
  expect(addButton(dialog).disabled).toBe(true);
  expect(bridge.inputsOf('library.draftAdd')).toEqual([]);
});

test('chosen files start a job with their passwords, and the job can be shown', async () => {
  const { dialog, bridge, user } = await openDialog();
  pick('one.bin', 'mail.zip');
  await waitFor(() => expect(addButton(dialog).disabled).toBe(false));
  expect(dialog.textContent).toContain('2 files, 10 bytes');
  await user.type(within(dialog).getByRole('textbox', { name: 'Passwords for archives' }), 'Monday\nSunday\n');
  await user.click(addButton(dialog));
  await waitFor(() =>
    expect(bridge.inputsOf('library.beginAdd')).toEqual([{ job: 224, passwords: ['Monday', 'Sunday'] }]),
  );
  expect(bridge.inputsOf('library.draftAdd')).toEqual([{ opensArchives: true }]);
  expect(bridge.inputsOf('library.addFiles')).toMatchObject([{ job: 224, files: [{ path: '' }, { path: '' }] }]);
  await waitFor(() => expect(dialog.isConnected).toBe(false));
  await screen.findByText('Adding 2 files (job 224)');
  expect(bridge.inputsOf('uploads.add')).toEqual([]);
});

test('archives that are added without unpacking need no password', async () => {
  const { dialog, bridge, user } = await openDialog();
  pick('mail.zip');
  await waitFor(() => expect(addButton(dialog).disabled).toBe(false));
  await user.type(within(dialog).getByRole('textbox', { name: 'Passwords for archives' }), 'Monday');
  await user.click(within(dialog).getByRole('checkbox', { name: /^Open ZIP archives/ }));
  expect(within(dialog).queryByRole('textbox')).toBeNull();
  await user.click(addButton(dialog));
  await waitFor(() => expect(bridge.inputsOf('library.beginAdd')).toEqual([{ job: 224, passwords: [] }]));
  expect(bridge.inputsOf('library.draftAdd')).toEqual([{ opensArchives: false }]);
});

test('a job that cannot be created is reported in the dialog, and its draft is discarded', async () => {
  const { dialog, bridge, user } = await openDialog({
    'library.addFiles': () => fail({ kind: 'disk-full', path: '/data' }),
  });
  pick('one.bin');
  await waitFor(() => expect(addButton(dialog).disabled).toBe(false));
  await user.click(addButton(dialog));
  await within(dialog).findByRole('alert');
  expect(bridge.inputsOf('jobs.forget')).toEqual([{ id: 224 }]);
  expect(bridge.inputsOf('library.beginAdd')).toEqual([]);
  expect(addButton(dialog).disabled).toBe(false);
});

test('a cancelled dialog forgets the chosen files', async () => {
  const { dialog, user } = await openDialog();
  pick('one.bin');
  await waitFor(() => expect(addButton(dialog).disabled).toBe(false));
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(dialog.isConnected).toBe(false));
  await user.click(screen.getAllByRole('button', { name: 'Add files…' })[0] ?? document.body);
  const again = await screen.findByRole('dialog', { name: 'Add files to the vault' });
  expect(again.textContent).toContain('No files chosen');
});

const fileOf = (rank: string, name: string, facts: Partial<AddedFile>): AddedFile => ({
  rank,
  name,
  path: '',
  sizeBytes: 7,
  md5: null,
  sha1: null,
  sha256: null,
  mime: null,
  state: 'stored',
  failure: null,
  archive: null,
  remarks: [],
  ...facts,
});
const locked = fileOf('000001.', 'mail.zip', {
  archive: { state: 'locked', members: 1, remarks: [{ kind: 'no-directory' }], failure: null },
});
const refused = fileOf('000001.000001.', 'evil\u202egpj.exe', {
  path: 'mail.zip!',
  state: 'failed',
  failure: { kind: 'archive-password', name: 'x' },
});
const files = [locked, refused];

test('the job shows each file with its outcome, members below their archive, and only those to review', async () => {
  const job = {
    ...bulkJob,
    id: 224,
    task: { kind: 'library-add' as const, opensArchives: true },
    workspaceId: null,
    state: 'done' as const,
  };
  const counts = { states: { failed: 1, empty: 0, waiting: 0, stored: 4, 'already-here': 0, opened: 0 }, closed: 1 };
  const { user, bridge } = await open({
    'jobs.list': () => ({ jobs: [job] }),
    'library.added': ({ toSee, offset, limit }) => ({
      files: files.slice(offset, offset + limit),
      total: toSee === true ? 2 : 5,
      counts,
    }),
  });
  await user.click(screen.getByRole('button', { name: /^Activity/ }));
  const table = await screen.findByRole('grid', { name: 'Files of job 224' });
  await within(table).findByText('Stored as is: no known password opens it', { exact: false });
  expect(within(table).getByText(/evil.*exe/).textContent).not.toContain('\u202e');
  await user.click(screen.getByRole('button', { name: '2 to review' }));
  await waitFor(() =>
    expect(bridge.inputsOf('library.added')).toContainEqual({ job: 224, toSee: true, offset: 0, limit: 100 }),
  );
});
