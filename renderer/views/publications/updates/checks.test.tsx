import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LastCheck, PublicationsState } from '../../../../shared/domain/publication.ts';
import { fail } from '../../../../shared/failure.ts';
import type { GivenAnswers } from '../../../test/memory-bridge.ts';
import { putIn } from '../../../test/put-in.ts';
import { noPackages } from '../../../test/quiet-host.ts';
import { candidate, ids, openUpdates, PackageHost, waiting } from './package-host.fixture.tsx';

const checkOf = (change: Partial<LastCheck>): LastCheck => ({
  at: '2026-11-17T14:30:00.000Z',
  outcome: 'found',
  version: null,
  failure: null,
  reply: null,
  missing: [],
  ...change,
});
const reply = JSON.stringify({ data: { stale: 'yes', newest: '1.4' }, key: 'ab-1' });
const unsure = checkOf({ outcome: 'unsure', reply, missing: ['outdated', 'version', 'id'] });

test('a check shows its progress, and can be cancelled', async () => {
  const host = new PackageHost();
  const { user, bridge } = await openUpdates(host);
  await user.click(await screen.findByRole('button', { name: 'Check now' }));
  expect(bridge.inputsOf('publications.check')).toEqual([{ workspaceId: 'lab' }]);
  host.change({ check: { phase: 'asking', done: 0, total: null } });
  act(() => bridge.emit('publications.changed', { workspaceId: 'lab' }));
  const bar = await screen.findByRole('progressbar', { name: 'Check' });
  expect(bar.getAttribute('aria-valuenow')).toBe('0');
  const farAfter = async (check: PublicationsState['check'], words: string): Promise<number> => {
    host.change({ check });
    act(() => bridge.emit('publications.changed', { workspaceId: 'lab' }));
    await waitFor(() => expect(bar.textContent).toContain(words));
    return Number(bar.getAttribute('aria-valuenow'));
  };
  const far = [
    await farAfter({ phase: 'fetching', done: 1024, total: 2048 }, '1.00 KiB'),
    await farAfter({ phase: 'opening', done: 0, total: null }, 'Opening'),
    await farAfter({ phase: 'compiling', done: 120, total: 411 }, '120 of 411 rules'),
    await farAfter({ phase: 'compiling', done: 411, total: 411 }, '411 of 411 rules'),
    // Another package of the same run: nothing falls back.
    await farAfter({ phase: 'compiling', done: 1, total: 411 }, '1 of 411 rules'),
  ];
  expect(far.map(Math.round)).toEqual([20, 40, 57, 99, 99]);
  // Who pressed it keeps the focus, and a second press asks for nothing.
  const button = screen.getByRole('button', { name: /Check now/ });
  expect(document.activeElement).toBe(button);
  await user.click(button);
  expect(bridge.inputsOf('publications.check')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(bridge.inputsOf('publications.cancelCheck')).toEqual([{ workspaceId: 'lab' }]);
});

test('a check requested while a choice is being saved starts after the save', async () => {
  const stored = Promise.withResolvers<void>();
  const host = new PackageHost();
  const setOptions: GivenAnswers['publications.setOptions'] = async ({ options }) => {
    await stored.promise;
    return host.change({ options });
  };
  const included: boolean[] = [];
  const check: GivenAnswers['publications.check'] = () => {
    included.push(host.state.options.includeTest);
    return {};
  };
  const { user } = await openUpdates(host, { 'publications.setOptions': setOptions, 'publications.check': check });
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Publication groups' }), 'Include Test');
  await user.click(screen.getByRole('button', { name: 'Check now' }));
  expect(included).toEqual([]);
  stored.resolve();
  await waitFor(() => expect(included).toEqual([true]));
});

test('a failed check shows the reason and retries', async () => {
  const failure = {
    kind: 'unreachable',
    service: 'rule-editor',
    address: 'http://127.0.0.1:1/api.php',
    reason: 'refused',
    code: 'ECONNREFUSED',
  } as const;
  const { user, bridge } = await openUpdates(
    new PackageHost({ ...waiting, lastCheck: checkOf({ outcome: 'failed', failure }) }),
  );
  const notice = await screen.findByRole('alert');
  await user.click(within(notice).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(bridge.inputsOf('publications.check')).toHaveLength(1));
});

test('a check that fails to start shows the reason', async () => {
  const { user } = await openUpdates(new PackageHost(), { 'publications.check': () => fail({ kind: 'check-busy' }) });
  await user.click(await screen.findByRole('button', { name: 'Check now' }));
  expect(await screen.findByRole('alert')).toBeDefined();
});

const brought = (received: string): PackageHost => {
  const lastCheck = checkOf({
    outcome: 'failed',
    at: '2026-11-20T08:00:00.000Z',
    file: 'rules.zip',
    failure: { kind: 'archive-damaged', name: 'rules.zip', reason: 'directory' },
  });
  return new PackageHost({ ...waiting, packages: waiting.packages.map((each) => ({ ...each, received })), lastCheck });
};

test('a file that cannot be opened is named, and no check is offered as a retry', async () => {
  await openUpdates(brought('2026-11-19T08:00:00.000Z'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('“rules.zip” is damaged');
  expect(within(alert).queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(screen.getByText(/^rules\.zip could not be opened/)).toBeDefined();
});

test('a file that cannot be opened is no longer named after another package arrived', async () => {
  await openUpdates(brought('2026-11-21T08:00:00.000Z'));
  await screen.findByRole('grid', { name: 'Packages' });
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText(/could not be opened/)).toBeNull();
});

test('unknown reply fields are mapped by their values, and the check is retried', async () => {
  const { user, bridge, host } = await openUpdates(new PackageHost({ ...waiting, lastCheck: unsure }));
  expect(await screen.findByText(/Fields not found: update available, newest version, publication ID/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show reply' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByRole('tree', { name: 'Rule editor reply' })).toBeDefined();
  const newest = within(dialog).getByRole('combobox', { name: 'Newest version (not found)' });
  expect(
    within(newest)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Automatic (by name)', '/data/stale: yes', '/data/newest: 1.4', '/key: ab-1']);
  await user.selectOptions(newest, '/data/newest');
  await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Publication ID (not found)' }), '/key');
  await user.click(within(dialog).getByRole('button', { name: 'Save and check again' }));
  await waitFor(() => expect(bridge.inputsOf('publications.check')).toHaveLength(1));
  expect(host.state.options.mapping).toEqual({ outdated: null, version: '/data/newest', id: '/key' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a reply that is not JSON is shown unchanged', async () => {
  const { user } = await openUpdates(
    new PackageHost({ ...waiting, lastCheck: { ...unsure, reply: 'no update\u202e' } }),
  );
  await user.click(await screen.findByRole('button', { name: 'Show reply' }));
  expect(await screen.findByText('no update\\u202e')).toBeDefined();
});

test('the counted publications are chosen in the header, and all other settings stay', async () => {
  const { user, host } = await openUpdates();
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Publication groups' }), 'Include Test');
  await waitFor(() => expect(host.state.options).toEqual({ ...waiting.options, includeTest: true }));
});

test('the update settings are saved, and a stored password is kept and never shown', async () => {
  const { user, bridge } = await openUpdates(new PackageHost({ ...waiting, hasPassword: true }));
  await user.click(await screen.findByRole('button', { name: 'More publication actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Update settings…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Update settings' });
  expect(within(dialog).getByText('A password is stored')).toBeDefined();
  expect(within(dialog).queryByLabelText('Package password', { selector: 'input' })).toBeNull();
  await user.click(within(dialog).getByRole('radio', { name: /unless a rule is broken/ }));
  const hours = within(dialog).getByRole('textbox', { name: 'Check interval (hours)' });
  await user.clear(hours);
  await user.type(hours, '1000');
  expect(within(dialog).getByText('Enter a whole number from 0 to 720')).toBeDefined();
  expect(within(dialog).getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true);
  await user.clear(hours);
  await user.type(hours, '6');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByText('Update settings saved');
  expect(bridge.inputsOf('publications.setOptions')).toEqual([
    {
      workspaceId: 'lab',
      options: { ...waiting.options, policy: 'refuse-broken', checkHours: 6 },
      password: { kind: 'keep' },
    },
  ]);
});

test('a typed password is stored, and a stored one can be removed', async () => {
  const { user, bridge } = await openUpdates(new PackageHost({ ...waiting, hasPassword: true }));
  const openSettings = async (): Promise<HTMLElement> => {
    await user.click(await screen.findByRole('button', { name: 'More publication actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Update settings…' }));
    return screen.findByRole('dialog', { name: 'Update settings' });
  };
  let dialog = await openSettings();
  await user.click(within(dialog).getByRole('button', { name: 'Replace' }));
  await putIn(user, within(dialog).getByLabelText('Package password'), 'infected');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  dialog = await openSettings();
  await user.click(
    within(within(dialog).getByRole('group', { name: 'Package password' })).getByRole('button', { name: 'Remove' }),
  );
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(
      bridge.inputsOf('publications.setOptions').map((input) => (input as { password: unknown }).password),
    ).toEqual([{ kind: 'set', token: 'infected' }, { kind: 'clear' }]),
  );
});

test('a rule editor without publications offers its files, and gets no request', async () => {
  const { user, bridge } = await openUpdates(new PackageHost({ ...noPackages, rulesFrom: 'export' }));
  expect(
    await screen.findByText(/^This rule editor has no publications\. Its files of rules can be fetched/),
  ).toBeDefined();
  expect(bridge.inputsOf('publications.check')).toEqual([]);
  expect(screen.queryByRole('combobox', { name: 'Publication groups' })).toBeNull();
  expect(screen.getByText('No publication groups')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Fetch files' }));
  expect(bridge.inputsOf('publications.check')).toEqual([{ workspaceId: 'lab' }]);
});

test.each([
  ['nothing', /does not export files\. You can still install rules from files\./],
  ['not-allowed', /does not use actions beyond the documented ones\. You can still install rules from files\./],
] as const)(
  'a rule editor without publications and exports is described, and no check is offered: %s',
  async (rulesFrom, words) => {
    await openUpdates(new PackageHost({ ...noPackages, rulesFrom }));
    expect(await screen.findByText(words)).toBeDefined();
    expect(screen.getByText('No publications')).toBeDefined();
    expect(screen.queryByRole('button', { name: /Check now|Fetch files/ })).toBeNull();
    expect(
      screen.getByRole('button', { name: rulesFrom === 'nothing' ? 'Check again' : 'Open settings' }),
    ).toBeDefined();
    expect(screen.getByRole('button', { name: 'Install from files…' })).toBeDefined();
  },
);

const exported = {
  ...candidate,
  source: 'export' as const,
  version: '2026-11-30 03:23:33',
  contents: { files: 2, rules: 410, broken: 0, empty: { files: 3, names: ['Empty', 'Old'] } },
};

test('an exported package shows where it came from, and which files are not in it', async () => {
  const packages = [exported, ...waiting.packages.filter(({ sha256 }) => sha256 !== ids.new)];
  const lastCheck = checkOf({ of: 'export', version: exported.version });
  const { user } = await openUpdates(new PackageHost({ ...waiting, rulesFrom: 'export', packages, lastCheck }));
  expect(await screen.findByText(/^exported from the rule editor, 2 files/)).toBeDefined();
  expect(screen.getByText('3 files without rules skipped: Empty, Old, …')).toBeDefined();
  expect(screen.getByText(/^Changes available \(checked/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'More publication actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Update settings…' }));
  expect(await screen.findByText(/groups, links and encryption do not apply/)).toBeDefined();
});

test('a check that finds no changes in the files of a rule editor shows that', async () => {
  const packages = waiting.packages.filter(({ sha256 }) => sha256 !== ids.new);
  const lastCheck = checkOf({ of: 'export', outcome: 'up-to-date' });
  await openUpdates(new PackageHost({ ...waiting, rulesFrom: 'export', packages, candidate: null, lastCheck }));
  expect(await screen.findByText(/^No changes \(checked/)).toBeDefined();
});
