import '../../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent } from '@testing-library/user-event';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { defaultSettings, type Settings, settings } from '../../../shared/domain/settings.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { openPage } from '../../test/open-page.fixture.tsx';
import { host, lab, md5, noPackages } from '../../test/quiet-host.ts';

/** A host that keeps what is changed, at its first start. */
async function openFirst(answers: GivenAnswers = {}) {
  let values: Settings = defaultSettings;
  return openPage({
    'settings.read': () => ({ values, damaged: [] }),
    'settings.change': (change) => ({ values: (values = settings.parse({ ...values, ...change })) }),
    'lab.sampleFiles': () => ({ sampleFiles: [{ md5, name: 'update_helper.dll', sizeBytes: 1 }] }),
    ...answers,
  });
}

const title = (name: string) => screen.findByRole('heading', { level: 2, name });
const press = (name: RegExp | string) => screen.getByRole('button', { name });

const level1 = (): string[] => screen.queryAllByRole('heading', { level: 1 }).map((heading) => heading.textContent);

test('nothing is shown until the first view is known', async () => {
  const known = Promise.withResolvers<void>();
  const { user, bridge } = await openFirst({
    'library.count': async () => {
      await known.promise;
      return { samples: 0, inVault: 0, vaultBytes: 0 };
    },
  });
  await waitFor(() => expect(bridge.inputsOf('library.count')).toHaveLength(1));
  expect(level1()).toEqual([]);
  await user.keyboard('{Control>}8{/Control}{Control>}2{/Control}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Look up' })).toBeDefined();
  known.resolve();
  await waitFor(() => expect(screen.queryByText('The vault is empty')).not.toBeNull());
  expect(level1()).toEqual(['Look up']);
});

test('an installation with unreadable settings starts with the look-up', async () => {
  await openFirst({ 'settings.read': () => fail({ kind: 'no-hash' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Look up' })).toBeDefined();
});

test('Tab continues from the title of the welcome when nothing has the focus', async () => {
  const { user } = await openFirst();
  const heading = await title('How samples are stored');
  await waitFor(() => expect(heading).toBe(document.activeElement));
  act(() => heading.blur());
  expect(document.body).toBe(document.activeElement);
  await user.tab();
  expect(press('Next')).toBe(document.activeElement);
});

test('a new person passes three steps and reaches the look-up after them', async () => {
  // React reports there any use against its rules.
  const complaints = vi.spyOn(console, 'error');
  onTestFinished(() => complaints.mockRestore());
  const { user, bridge } = await openFirst();
  expect(await title('How samples are stored')).toBeDefined();
  expect(screen.getByText('Step 1 of 3')).toBeDefined();
  await user.click(press('Next'));
  expect(await title('Your services')).toBe(document.activeElement);
  await user.click(press('Next'));
  expect(await title('First steps')).toBe(document.activeElement);
  await user.click(press('Back'));
  expect(await title('Your services')).toBe(document.activeElement);
  expect(bridge.inputsOf('settings.change')).toEqual([]);
  await user.click(press('Continue with the lab'));
  await user.click(press('Start working'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Look up' })).toBeDefined();
  await waitFor(() => expect(bridge.inputsOf('settings.change')).toEqual([{ welcomed: true }]));
  expect(complaints.mock.calls).toEqual([]);
});

test.each([1, 2, 3])('Escape leaves the welcome at step %i', async (step) => {
  const { user, bridge } = await openFirst();
  await title('How samples are stored');
  for (let at = 1; at < step; at += 1) await user.click(press('Next'));
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Look up' })).toBeDefined();
  await waitFor(() => expect(bridge.inputsOf('settings.change')).toEqual([{ welcomed: true }]));
});

test('Escape in a field keeps the text typed there', async () => {
  const { user } = await openFirst();
  await title('How samples are stored');
  await user.click(press('Next'));
  await user.click(press('Connect your services'));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Team{Escape}');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Team');
});

describe('the welcome while services are being connected', () => {
  /** The form, with a name typed in it unless nothing is. */
  async function connect(typed: string) {
    const { user } = await openFirst();
    await title('How samples are stored');
    await user.click(press('Next'));
    await user.click(press('Connect your services'));
    if (typed !== '') await user.type(screen.getByRole('textbox', { name: 'Name' }), typed);
    return user;
  }
  const question = () => screen.findByRole('alertdialog', { name: 'Discard changes?' });
  const lookUp = () => screen.findByRole('heading', { level: 1, name: 'Look up' });

  test.each([
    ['Escape', (user: UserEvent) => (press('Save').focus(), user.keyboard('{Escape}'))],
    ['the button that skips', (user: UserEvent) => user.click(press(/^Skip welcome/))],
    ['another step', (user: UserEvent) => user.click(press(/How samples are stored/))],
  ])('prompts on %s before it discards typed text', async (_way, leave) => {
    const user = await connect('Team');
    await leave(user);
    await question();
    await user.click(press('Keep editing'));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Team');
  });

  test('leaves for the chosen destination when the prompt is confirmed', async () => {
    const user = await connect('Team');
    await user.click(press(/How samples are stored/));
    await question();
    await user.click(press('Discard'));
    expect(await title('How samples are stored')).toBeDefined();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2, name: 'How samples are stored' })),
    );
    await user.click(press(/^Skip welcome/));
    expect(await lookUp()).toBeDefined();
  });

  test('does not prompt when nothing is typed', async () => {
    const user = await connect('');
    await user.click(press(/^Skip welcome/));
    expect(await lookUp()).toBeDefined();
  });
});

test('going to a view leaves the welcome, too', async () => {
  const { user, bridge } = await openFirst();
  await title('How samples are stored');
  await user.keyboard('{Control>}8{/Control}');
  await waitFor(() => expect(bridge.inputsOf('settings.change')).toEqual([{ welcomed: true }]));
});

test('a sample file of the lab is looked up', async () => {
  const { user, bridge } = await openFirst();
  await title('How samples are stored');
  await user.click(press(/First steps/));
  await user.click(await screen.findByRole('button', { name: 'update_helper.dll' }));
  expect(await screen.findByRole('heading', { level: 2, name: 'update_helper.dll' })).toBeDefined();
  expect(bridge.inputsOf('samples.lookup')).toEqual([{ workspaceId: 'lab', hash: md5, firstComments: 8 }]);
});

const withEditor = { ...lab, ruleEditor: { baseUrl: 'http://127.0.0.1:1', hasToken: true } };
const atLabWithRules: GivenAnswers = {
  'workspaces.list': () => ({ workspaces: [withEditor], current: 'lab', damaged: [] }),
};

test('the palette does not offer the welcome itself, and offers the check for rules once', async () => {
  const { user } = await openFirst({
    ...atLabWithRules,
    'publications.state': ({ workspaceId }) => ({ ...noPackages, workspaceId, hasRuleEditor: true }),
  });
  await title('How samples are stored');
  await user.click(press(/First steps/));
  await screen.findByRole('button', { name: 'Check for new rules' });
  await user.click(press('Open command palette'));
  const here = within(await screen.findByRole('group', { name: 'This view' }));
  expect(here.getAllByRole('option').map((option) => option.querySelector('bdi')?.textContent)).toEqual([
    'Start working',
    'Skip welcome',
    'update_helper.dll',
    'Check for new rules',
    'Back',
  ]);
  expect(screen.getAllByRole('option', { name: /^Check for/ })).toHaveLength(1);
  await user.keyboard('{Escape}{Control>}8{/Control}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Activity' })).toBeDefined();
  await user.keyboard('{Control>}k{/Control}check for');
  expect(screen.getByRole('option', { name: 'Check for new rules' })).toBeDefined();
});

test('rules are checked for when there is a rule editor, and its updates are shown', async () => {
  const { user, bridge } = await openFirst(atLabWithRules);
  await title('How samples are stored');
  await user.click(press(/First steps/));
  await user.click(await screen.findByRole('button', { name: 'Check for new rules' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Publications' })).toBeDefined();
  expect(bridge.inputsOf('publications.check')).toEqual([{ workspaceId: 'lab' }]);
});

test('a connected workspace can be chosen as the first one', async () => {
  const team = { ...lab, id: 'w-1', name: 'Team', builtIn: false };
  const { user, bridge } = await openFirst({
    'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }),
  });
  await title('How samples are stored');
  await user.click(press('Next'));
  await user.click(await screen.findByRole('radio', { name: 'Team' }));
  expect(bridge.inputsOf('workspaces.switch')).toEqual([{ id: 'w-1' }]);
});

test.each([
  ['was welcomed before', { 'settings.read': () => ({ values: { ...defaultSettings, welcomed: true }, damaged: [] }) }],
  ['knows samples', { 'library.count': () => ({ samples: 1, inVault: 0, vaultBytes: 0 }) }],
] satisfies [string, GivenAnswers][])('an installation that %s starts with the look-up', async (_which, answers) => {
  const { bridge } = await openFirst(answers);
  await waitFor(() =>
    expect(bridge.inputsOf('library.count').length * bridge.inputsOf('settings.read').length).toBeGreaterThan(0),
  );
  expect(await screen.findByRole('button', { name: 'update_helper.dll' })).toBeDefined();
  expect(screen.queryByRole('heading', { name: 'Welcome to Vitrine' })).toBeNull();
});

test('the last step shows the failure of a stopped lab, and starts it', async () => {
  const failure = {
    kind: 'lab-failed' as const,
    attempts: 6,
    end: 'SIGSEGV',
    text: '',
    lastWords: '',
    log: '/data/logs/vitrine.log',
  };
  const { user, bridge } = await openFirst({
    'lab.sampleFiles': () => ({ sampleFiles: [] }),
    'host.describe': () => ({ ...host, lab: { state: 'stopped', restarts: 5, failure } }),
  });
  await title('How samples are stored');
  await user.click(press('Next'));
  await user.click(press('Next'));
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain(
    'It stopped 6 times in a row (SIGSEGV). Start it again, or see /data/logs/vitrine.log.',
  );
  await user.click(within(notice).getByRole('button', { name: 'Start lab' }));
  expect(bridge.inputsOf('lab.start')).toEqual([{}]);
});
