import '../../test/page-surroundings.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { defaultRepositoryOptions, type WorkspaceDraft, type WorkspaceView } from '../../../shared/domain/workspace.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { putIn } from '../../test/put-in.ts';
import { lab } from '../../test/quiet-host.ts';

const team: WorkspaceView = {
  ...lab,
  id: 'w-1',
  name: 'Team',
  builtIn: false,
  repository: { baseUrl: 'https://samples.example/repo', hasToken: true },
  options: { ...defaultRepositoryOptions, commentForm: 'brackets' },
};

async function openSection(name: string) {
  const page = await open({ 'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }) });
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name }));
  return page;
}

test('the sizes of a request are separate settings, each with its limits', async () => {
  const { user, bridge } = await openSection('Uploads');
  const files = await screen.findByRole('textbox', { name: 'Files per request' });
  await user.clear(files);
  await user.type(files, '101');
  expect(screen.getByText('A whole number from 1 to 100')).toBeDefined();
  await user.tab();
  expect(bridge.inputsOf('settings.change')).toEqual([]);
  await user.clear(files);
  await user.type(files, '20');
  const size = screen.getByRole('textbox', { name: 'Request size, in MiB' });
  await user.clear(size);
  await user.type(size, '64');
  await user.tab();
  await waitFor(() =>
    expect(bridge.inputsOf('settings.change')).toEqual([{ uploadFiles: 20 }, { uploadMebibytes: 64 }]),
  );
});

test('a workspace shows how its repository differs, and its detected form of comments', async () => {
  const { user, bridge } = await openSection('Workspaces');
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  expect(screen.getByText(/^Detected or set: bracket fields/)).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Bracket fields' }).checked).toBe(true);
  await user.click(screen.getByRole('checkbox', { name: 'Also send the token in the upload form' }));
  await user.click(screen.getByRole('checkbox', { name: 'Repository decodes upload comments twice' }));
  await user.click(screen.getByRole('radio', { name: 'Detect with the first comment' }));
  const receiver = screen.getByRole('textbox', { name: 'Receiver of the second flag (cksubmit)' });
  await user.clear(receiver);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Enter a name of 1 to 40 characters')).toBeDefined();
  expect(document.activeElement).toBe(receiver);
  await putIn(user, receiver, 'Detonation');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(
      bridge.inputsOf('workspaces.edit').map((input) => (input as { draft: WorkspaceDraft }).draft.options),
    ).toEqual([
      {
        tokenInForm: true,
        commentForm: 'auto',
        decodesComments: true,
        optionalActions: true,
        receivers: { virusTotal: 'VirusTotal', sandbox: 'Detonation' },
      },
    ]),
  );
});

test('a workspace without a repository has no dialect settings, and the lab has none', async () => {
  const { user } = await openSection('Workspaces');
  expect(await screen.findAllByRole('button', { name: 'Edit' })).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Add workspace' }));
  expect(screen.queryByText('Repository compatibility')).toBeNull();
  await putIn(user, screen.getAllByRole('textbox', { name: 'Address' })[0] as HTMLElement, 'https://samples.example');
  expect(screen.getByText('Repository compatibility')).toBeDefined();
});
