import '../../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { fail } from '../../../shared/failure.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { putIn } from '../../test/put-in.ts';
import { lab } from '../../test/quiet-host.ts';

const team: WorkspaceView = {
  ...lab,
  id: 'w-1',
  name: 'Team',
  builtIn: false,
  repository: { baseUrl: 'https://team.example', hasToken: true },
};

async function openWorkspaces(answers: Parameters<typeof open>[0] = {}) {
  const page = await open({
    'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }),
    ...answers,
  });
  await showWorkspaces(page.user);
  return page;
}

async function showWorkspaces(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name: 'Workspaces' }));
}

/** To another view, and back. */
async function leaveAndComeBack(user: UserEvent): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Look up' }));
  await screen.findByRole('textbox', { name: 'Hash, or text with hashes' });
  await showWorkspaces(user);
}

const repository = () => within(screen.getByRole('group', { name: 'Repository' }));
const valueOf = (field: HTMLElement): unknown =>
  field instanceof HTMLInputElement ? field.value : expect.fail('no field');

test('the form begins at its top, also if the list was scrolled', async () => {
  const shown: unknown[] = [];
  Object.defineProperty(HTMLElement.prototype, 'scrollIntoView', {
    configurable: true,
    value(this: HTMLElement, to: unknown) {
      shown.push([this.tagName, to]);
      // As newer browsers do.
      return Promise.resolve();
    },
  });
  onTestFinished(() => void Reflect.deleteProperty(HTMLElement.prototype, 'scrollIntoView'));
  const { user } = await openWorkspaces();
  await user.click(await screen.findByRole('button', { name: 'Add workspace' }));
  expect(shown).toContainEqual(['FORM', { block: 'start' }]);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('button', { name: 'Add workspace' })).toBeDefined();
});

test('a half-typed new workspace survives a change of view and section, except for its token', async () => {
  const { user } = await openWorkspaces();
  await user.click(await screen.findByRole('button', { name: 'Add workspace' }));
  await putIn(user, screen.getByLabelText('Name'), 'Half');
  await putIn(user, repository().getByLabelText('Address'), 'https://half.example');
  await leaveAndComeBack(user);
  expect(screen.queryByText('Enter tokens and passwords again')).toBeNull();
  await putIn(user, repository().getByLabelText('Token'), 'secret-token');
  await user.click(screen.getByRole('button', { name: 'Appearance' }));
  await user.click(screen.getByRole('button', { name: 'Workspaces' }));
  expect([
    valueOf(screen.getByLabelText('Name')),
    valueOf(repository().getByLabelText('Address')),
    valueOf(repository().getByLabelText('Token')),
  ]).toEqual(['Half', 'https://half.example', '']);
  expect(screen.getByText('Enter tokens and passwords again')).toBeDefined();
});

test('a cancelled, saved or untouched form does not reappear', { tags: ['long'] }, async () => {
  const { user, bridge } = await openWorkspaces();
  await user.click(await screen.findByRole('button', { name: 'Add workspace' }));
  await leaveAndComeBack(user);
  await user.click(screen.getByRole('button', { name: 'Add workspace' }));
  await putIn(user, screen.getByLabelText('Name'), 'Half');
  await leaveAndComeBack(user);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: 'Add workspace' }));
  expect(valueOf(screen.getByLabelText('Name'))).toBe('');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await leaveAndComeBack(user);
  await user.click(screen.getByRole('button', { name: 'Add workspace' }));
  await putIn(user, screen.getByLabelText('Name'), 'Whole');
  await putIn(user, repository().getByLabelText('Address'), 'https://whole.example');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(bridge.inputsOf('workspaces.add')).toMatchObject([{ name: 'Whole' }]));
  await leaveAndComeBack(user);
  expect(await screen.findByRole('button', { name: 'Add workspace' })).toBeDefined();
});

test('a started edit continues over the current state of the workspace', async () => {
  let workspace = team;
  const { user, bridge } = await openWorkspaces({
    'workspaces.list': () => ({ workspaces: [lab, workspace], current: 'lab', damaged: [] }),
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await user.clear(screen.getByLabelText('Name'));
  await putIn(user, screen.getByLabelText('Name'), 'Team two');
  await leaveAndComeBack(user);
  expect(screen.getByRole('heading', { name: 'Edit Team' })).toBeDefined();
  expect(valueOf(screen.getByLabelText('Name'))).toBe('Team two');
  expect(repository().getByText('Token stored')).toBeDefined();
  workspace = { ...team, repository: { baseUrl: 'https://team.example', hasToken: false } };
  act(() => bridge.emit('workspaces.changed', {}));
  await leaveAndComeBack(user);
  await waitFor(() => expect(bridge.inputsOf('workspaces.list').length).toBeGreaterThan(1));
  expect(valueOf(await repository().findByLabelText('Token'))).toBe('');
  expect(valueOf(screen.getByLabelText('Name'))).toBe('Team two');
});

test('an edit of a workspace that was removed meanwhile leads to the list', async () => {
  let workspaces = [lab, team];
  const { user, bridge } = await openWorkspaces({
    'workspaces.list': () => ({ workspaces, current: 'lab', damaged: [] }),
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await putIn(user, screen.getByLabelText('Name'), ' two');
  workspaces = [lab];
  act(() => bridge.emit('workspaces.changed', {}));
  expect(await screen.findByRole('button', { name: 'Add workspace' })).toBeDefined();
});

test('changes from elsewhere are not overwritten: they are shown on request, then saved together', async () => {
  let workspace = team;
  const changed: WorkspaceView = {
    ...team,
    ruleEditor: { baseUrl: 'https://rules.example', hasToken: true },
    trust: { kind: 'pin', fingerprint: 'a'.repeat(64) },
    timeouts: { ...team.timeouts, idleSeconds: 300 },
  };
  const { user, bridge } = await openWorkspaces({
    'workspaces.list': () => ({ workspaces: [lab, workspace], current: 'lab', damaged: [] }),
    'workspaces.edit': ({ basedOn }) =>
      JSON.stringify(basedOn) === JSON.stringify(workspace) ? workspace : fail({ kind: 'workspace-changed' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await putIn(user, screen.getByLabelText('Name'), ' two');
  workspace = changed;
  await leaveAndComeBack(user);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toContain('This workspace was changed elsewhere');
  workspace = { ...changed, name: 'Team of theirs' };
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Edit Team of theirs' })).toBeDefined());
  await user.click(screen.getByRole('button', { name: 'Load saved values' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText(/^Your own changes are kept/).textContent).toContain('Name was changed to Team of theirs.');
  expect([valueOf(screen.getByLabelText('Name')), valueOf(screen.getByLabelText('Between bytes'))]).toEqual([
    'Team two',
    '300',
  ]);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(bridge.inputsOf('workspaces.edit')).toMatchObject([
      { basedOn: team },
      { basedOn: team },
      {
        basedOn: workspace,
        draft: {
          name: 'Team two',
          ruleEditor: { baseUrl: 'https://rules.example', token: { kind: 'keep' } },
          trust: changed.trust,
          timeouts: { idleSeconds: 300 },
        },
      },
    ]),
  );
});

test(
  'the focus returns to a saved or cancelled workspace, or to the button for a new one',
  { tags: ['long'] },
  async () => {
    let workspaces = [lab, team];
    const added: WorkspaceView = { ...team, id: 'w-2', name: 'Second' };
    const { user, bridge } = await openWorkspaces({
      'workspaces.list': () => ({ workspaces, current: 'lab', damaged: [] }),
      'workspaces.edit': () => team,
      'workspaces.add': () => {
        workspaces = [lab, team, added];
        return added;
      },
    });
    const editOf = async (name: string): Promise<HTMLElement> =>
      within(await screen.findByRole('region', { name })).getByRole('button', { name: 'Edit' });
    for (const way of ['Save', 'Cancel']) {
      await user.click(await editOf('Team'));
      await user.click(screen.getByRole('button', { name: way }));
      await waitFor(async () => expect(document.activeElement).toBe(await editOf('Team')));
    }
    await user.click(screen.getByRole('button', { name: 'Add workspace' }));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add workspace' })));
    await user.click(screen.getByRole('button', { name: 'Add workspace' }));
    await putIn(user, screen.getByLabelText('Name'), 'Second');
    await putIn(user, repository().getByLabelText('Address'), 'https://second.example');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('button', { name: 'Add workspace' });
    act(() => bridge.emit('workspaces.changed', {}));
    await waitFor(async () => expect(document.activeElement).toBe(await editOf('Second')));
  },
);

test('the pressed button keeps the focus during the service request', async () => {
  const never = new Promise<never>(() => {});
  const { user, bridge } = await openWorkspaces({ 'workspaces.test': () => never, 'workspaces.edit': () => never });
  const card = within(await screen.findByRole('region', { name: 'Team' }));
  const pressTwice = async (button: HTMLElement): Promise<void> => {
    await user.click(button);
    await user.keyboard('{Enter}');
    expect([document.activeElement, button.hasAttribute('disabled')]).toEqual([button, false]);
  };
  await pressTwice(card.getByRole('button', { name: 'Test connection' }));
  await user.click(card.getByRole('button', { name: 'Edit' }));
  await pressTwice(screen.getByRole('button', { name: 'Test connection' }));
  await pressTwice(screen.getByRole('button', { name: 'Save' }));
  expect([bridge.inputsOf('workspaces.test').length, bridge.inputsOf('workspaces.edit').length]).toEqual([2, 1]);
});

test('focus moves to the section when its element is removed, after a removal or a switch', async () => {
  let [workspaces, current] = [[lab, team], 'lab'];
  const { user, bridge } = await openWorkspaces({
    'workspaces.list': () => ({ workspaces, current, damaged: [] }),
    'workspaces.switch': ({ id }) => {
      current = id;
      return {};
    },
    'workspaces.remove': () => {
      workspaces = [lab];
      return {};
    },
  });
  const card = within(await screen.findByRole('region', { name: 'Team' }));
  const section = screen.getByRole('button', { name: 'Workspaces' });
  await user.click(card.getByRole('button', { name: 'Switch' }));
  act(() => bridge.emit('workspaces.changed', {}));
  await waitFor(() => expect(document.activeElement).toBe(section));
  await user.click(card.getByRole('button', { name: 'Remove…' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Remove/ }));
  act(() => bridge.emit('workspaces.changed', {}));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Team' })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(section));
});
