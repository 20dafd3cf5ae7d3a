import '../../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SecretsState } from '../../../shared/domain/host.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { fail } from '../../../shared/failure.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { putIn } from '../../test/put-in.ts';
import { host, lab } from '../../test/quiet-host.ts';

const memory: SecretsState = { store: 'memory', state: 'open', backend: null };
const sealed = (state: SecretsState['state']): SecretsState => ({ store: 'sealed-file', state, backend: null });

/** The tokens among the settings, over a host that keeps them so. */
async function openTokens(first: SecretsState, more: GivenAnswers = {}) {
  let secrets = first;
  const reported = (now: SecretsState): SecretsState => (secrets = now);
  const page = await open({
    'host.describe': () => ({ ...host, secrets }),
    'secrets.create': () => reported(sealed('open')),
    'secrets.unlock': () => reported(sealed('open')),
    'secrets.forget': () => reported(memory),
    ...more,
  });
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name: 'Tokens' }));
  return { ...page, report: () => act(() => page.bridge.emit('secrets.changed', secrets)) };
}

test('a damaged file is reported as damaged and not locked, and a new one can be created', async () => {
  const { user, bridge, report } = await openTokens(sealed('damaged'));
  expect(await screen.findByText('The sealed file is damaged')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Unlock' })).toBeNull();
  expect(screen.getByText('Tokens damaged')).toBeDefined();
  await putIn(user, screen.getByLabelText('Passphrase'), 'a long passphrase');
  await putIn(user, screen.getByLabelText('Repeat passphrase'), 'a long passphrase');
  await user.click(screen.getByRole('button', { name: 'Create sealed file' }));
  await waitFor(() => expect(bridge.inputsOf('secrets.create')).toEqual([{ passphrase: 'a long passphrase' }]));
  report();
  expect(await screen.findByText('Tokens are in the sealed file')).toBeDefined();
});

test('a damaged file of the keychain needs no passphrase: it is replaced with the next token', async () => {
  await openTokens({ store: 'keychain', state: 'damaged', backend: 'kwallet5' });
  expect(await screen.findByText('The token file is damaged')).toBeDefined();
  expect(screen.queryByLabelText('Passphrase')).toBeNull();
});

test('a forgotten passphrase can be reset by forgetting the tokens after a confirmation', async () => {
  const { user, bridge, report } = await openTokens(sealed('locked'));
  await user.click(await screen.findByRole('button', { name: 'Forget tokens and start over…' }));
  const first = screen.getByRole('alertdialog', { name: 'Forget all tokens?' });
  expect(within(first).getByRole('button', { name: 'Cancel' })).toBe(document.activeElement);
  await user.click(within(first).getByRole('button', { name: 'Cancel' }));
  expect(bridge.inputsOf('secrets.forget')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Forget tokens and start over…' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Forget tokens' }));
  await waitFor(() => expect(bridge.inputsOf('secrets.forget')).toEqual([{}]));
  report();
  expect(await screen.findByRole('button', { name: 'Create sealed file' })).toBeDefined();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

/** The tokens while they are forgotten: what the host answers, and when. */
async function forgetHeld(answer: () => SecretsState) {
  const held = Promise.withResolvers<void>();
  const page = await openTokens(sealed('locked'), {
    'secrets.forget': async () => {
      await held.promise;
      return answer();
    },
  });
  await page.user.click(await screen.findByRole('button', { name: 'Forget tokens and start over…' }));
  await page.user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Forget tokens' }));
  await page.user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  return { ...page, answer: () => act(async () => held.resolve()) };
}

test('tokens forgotten after their dialog was left are reported', async () => {
  const { answer } = await forgetHeld(() => memory);
  await answer();
  expect(await screen.findByText('Tokens forgotten')).toBeDefined();
});

test('a failure to forget tokens is reported in the view that is open by then', async () => {
  const { user, answer } = await forgetHeld(() => fail({ kind: 'data-gone', path: '/data' }));
  await user.click(screen.getByRole('button', { name: /^Library/ }));
  await answer();
  expect(await screen.findByText(/^Tokens were not forgotten: /)).toBeDefined();
});

/** Another view, while the form of the tokens waits for the host. */
async function leaveForm(
  first: SecretsState,
  operation: 'secrets.create' | 'secrets.unlock',
  answer: () => SecretsState,
) {
  const held = Promise.withResolvers<void>();
  const page = await openTokens(first, {
    [operation]: async () => {
      await held.promise;
      return answer();
    },
  });
  await putIn(page.user, await screen.findByLabelText('Passphrase'), 'a long passphrase');
  if (operation === 'secrets.create')
    await putIn(page.user, screen.getByLabelText('Repeat passphrase'), 'a long passphrase');
  await page.user.keyboard('{Enter}');
  await page.user.click(screen.getByRole('button', { name: /^Library/ }));
  await act(async () => held.resolve());
}

test.each([
  { operation: 'secrets.create', first: memory, said: 'Tokens are now stored in a sealed file' },
  { operation: 'secrets.unlock', first: sealed('locked'), said: 'Tokens unlocked' },
] as const)('$operation is reported in the view that is open by then', async ({ operation, first, said }) => {
  await leaveForm(first, operation, () => sealed('open'));
  expect(await screen.findByText(said)).toBeDefined();
});

test.each([
  { operation: 'secrets.create', first: memory, said: /^The sealed file was not created: / },
  { operation: 'secrets.unlock', first: sealed('locked'), said: /^Tokens were not unlocked: / },
] as const)(
  'a failure of $operation is reported in the view that is open by then',
  async ({ operation, first, said }) => {
    await leaveForm(first, operation, () => fail({ kind: 'data-gone', path: '/data' }));
    expect(await screen.findByText(said)).toBeDefined();
  },
);

const team: WorkspaceView = { ...lab, id: 'w-1', name: 'Team', builtIn: false };

/** The workspaces among the settings, over a host that keeps its tokens so. */
async function openWorkspaces(first: SecretsState, workspaces: WorkspaceView[]) {
  let secrets = first;
  const page = await open({
    'host.describe': () => ({ ...host, secrets }),
    'workspaces.list': () => ({ workspaces, current: 'lab', damaged: [] }),
    'secrets.create': () => (secrets = sealed('open')),
    'secrets.unlock': () => (secrets = sealed('open')),
  });
  return { ...page, report: () => act(() => page.bridge.emit('secrets.changed', secrets)) };
}

test('tokens in memory are kept from where their workspace is shown, with a passphrase that is repeated', async () => {
  const { user, bridge, report } = await openWorkspaces(memory, [lab, team]);
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(screen.getByRole('button', { name: 'Workspaces' }));
  await user.click(await screen.findByRole('button', { name: 'Keep tokens: create sealed file…' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Keep tokens in a sealed file' }));
  expect(dialog.getByText(/^It protects tokens against .* but not against/)).toBeDefined();
  expect(dialog.getByLabelText('Passphrase')).toBe(document.activeElement);
  await putIn(user, dialog.getByLabelText('Passphrase'), 'a long passphrase');
  await putIn(user, dialog.getByLabelText('Repeat passphrase'), 'another');
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Create sealed file' }).disabled).toBe(true);
  await user.clear(dialog.getByLabelText('Repeat passphrase'));
  await putIn(user, dialog.getByLabelText('Repeat passphrase'), 'a long passphrase');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  report();
  await waitFor(() => expect(screen.queryByText('Tokens are in memory until you quit')).toBeNull());
  expect(bridge.inputsOf('secrets.create')).toEqual([{ passphrase: 'a long passphrase' }]);
});

test('nothing is offered to keep while only the lab has tokens', async () => {
  const { user } = await openWorkspaces(memory, [lab]);
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(screen.getByRole('button', { name: 'Workspaces' }));
  await screen.findByRole('button', { name: 'Add workspace' });
  expect(screen.queryByRole('button', { name: /^Keep tokens/ })).toBeNull();
});

test('locked tokens are reported at the start in any view, and unlocked there', async () => {
  const { user, bridge, report } = await openWorkspaces(sealed('locked'), [lab, team]);
  expect(await screen.findByText('Tokens are locked')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Unlock…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Unlock tokens' }));
  await putIn(user, dialog.getByLabelText('Passphrase'), 'a long passphrase');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  report();
  await waitFor(() => expect(screen.queryByText('Tokens are locked')).toBeNull());
  expect(bridge.inputsOf('secrets.unlock')).toEqual([{ passphrase: 'a long passphrase' }]);
});
