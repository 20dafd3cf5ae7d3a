import { bulkJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { BundleFacts, BundleOpening } from '../../../shared/domain/bundle.ts';
import { fail } from '../../../shared/failure.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { lab } from '../../test/quiet-host.ts';
import { bundleFacts, bundleOpening } from './bundle.fixture.ts';

const importJob = { ...bulkJob, id: 224, task: { kind: 'bundle-import' as const, name: 'case.vitrine-bundle' } };
const bundle = new File(['sealed'], 'case.vitrine-bundle');
const dialog = (): HTMLElement => screen.getByRole('dialog');
const button = (name: string): HTMLElement => within(dialog()).getByRole('button', { name });

async function openFromPalette(answers: GivenAnswers = {}) {
  const { user, bridge } = await open(answers);
  const ask = async (): Promise<void> => {
    await user.keyboard('{Control>}k{/Control}open a bundle{Enter}');
    await screen.findByRole('dialog');
  };
  await ask();
  const pick = async (file = bundle): Promise<void> => {
    const input = document.querySelector<HTMLInputElement>('[data-picker=bundle]');
    if (input === null) throw new Error('no picker');
    fireEvent.change(input, { target: { files: [file] } });
    await screen.findByLabelText('Passphrase');
  };
  const unlock = async (passphrase: string): Promise<void> => user.keyboard(`${passphrase}{Enter}`);
  const report = (opening: BundleOpening | null): void => act(() => bridge.emit('bundles.changed', { opening }));
  return { user, bridge, ask, pick, unlock, report };
}

/** The dialog over a bundle that was read. */
const openRead = (facts: Partial<BundleFacts> = {}, more: GivenAnswers = {}) =>
  openFromPalette({
    'bundles.opening': () => ({ opening: bundleOpening('ready', { facts: { ...bundleFacts, ...facts } }) }),
    ...more,
  });

test('a bundle is chosen, decrypted, read, reviewed and imported as a job with keys alone', async () => {
  const { user, bridge, pick, unlock, report } = await openFromPalette({
    'bundles.open': () => bundleOpening('reading'),
    'bundles.import': () => importJob,
  });
  expect(button('Choose file…')).toBe(document.activeElement);
  await pick();
  expect(screen.getByLabelText('Passphrase')).toBe(document.activeElement);
  await unlock('a long passphrase');
  expect(
    (await screen.findByRole('progressbar', { name: 'Reading case.vitrine-bundle' })).getAttribute('aria-valuenow'),
  ).toBe('41.40625');
  expect(bridge.inputsOf('bundles.open')).toEqual([
    { stagedId: '1'.padStart(32, '0'), passphrase: 'a long passphrase' },
  ]);
  report(bundleOpening('ready'));
  expect(await screen.findByRole('heading', { name: 'Import “Case 2026-114”?' })).toBeDefined();
  expect(button('Close')).toBe(document.activeElement);
  await user.click(button('Import'));
  expect(bridge.inputsOf('bundles.import')).toEqual([{ id: 'b1', workspaceId: 'lab' }]);
  report(bundleOpening('importing', { job: 224 }));
  expect(await screen.findByRole('heading', { name: 'Importing “Case 2026-114”' })).toBeDefined();
  act(() =>
    bridge.emit('job.changed', {
      ...importJob,
      state: 'done',
      counts: { ...importJob.counts, done: importJob.items, waiting: 0 },
    }),
  );
  report(bundleOpening('imported', { job: 224 }));
  expect(await screen.findByRole('heading', { name: 'Imported “Case 2026-114”' })).toBeDefined();
  await waitFor(() => expect(button('Show job')).toHaveProperty('disabled', false));
  await user.click(button('Show job'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Activity' })).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a wrong passphrase is reported at its field, and a retry does not upload the file again', async () => {
  let tries = 0;
  const { bridge, pick, unlock, user } = await openFromPalette({
    'bundles.open': () => {
      tries += 1;
      return tries === 1
        ? bundleOpening('refused', { failure: { kind: 'bundle-passphrase-wrong' } })
        : bundleOpening('reading', { id: 'b2' });
    },
  });
  await pick();
  await unlock('not this one');
  const field = await screen.findByLabelText('Passphrase');
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  const described = (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');
  expect(described).toContain('Wrong passphrase for this bundle');
  await user.clear(field);
  expect(field.getAttribute('aria-invalid')).toBeNull();
  await unlock('the right one');
  expect(await screen.findByRole('progressbar')).toBeDefined();
  expect(bridge.inputsOf('bundles.open')).toEqual([
    { stagedId: '1'.padStart(32, '0'), passphrase: 'not this one' },
    { stagedId: '1'.padStart(32, '0'), passphrase: 'the right one' },
  ]);
});

test('a file that the host has released is uploaded once more', async () => {
  let tries = 0;
  const { bridge, pick, unlock, user } = await openFromPalette({
    'bundles.open': ({ stagedId }) => {
      tries += 1;
      if (tries === 1) return bundleOpening('refused', { failure: { kind: 'bundle-passphrase-wrong' } });
      return tries === 2 ? fail({ kind: 'staged-file-missing', id: stagedId }) : bundleOpening('reading', { id: 'b2' });
    },
  });
  await pick();
  await unlock('not this one');
  await waitFor(() => expect(screen.getByLabelText('Passphrase').getAttribute('aria-invalid')).toBe('true'));
  await user.clear(screen.getByLabelText('Passphrase'));
  await unlock('the right one');
  expect(await screen.findByRole('progressbar')).toBeDefined();
  expect(bridge.inputsOf('bundles.open').at(-1)).toEqual({
    stagedId: '2'.padStart(32, '0'),
    passphrase: 'the right one',
  });
});

test.each([
  [{ kind: 'bundle-damaged', atByte: 4096 } as const, 'This bundle is damaged or was modified'],
  [{ kind: 'bundle-truncated', receivedBytes: 10 } as const, 'This bundle is incomplete'],
  [{ kind: 'bundle-newer', found: 9, supported: 1 } as const, 'This bundle is from a newer version of Vitrine'],
  [{ kind: 'bundle-not-signed' } as const, 'The bundle’s signature is not valid'],
  [{ kind: 'bundle-unknown', name: 'case.vitrine-bundle' } as const, '“case.vitrine-bundle” is not a bundle'],
])('a refusal is reported in place, and another file can be chosen: %j', async (failure, what) => {
  const { user, bridge, report } = await openFromPalette({
    'bundles.opening': () => ({ opening: bundleOpening('reading') }),
  });
  await screen.findByRole('progressbar');
  report(bundleOpening('refused', { failure }));
  expect((await screen.findByRole('alert')).textContent).toContain(what);
  await user.click(button('Choose another file…'));
  expect(bridge.inputsOf('bundles.close')).toEqual([{ id: 'b1' }]);
  expect(await screen.findByRole('button', { name: 'Choose file…' })).toBeDefined();
});

test('a host report of a reading that precedes its start answer counts as newer', async () => {
  const { bridge, pick, unlock } = await openFromPalette({
    'bundles.open': () => {
      bridge.emit('bundles.changed', {
        opening: bundleOpening('refused', { failure: { kind: 'bundle-truncated', receivedBytes: 10 } }),
      });
      return bundleOpening('reading');
    },
  });
  await pick();
  await unlock('a long passphrase');
  expect((await screen.findByRole('alert')).textContent).toContain('This bundle is incomplete');
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('closing a bundle leaves one opened elsewhere meanwhile open', async () => {
  const { user, bridge } = await openFromPalette({
    'bundles.opening': () => ({ opening: bundleOpening('refused', { failure: { kind: 'bundle-not-signed' } }) }),
    'bundles.close': () => {
      bridge.emit('bundles.changed', { opening: bundleOpening('reading', { id: 'b2', name: 'other.vitrine-bundle' }) });
      return {};
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Choose another file…' }));
  expect(await screen.findByRole('progressbar', { name: 'Reading other.vitrine-bundle' })).toBeDefined();
});

test('a closed dialog continues reading, reports the end and reopens in its current state', async () => {
  const { user, ask, report, bridge } = await openFromPalette({
    'bundles.opening': () => ({ opening: bundleOpening('reading') }),
  });
  await screen.findByRole('progressbar');
  report(bundleOpening('reading', { readBytes: 64_000_000 }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  report(bundleOpening('ready'));
  expect(await screen.findByText('case.vitrine-bundle is ready to import: review the changes')).toBeDefined();
  await ask();
  expect(screen.getByRole('heading', { name: 'Import “Case 2026-114”?' })).toBeDefined();
  expect(bridge.inputsOf('bundles.close')).toEqual([]);
});

test('stopping a reading leaves nothing open, also when the host reports it before its answer', async () => {
  const { user, bridge, pick, unlock } = await openFromPalette({
    'bundles.open': () => bundleOpening('reading'),
    'bundles.close': () => {
      bridge.emit('bundles.changed', { opening: null });
      return {};
    },
  });
  await pick();
  await unlock('a long passphrase');
  await screen.findByRole('progressbar');
  await user.click(button('Stop reading'));
  expect(await screen.findByRole('button', { name: 'Choose file…' })).toBe(document.activeElement);
  expect(bridge.inputsOf('bundles.close')).toEqual([{ id: 'b1' }]);
});

test('the review counts every kind of change, both kept and incoming', async () => {
  await openRead();
  const rows = within(await screen.findByRole('table', { name: 'Changes' }))
    .getAllByRole('row')
    .slice(1);
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    [
      'Samples',
      '96 new, 96.3 MiB of new data',
      '13 already in the library, 3 without sample files, 3 conflicting, skipped',
    ],
    ['Records', '96 new, 3 newer', '9 identical, 1 older, 2 conflicting, skipped'],
    ['Tags', '240 new', ''],
    ['Notes', '4 new, 1 appended to yours', '2 identical'],
    ['Comments', '31 new', '4 identical'],
    ['TLP', '12 stricter', '80 identical'],
    ['Rules', '2026.11.10, ready to install', ''],
  ]);
});

test('an unknown key is warned of; a known one is not', async () => {
  await openRead();
  expect((await screen.findByText(/check the fingerprint/)).textContent).toContain('by phone');
  cleanup();
  await openRead({ signer: { ...bundleFacts.signer, standing: 'known' } });
  expect(await screen.findByText('Known key, imported from before')).toBeDefined();
  expect(screen.queryByText(/check the fingerprint/)).toBeNull();
});

test('a new key under the name of another known key has its own warning', async () => {
  await openRead({ signer: { ...bundleFacts.signer, isNamesake: true } });
  expect(await screen.findByText('“A. Weber, CERT North” is known with a different key')).toBeDefined();
  expect(screen.queryByText('Unknown key')).toBeNull();
});

test('the numbers follow the target workspace', async () => {
  const team = { ...lab, id: 'team', name: 'Team', builtIn: false };
  const { user } = await openRead(
    {},
    {
      'workspaces.list': () => ({
        workspaces: [lab, team, { ...team, id: 'new', name: 'New' }],
        current: 'lab',
        damaged: [],
      }),
    },
  );
  const records = (): string => screen.getByRole('row', { name: /^Records/ }).textContent;
  await screen.findByRole('option', { name: team.name });
  expect(records()).toBe('Records96 new, 3 newer9 identical, 1 older, 2 conflicting, skipped');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Workspace' }), team.id);
  expect(records()).toBe('Recordsnone109 identical');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Workspace' }), 'new');
  expect(screen.queryByRole('row', { name: /^Records/ })).toBeNull();
  expect(screen.getByText(/its changes are not listed/)).toBeDefined();
});

test('names in a bundle are shown as text, with hidden characters spelled out', async () => {
  await openRead({ title: 'annual\u202efdp.exe <b>', signer: { ...bundleFacts.signer, name: 'a\u200bb' } });
  expect(await screen.findByRole('heading', { name: 'Import “annual\\u202efdp.exe <b>”?' })).toBeDefined();
  expect(screen.getByText('a\\u200bb')).toBeDefined();
});

test('a failed import is reported in place', async () => {
  const { user } = await openRead({}, { 'bundles.import': () => fail({ kind: 'bundle-not-ready' }) });
  await user.click(await screen.findByRole('button', { name: 'Import' }));
  expect((await screen.findByRole('alert')).textContent).toContain('No bundle is ready');
  expect(dialog()).toBeDefined();
});

/** Escape, and then the settings view. */
async function leave(user: Awaited<ReturnType<typeof openFromPalette>>['user']): Promise<void> {
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Settings' }));
}

test('a failed import is reported after the dialog was left', async () => {
  const answer = Promise.withResolvers<void>();
  const { user } = await openRead(
    {},
    { 'bundles.import': async () => answer.promise.then(() => fail({ kind: 'bundle-not-ready' })) },
  );
  await user.click(await screen.findByRole('button', { name: 'Import' }));
  await leave(user);
  await act(async () => answer.resolve());
  expect(await screen.findByText(/^“Case 2026-114” was not imported: No bundle is ready/)).toBeDefined();
});

test('a failed opening is reported after the dialog was left', async () => {
  const answer = Promise.withResolvers<void>();
  const { user, pick, unlock } = await openFromPalette({
    'bundles.open': async () => answer.promise.then(() => fail({ kind: 'data-gone', path: '/data' })),
  });
  await pick();
  await unlock('a long passphrase');
  await leave(user);
  await act(async () => answer.resolve());
  expect(await screen.findByText(/^case.vitrine-bundle was not opened: /)).toBeDefined();
});

test('a bundle dropped anywhere is opened, and other drops keep their own handling', async () => {
  const { bridge } = await open({});
  const other = new File(['x'], 'sample.bin');
  const items = [bundle, other].map((file) => ({ kind: 'file', getAsFile: () => file, webkitGetAsEntry: () => null }));
  fireEvent(
    window,
    Object.assign(new Event('drop', { bubbles: true, cancelable: true }), {
      dataTransfer: { types: ['Files'], items },
    }),
  );
  expect(await screen.findByLabelText('Passphrase')).toBeDefined();
  expect(within(dialog()).getAllByText('case.vitrine-bundle', { exact: false }).length).toBeGreaterThan(0);
  await waitFor(() => expect(bridge.inputsOf('uploads.add')).toHaveLength(1));
});

test('no other bundle is opened during an import', async () => {
  await open({
    'bundles.opening': () => ({ opening: bundleOpening('importing', { job: 224 }) }),
    'jobs.list': () => ({ jobs: [importJob] }),
  });
  fireEvent(
    window,
    Object.assign(new Event('drop', { bubbles: true, cancelable: true }), {
      dataTransfer: {
        types: ['Files'],
        items: [{ kind: 'file', getAsFile: () => bundle, webkitGetAsEntry: () => null }],
      },
    }),
  );
  expect(await screen.findByRole('heading', { name: 'Importing “Case 2026-114”' })).toBeDefined();
  expect(screen.getByText('A bundle is being imported. Open the next one afterwards')).toBeDefined();
  expect(screen.queryByLabelText('Passphrase')).toBeNull();
});
