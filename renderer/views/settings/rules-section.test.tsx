import '../../test/page-surroundings.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { defaultRuleOptions, type PublicationsState } from '../../../shared/domain/publication.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { lab, noPackages } from '../../test/quiet-host.ts';

const team = { ...lab, id: 'w-1', name: 'Team', builtIn: false };

async function openRules() {
  const states = new Map<string, PublicationsState>(
    [lab, team].map(({ id }) => [id, { ...noPackages, workspaceId: id }]),
  );
  const page = await open({
    'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }),
    'publications.state': ({ workspaceId }) => states.get(workspaceId) ?? noPackages,
    'publications.setOptions': ({ workspaceId, options }) => {
      states.set(workspaceId, { ...noPackages, workspaceId, options });
      return { ...noPackages, workspaceId, options };
    },
  });
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name: 'Rule updates' }));
  return { ...page, of: (name: string) => within(screen.getByRole('region', { name: `Rule updates for ${name}` })) };
}

test('each workspace shows its package settings, and is changed independently', async () => {
  const { user, bridge, of } = await openRules();
  expect(await of('Team').findByText('manually')).toBeDefined();
  await user.click(of('Team').getByRole('button', { name: 'Change' }));
  await user.click(of('Team').getByRole('radio', { name: /^Install automatically/ }));
  const hours = of('Team').getByRole('textbox', { name: 'Check interval (hours)' });
  await user.clear(hours);
  await user.type(hours, '24');
  await user.click(of('Team').getByRole('button', { name: 'Save' }));
  expect(await of('Team').findByText('every 24 hours')).toBeDefined();
  expect(of('Team').getByText('Install automatically if no rule is broken and there are no warnings')).toBeDefined();
  expect(of('Lab (this computer)').getByText('manually')).toBeDefined();
  expect(bridge.inputsOf('publications.setOptions')).toEqual([
    {
      workspaceId: 'w-1',
      options: { ...defaultRuleOptions, policy: 'install-whole', checkHours: 24 },
      password: { kind: 'keep' },
    },
  ]);
});

test.each([
  ['Check interval (hours)', '721', 'Enter a whole number from 0 to 720'],
  ['Packages to keep', '0', 'Enter a whole number from 1 to 50'],
  ['Packages to keep', '51', 'Enter a whole number from 1 to 50'],
])('the field %s refuses %s', async (label, typed, problem) => {
  const { user, bridge, of } = await openRules();
  await user.click(await of('Team').findByRole('button', { name: 'Change' }));
  const field = of('Team').getByRole('textbox', { name: label });
  await user.clear(field);
  await user.type(field, typed);
  expect(of('Team').getByText(problem)).toBeDefined();
  expect(of('Team').getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  await user.click(of('Team').getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(of('Team').getByText('manually')).toBeDefined());
  expect(bridge.inputsOf('publications.setOptions')).toEqual([]);
});
