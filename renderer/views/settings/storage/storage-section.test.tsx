import { bulkJob } from '../../../components/jobs/job.fixture.ts';
import '../../../test/page-surroundings.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { FolderListing } from '../../../../shared/domain/host.ts';
import type { Job } from '../../../../shared/domain/job.ts';
import type { StorageState } from '../../../../shared/domain/storage.ts';
import { fail } from '../../../../shared/failure.ts';
import { type GivenAnswers } from '../../../test/memory-bridge.ts';
import { open } from '../../../test/open-page.fixture.tsx';
import { host } from '../../../test/quiet-host.ts';

const kept: StorageState = {
  directory: '/home/desk/Vitrine',
  places: [
    { place: 'logs', bytes: 1024, files: 1 },
    { place: 'vault', bytes: 3 * 2 ** 20, files: 12 },
    { place: 'lab', bytes: 0, files: 0 },
  ],
  freeBytes: 5 * 2 ** 30,
  unusedBytes: 2 * 2 ** 20,
  samples: 12,
  lastCheck: null,
  oldCopy: null,
  lastBackup: null,
  backupFolder: null,
};
const check: Job = { ...bulkJob, id: 7, task: { kind: 'vault-check' }, workspaceId: null };

async function openStorage(answers: GivenAnswers = {}) {
  const page = await open({ 'storage.state': () => kept, ...answers });
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name: 'Storage' }));
  await waitFor(() => expect(page.bridge.inputsOf('storage.state')).not.toEqual([]));
  return page;
}

test('StorageSection shows the data folder, the disk usage, largest first, and the free space', async () => {
  await openStorage();
  expect(await screen.findByText('/home/desk/Vitrine')).toBeDefined();
  expect(screen.getByText('5.00 GiB')).toBeDefined();
  const rows = within(screen.getByRole('region', { name: 'Disk usage' }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(rows).toEqual([
    ['Location', 'Size', 'Files'],
    ['Vault', '3.00 MiB', '12'],
    ['Log', '1.00 KiB', '1'],
    ['Lab', '0 bytes', '0'],
    ['Total', '3.00 MiB', '13'],
  ]);
  expect(screen.queryByRole('button', { name: 'Open folder' })).toBeNull();
});

test('the folder is opened when the host supports it', async () => {
  const { user, bridge } = await openStorage({
    'host.describe': () => ({ ...host, capabilities: { ...host.capabilities, openFolders: true } }),
  });
  await user.click(await screen.findByRole('button', { name: 'Open folder' }));
  expect(bridge.inputsOf('host.openDataFolder')).toEqual([{}]);
});

test('a check shows its progress, and then its result, with a link to damaged samples', async () => {
  let state = kept;
  const { user, bridge } = await openStorage({
    'storage.state': () => state,
    'storage.check': () => ({ ...check, state: 'running' }),
  });
  expect(await screen.findByText('The vault has not been checked yet.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Check vault' }));
  expect(await screen.findByRole('progressbar', { name: /./ })).toBeDefined();
  state = { ...kept, lastCheck: { ended: '2026-11-22T10:00:00.000Z', samples: 12, missing: 1, altered: 2 } };
  bridge.emit('job.changed', { ...check, state: 'done', ended: '2026-11-22T10:00:00.000Z' });
  expect(await screen.findByText('1 missing, 2 modified')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show samples' }));
  expect(await screen.findByRole('region', { name: /^Job 7/ })).toBeDefined();
});

test('a halted check gives the reason, and leads to its job', async () => {
  const halted: Job = { ...check, state: 'paused', failure: { kind: 'folder-gone', path: '/home/desk/Vitrine/vault' } };
  const { user } = await openStorage({ 'jobs.list': () => ({ jobs: [halted] }) });
  expect((await screen.findByRole('alert')).textContent).toContain('/home/desk/Vitrine/vault');
  await user.click(screen.getByRole('button', { name: 'Show check' }));
  expect(await screen.findByRole('region', { name: /^Job 7/ })).toBeDefined();
});

test('a check that fails to start gives the reason', async () => {
  const { user } = await openStorage({ 'storage.check': () => fail({ kind: 'vault-empty' }) });
  await user.click(await screen.findByRole('button', { name: 'Check vault' }));
  expect(await screen.findByRole('alert')).toBeDefined();
});

test('a cleanup shows the reclaimable space before, and the reclaimed space afterwards', async () => {
  let state = kept;
  const { user, bridge } = await openStorage({
    'storage.state': () => state,
    'storage.cleanUp': () => {
      state = { ...kept, unusedBytes: 0 };
      return { freedBytes: 2 * 2 ** 20 };
    },
  });
  expect(await screen.findByText(/2.00 MiB can be reclaimed/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Clean up' }));
  expect(await screen.findByText('2.00 MiB reclaimed')).toBeDefined();
  expect(await screen.findByText(/Nothing to reclaim/)).toBeDefined();
  expect(bridge.inputsOf('storage.cleanUp')).toEqual([{}]);
});

test('a cleanup during the arrival of samples reports that it waits for them', async () => {
  const { user } = await openStorage({ 'storage.cleanUp': () => fail({ kind: 'storage-busy' }) });
  await user.click(await screen.findByRole('button', { name: 'Clean up' }));
  expect(await screen.findByRole('alert')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
});

test('unreadable sizes are reported, and read again', async () => {
  let isThere = false;
  const { user } = await openStorage({
    'storage.state': () => (isThere ? kept : fail({ kind: 'disk-failed', path: '/home/desk/Vitrine', code: 'EIO' })),
  });
  isThere = true;
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('/home/desk/Vitrine')).toBeDefined();
});

const desktop = {
  'host.describe': () => ({ ...host, capabilities: { ...host.capabilities, restarts: true } }),
} satisfies GivenAnswers;
const plan = { from: '/home/desk/Vitrine', to: '/disk/desk', bytes: 3 * 2 ** 30, files: 1200 };

test('a host that cannot restart shows the start command for a move', async () => {
  await openStorage();
  expect(await screen.findByText(/start once with --move-data-to/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Move…' })).toBeNull();
});

test('a move shows source, destination and size before the confirmation restarts', async () => {
  const { user, bridge } = await openStorage({
    ...desktop,
    'storage.planMove': () => ({ plan }),
    'jobs.list': () => ({ jobs: [{ ...check, state: 'running' }] }),
  });
  await user.click(await screen.findByRole('button', { name: 'Move…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Move all local data?' });
  expect(within(dialog).getByText('/home/desk/Vitrine')).toBeDefined();
  expect(within(dialog).getByText('/disk/desk')).toBeDefined();
  expect(within(dialog).getByText('3.00 GiB in 1,200 files')).toBeDefined();
  expect(within(dialog).getByText(/^1 job is running and resumes afterwards/)).toBeDefined();
  expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(bridge.inputsOf('storage.move')).toEqual([]);
  await user.keyboard('{Tab}{Enter}');
  await waitFor(() => expect(bridge.inputsOf('storage.move')).toEqual([{}]));
  await user.keyboard('{Escape}');
  expect(await within(dialog).findByRole('button', { name: 'Restarting…' })).toBeDefined();
});

test('a cancelled move changes nothing, and the focus stays', async () => {
  const { user, bridge } = await openStorage({ ...desktop, 'storage.planMove': () => ({ plan }) });
  await user.click(await screen.findByRole('button', { name: 'Move…' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move…' })));
  expect(bridge.inputsOf('storage.move')).toEqual([]);
});

test('a closed folder dialog does not prompt further, and an unsuitable folder gives the reason', async () => {
  let chosen: 'none' | 'full' = 'none';
  const { user, bridge } = await openStorage({
    ...desktop,
    'storage.planMove': () =>
      chosen === 'none' ? { plan: null } : fail({ kind: 'move-refused', path: '/disk', reason: 'not-empty' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Move…' }));
  await waitFor(() => expect(bridge.inputsOf('storage.planMove')).toHaveLength(1));
  expect(screen.queryByRole('dialog')).toBeNull();
  chosen = 'full';
  await user.click(screen.getByRole('button', { name: 'Move…' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Choose an empty folder');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
});

test('a refused restart is reported in the prompt', async () => {
  const { user } = await openStorage({
    ...desktop,
    'storage.planMove': () => ({ plan }),
    'storage.move': () => fail({ kind: 'move-refused', path: '/home/desk/Vitrine', reason: 'not-chosen' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Move…' }));
  await user.click(await screen.findByRole('button', { name: 'Restart and move' }));
  expect((await within(screen.getByRole('dialog')).findByRole('alert')).textContent).toContain(
    'Choose the destination folder again',
  );
  expect(within(screen.getByRole('dialog')).getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(
    false,
  );
});

const moved = { ...kept, directory: '/disk/desk', oldCopy: { path: '/home/desk/Vitrine', bytes: 3 * 2 ** 30 } };

test('the old copy of a move is removed after a confirmation, by keys alone, and leftovers are reported', async () => {
  let state: StorageState = moved;
  const { user, bridge } = await openStorage({
    'storage.state': () => state,
    'storage.removeOldCopy': () => {
      state = { ...moved, oldCopy: null };
      return { freedBytes: 2 ** 30, leftFiles: 2 };
    },
  });
  const region = await screen.findByRole('region', { name: 'Old copy' });
  expect(within(region).getByText('/home/desk/Vitrine')).toBeDefined();
  within(region).getByRole('button', { name: 'Remove old copy…' }).focus();
  await user.keyboard('{Enter}');
  const dialog = await screen.findByRole('alertdialog', { name: 'Remove old copy?' });
  expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(bridge.inputsOf('storage.removeOldCopy')).toEqual([]);
  await user.keyboard('{Tab}{Enter}');
  const reported = await screen.findByText('1.00 GiB reclaimed. 2 new or changed files left in /home/desk/Vitrine');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove old copy…' })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(reported));
});

test('an old copy in use is kept, and that is reported in the prompt', async () => {
  const { user } = await openStorage({
    'storage.state': () => moved,
    'storage.removeOldCopy': () => fail({ kind: 'data-in-use', path: '/home/desk/Vitrine' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Remove old copy…' }));
  await user.click(await screen.findByRole('button', { name: 'Remove old copy' }));
  expect(await within(screen.getByRole('alertdialog')).findByRole('alert')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Remove old copy…' })).toBeDefined();
});

const lastBackup = { path: '/disk/backup', ended: '2026-11-22T10:00:00.000Z', files: 1234, bytes: 3 * 2 ** 30 };
const backup: Job = { ...bulkJob, id: 9, task: { kind: 'backup', folder: '/disk/backup' }, workspaceId: null };
const picking = {
  'host.describe': () => ({ ...host, capabilities: { ...host.capabilities, chooseFolder: true } }),
} satisfies GivenAnswers;
const backups = (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Backup' });

test('a backup in a folder set by the host shows progress, then its result and the restore command', async () => {
  let state = kept;
  const { user, bridge } = await openStorage({
    ...picking,
    'storage.state': () => state,
    'storage.backUp': () => ({ job: { ...backup, state: 'running' } }),
  });
  const region = within(await backups());
  expect(region.getByText('No backup yet.')).toBeDefined();
  await user.click(region.getByRole('button', { name: 'Back up now' }));
  expect(bridge.inputsOf('storage.backUp')).toEqual([{}]);
  expect(await region.findByRole('progressbar', { name: /./ })).toBeDefined();
  state = { ...kept, lastBackup };
  bridge.emit('job.changed', { ...backup, state: 'done', ended: lastBackup.ended });
  expect(await region.findByText('/disk/backup')).toBeDefined();
  expect(region.getByText('3.00 GiB in 1,234 files')).toBeDefined();
  expect(region.getByText("npm run -s vitrine -- restore '/disk/backup' --data NEW_FOLDER")).toBeDefined();
  expect(region.getByRole('button', { name: 'Copy command' })).toBeDefined();
});

test.each([
  [false, "npm run -s vitrine -- restore '/disk/backup' --data NEW_FOLDER"],
  [true, "vitrine --restore '/disk/backup' --data NEW_FOLDER"],
])(
  'the desktop program names the restore command of its own start, packaged %s, not of its abilities',
  async (isPackaged, command) => {
    await openStorage({
      'host.describe': () => ({ ...desktop['host.describe'](), isPackaged }),
      'storage.state': () => ({ ...kept, lastBackup }),
    });
    expect(await within(await backups()).findByText(command)).toBeDefined();
  },
);

test('a backup without some samples reports that beside it, and leads to the job that names them', async () => {
  const job: Job = { ...backup, state: 'done', counts: { ...backup.counts, failed: 2 } };
  const { user } = await openStorage({
    ...picking,
    'storage.state': () => ({ ...kept, lastBackup }),
    'jobs.list': () => ({ jobs: [job] }),
  });
  const region = within(await backups());
  expect(await region.findByText('2 samples are not in the backup')).toBeDefined();
  await user.click(region.getByRole('button', { name: 'Show job' }));
  expect(await screen.findByRole('region', { name: /^Job 9/ })).toBeDefined();
});

const id = (digit: string): string => digit.repeat(32);
const places: FolderListing = {
  folder: null,
  parent: null,
  folders: [{ id: id('1'), name: '/home/ana', place: 'home' }],
  isCut: false,
};
const home: FolderListing = {
  folder: { id: id('1'), path: '/home/ana' },
  parent: null,
  folders: [{ id: id('2'), name: 'backup', place: null }],
  isCut: false,
};
const backupFolder: FolderListing = {
  folder: { id: id('2'), path: '/home/ana/backup' },
  parent: id('1'),
  folders: [],
  isCut: false,
};

test('a host without a picker backs up to its own folder, or to another that is chosen in the page', async () => {
  const { user, bridge } = await openStorage({ 'storage.state': () => ({ ...kept, backupFolder: '/srv/backup' }) });
  const region = within(await backups());
  expect(await region.findByText('/srv/backup')).toBeDefined();
  await user.click(region.getByRole('button', { name: 'Back up now' }));
  expect(bridge.inputsOf('storage.backUp')).toEqual([{}]);
  expect(region.getByRole('button', { name: 'Other folder…' })).toBeDefined();
});

test('the first backup of a host without a picker goes to a folder that it listed, by keyboard alone', async () => {
  let refuses = true;
  const { user, bridge } = await openStorage({
    'host.folders': ({ folder }) => (folder === null ? places : folder === id('1') ? home : backupFolder),
    'storage.backUp': () =>
      refuses ? fail({ kind: 'backup-refused', path: '/home/ana', reason: 'not-empty' }) : { job: backup },
  });
  const region = within(await backups());
  (await region.findByRole('button', { name: 'Back up now…' })).focus();
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: /^Choose an empty folder/ }));
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Up' }).disabled).toBe(true);
  await user.keyboard('{Enter}');
  expect((await dialog.findByRole('option', { name: 'backup' })).textContent).toBe('backup');
  await user.click(dialog.getByRole('button', { name: 'Back up here' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('It is not empty');
  dialog.getByRole('option', { name: 'backup' }).focus();
  await user.keyboard('{Enter}');
  expect(await dialog.findByText('/home/ana/backup')).toBeDefined();
  await user.keyboard('{Backspace}');
  expect(await dialog.findByText('/home/ana')).toBeDefined();
  await user.keyboard('{Enter}');
  expect(await dialog.findByText('/home/ana/backup')).toBeDefined();
  refuses = false;
  await user.click(dialog.getByRole('button', { name: 'Back up here' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bridge.inputsOf('storage.backUp')).toEqual([{ folder: id('1') }, { folder: id('2') }]);
});

test('a folder is made in the one that is listed, and a name that leads elsewhere is not', async () => {
  const { user, bridge } = await openStorage({
    'host.folders': ({ folder }) => (folder === null ? places : home),
    'host.makeFolder': () => backupFolder,
  });
  await user.click(await within(await backups()).findByRole('button', { name: 'Back up now…' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryByRole('button', { name: 'New folder…' })).toBeNull();
  await user.keyboard('{Enter}');
  await user.click(await dialog.findByRole('button', { name: 'New folder…' }));
  await user.keyboard('../out{Enter}');
  expect(dialog.getByText(/^Without \//)).toBeDefined();
  expect(bridge.inputsOf('host.makeFolder')).toEqual([]);
  await user.clear(dialog.getByRole('textbox', { name: 'Name of the new folder' }));
  await user.keyboard('backup{Enter}');
  expect(await dialog.findByText('No folders in here')).toBeDefined();
  expect(bridge.inputsOf('host.makeFolder')).toEqual([{ parent: id('1'), name: 'backup' }]);
});

test('an empty folder has the focus once: keys lead from its list to a new folder in it', async () => {
  const made: FolderListing = {
    folder: { id: id('3'), path: '/home/ana/backup/new' },
    parent: id('2'),
    folders: [],
    isCut: false,
  };
  const { user, bridge } = await openStorage({
    'host.folders': ({ folder }) => (folder === null ? places : folder === id('1') ? home : backupFolder),
    'host.makeFolder': () => made,
    'storage.backUp': () => ({ job: backup }),
  });
  (await within(await backups()).findByRole('button', { name: 'Back up now…' })).focus();
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog'));
  await user.keyboard('{Enter}');
  await dialog.findByRole('option', { name: 'backup' });
  await user.keyboard('{Enter}');
  await dialog.findByText('No folders in here');
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('listbox', { name: 'Folders' })));
  await user.tab();
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'New folder…' }));
  await user.keyboard('{Enter}new{Enter}');
  expect(await dialog.findByText('/home/ana/backup/new')).toBeDefined();
  expect(bridge.inputsOf('host.makeFolder')).toEqual([{ parent: id('2'), name: 'new' }]);
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('listbox', { name: 'Folders' })));
  await user.tab({ shift: true });
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Up' }));
  dialog.getByRole('button', { name: 'Back up here' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(bridge.inputsOf('storage.backUp')).toEqual([{ folder: id('3') }]));
});

test('a halted backup gives the reason, and another can be started', async () => {
  const halted: Job = { ...backup, state: 'paused', failure: { kind: 'disk-full', path: '/disk/backup' } };
  const { user, bridge } = await openStorage({
    ...picking,
    'jobs.list': () => ({ jobs: [halted] }),
    'storage.backUp': () => fail({ kind: 'backup-refused', path: '/disk/other', reason: 'other-desk' }),
  });
  const region = within(await backups());
  expect((await region.findByRole('alert')).textContent).toContain('/disk/backup');
  await user.click(region.getByRole('button', { name: 'Back up now' }));
  await waitFor(() =>
    expect(
      region
        .getAllByRole('alert')
        .map(({ textContent }) => textContent)
        .join(),
    ).toContain('It contains a backup of other data'),
  );
  expect(bridge.inputsOf('storage.backUp')).toEqual([{}]);
});

test('another backup requires a confirmation when the last one is missing', async () => {
  const { user, bridge } = await openStorage({
    ...picking,
    'storage.backUp': () => fail({ kind: 'backup-refused', path: '/disk/backup', reason: 'no-backup' }),
  });
  const region = within(await backups());
  await user.click(region.getByRole('button', { name: 'Back up now' }));
  expect((await region.findByRole('alert')).textContent).toContain('its disk may not be connected');
  await user.click(region.getByRole('button', { name: 'Start new backup there' }));
  expect(bridge.inputsOf('storage.backUp')).toEqual([{}, { startOver: true }]);
});

test('the last good backup stays visible beside a halted one, and one that failed late is reported', async () => {
  const failure = { kind: 'disk-full', path: '/disk/backup' } as const;
  const answers = { ...picking, 'storage.state': () => ({ ...kept, lastBackup }) };
  await openStorage({ ...answers, 'jobs.list': () => ({ jobs: [{ ...backup, state: 'paused' as const, failure }] }) });
  expect(await within(await backups()).findByText('3.00 GiB in 1,234 files')).toBeDefined();
  cleanup();
  await openStorage({ ...answers, 'jobs.list': () => ({ jobs: [{ ...backup, state: 'done' as const, failure }] }) });
  expect((await within(await backups()).findByRole('alert')).textContent).toContain('/disk/backup');
});
