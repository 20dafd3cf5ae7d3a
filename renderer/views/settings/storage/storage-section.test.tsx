import 'fake-indexeddb/auto';
import '../../../test/page-surroundings.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Job } from '../../../../shared/domain/job.ts';
import type { StorageState } from '../../../../shared/domain/storage.ts';
import { fail } from '../../../../shared/failure.ts';
import { bulkJob, type GivenAnswers, host } from '../../../test/memory-bridge.ts';
import { open } from '../../../test/open-page.fixture.tsx';

afterEach(cleanup);

const kept: StorageState = {
  directory: '/home/desk/Vitrine',
  places: [{ place: 'logs', bytes: 1024, files: 1 }, { place: 'vault', bytes: 3 * 2 ** 20, files: 12 }, { place: 'lab', bytes: 0, files: 0 }],
  freeBytes: 5 * 2 ** 30, unusedBytes: 2 * 2 ** 20, samples: 12, lastCheck: null, oldCopy: null,
};
const check: Job = { ...bulkJob, id: 7, task: { kind: 'vault-check' }, workspaceId: null };

async function openStorage(answers: GivenAnswers = {}) {
  const page = await open({ 'storage.state': () => kept, ...answers });
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name: 'Storage' }));
  await waitFor(() => expect(page.bridge.inputsOf('storage.state')).not.toEqual([]));
  return page;
}

test('says where it is, what takes how much, the largest first, and what is left', async () => {
  await openStorage();
  expect(await screen.findByText('/home/desk/Vitrine')).toBeDefined();
  expect(screen.getByText('5.00 GiB')).toBeDefined();
  const rows = within(screen.getByRole('region', { name: 'What takes how much' })).getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(rows).toEqual([['Place', 'Size', 'Files'], ['Vault', '3.00 MiB', '12'], ['Log', '1.00 KiB', '1'], ['Lab', '0 bytes', '0'], ['Together', '3.00 MiB', '13']]);
  expect(screen.queryByRole('button', { name: 'Open the folder' })).toBeNull();
});

test('the folder is opened where the host can', async () => {
  const { user, bridge } = await openStorage({ 'host.describe': () => ({ ...host, capabilities: { ...host.capabilities, openFolders: true } }) });
  await user.click(await screen.findByRole('button', { name: 'Open the folder' }));
  expect(bridge.inputsOf('host.openDataFolder')).toEqual([{}]);
});

test('a check shows how far it is, and then what it found, with a way to what is not sound', async () => {
  let state = kept;
  const { user, bridge } = await openStorage({ 'storage.state': () => state, 'storage.check': () => ({ ...check, state: 'running' }) });
  expect(await screen.findByText('The vault was not checked yet.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Check the vault' }));
  expect(await screen.findByRole('progressbar', { name: /./ })).toBeDefined();
  state = { ...kept, lastCheck: { ended: '2026-11-22T10:00:00.000Z', samples: 12, missing: 1, altered: 2 } };
  bridge.tell('job.changed', { ...check, state: 'done', ended: '2026-11-22T10:00:00.000Z' });
  expect(await screen.findByText('1 missing, 2 altered')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show them' }));
  expect(await screen.findByRole('region', { name: /^Job 7/ })).toBeDefined();
});

test('a check that cannot begin says why', async () => {
  const { user } = await openStorage({ 'storage.check': () => fail({ kind: 'vault-empty' }) });
  await user.click(await screen.findByRole('button', { name: 'Check the vault' }));
  expect(await screen.findByRole('alert')).toBeDefined();
});

test('a clean-up says before what it gives back, and afterwards what it gave', async () => {
  let state = kept;
  const { user, bridge } = await openStorage({
    'storage.state': () => state,
    'storage.cleanUp': () => {
      state = { ...kept, unusedBytes: 0 };
      return { freedBytes: 2 * 2 ** 20 };
    },
  });
  expect(await screen.findByText(/It gives back 2.00 MiB/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Clean up' }));
  expect(await screen.findByText('2.00 MiB given back')).toBeDefined();
  expect(await screen.findByText(/nothing to give back/)).toBeDefined();
  expect(bridge.inputsOf('storage.cleanUp')).toEqual([{}]);
});

test('a clean-up while samples arrive says that it waits for them', async () => {
  const { user } = await openStorage({ 'storage.cleanUp': () => fail({ kind: 'storage-busy' }) });
  await user.click(await screen.findByRole('button', { name: 'Clean up' }));
  expect(await screen.findByRole('alert')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
});

test('sizes that cannot be read say so, and are read again', async () => {
  let isThere = false;
  const { user } = await openStorage({ 'storage.state': () => (isThere ? kept : fail({ kind: 'disk-failed', path: '/home/desk/Vitrine', code: 'EIO' })) });
  isThere = true;
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('/home/desk/Vitrine')).toBeDefined();
});
