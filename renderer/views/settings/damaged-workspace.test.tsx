import '../../test/page-surroundings.ts';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../../test/open-page.fixture.tsx';
import { lab } from '../../test/quiet-host.ts';

test('a damaged workspace is named, and removed after a confirmation', async () => {
  let damaged = ['w-damaged'];
  const { user, bridge } = await open({
    'workspaces.list': () => ({ workspaces: [lab], current: 'lab', damaged }),
    'workspaces.remove': () => ((damaged = []), {}),
  });
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name: 'Workspaces' }));
  expect(await screen.findByText('Workspace w-damaged could not be read')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Remove…' }));
  expect(bridge.inputsOf('workspaces.remove')).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'Remove workspace' }));
  await waitFor(() => expect(bridge.inputsOf('workspaces.remove')).toMatchObject([{ id: 'w-damaged' }]));
  act(() => bridge.emit('workspaces.changed', {}));
  await waitFor(() => expect(screen.queryByText('Workspace w-damaged could not be read')).toBeNull());
});
