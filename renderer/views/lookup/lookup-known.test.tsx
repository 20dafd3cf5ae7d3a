import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { fail } from '../../../shared/failure.ts';
import { known } from '../../features/sample/open-sample.fixture.tsx';
import type { GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import '../../test/page-surroundings.ts';
import { found, lab, md5, sha1, sha256 } from '../../test/quiet-host.ts';

const inLibrary: GivenAnswers = { 'library.sample': () => known };
const address = 'http://127.0.0.1:1';
const unreachable = {
  kind: 'unreachable',
  service: 'repository',
  address,
  reason: 'refused',
  code: 'ECONNREFUSED',
} as const;

async function lookUp(hash: string, answers: GivenAnswers) {
  const page = await open(answers);
  await page.lookUp(hash);
  return page;
}
const record = (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Record' });

test('a hash that the library knows is shown before its service answers, and nothing of it moves then', async () => {
  let answer: (value: typeof found) => void = () => {};
  const waiting = new Promise<typeof found>((resolve) => {
    answer = resolve;
  });
  await lookUp(md5, { ...inLibrary, 'samples.lookup': () => waiting });
  const name = await screen.findByRole('heading', { name: 'update_helper.dll' });
  expect(await screen.findByText('Fetching from Lab (this computer)')).toBeDefined();
  expect(screen.getByText('PE64 DLL, 1,208,320 bytes (1.15 MiB).')).toBeDefined();
  await act(async () => answer(found));
  expect(await within(await record()).findByText('38 ms')).toBeDefined();
  expect(name.isConnected).toBe(true);
  expect(screen.getByText('PE64 DLL, 1,208,320 bytes (1.15 MiB).')).toBeDefined();
});

test('a hash of another kind than the service was asked with is marked as the one that was looked up', async () => {
  await lookUp(sha256, { ...inLibrary, 'samples.lookup': () => found });
  const marks = async (): Promise<(string | undefined)[]> =>
    within(await screen.findByRole('region', { name: 'Hashes' }))
      .getAllByRole('term')
      .map((term) => term.nextElementSibling?.textContent.replace(/^[0-9a-f]+/, ''));
  await within(await record()).findByText('38 ms');
  expect(await marks()).toEqual(['looked up by this hash', '', 'sent to the repository']);
});

test.each<[Failure['kind'], () => never]>([
  ['unreachable', () => fail(unreachable)],
  ['forbidden', () => fail({ kind: 'forbidden', service: 'repository', address, status: 403, text: '' })],
  ['unknown-hash', () => fail({ kind: 'unknown-hash', service: 'repository', hash: md5 })],
])('what the library knows stays when its service fails: %s', async (_kind, lookup) => {
  await lookUp(md5, { ...inLibrary, 'samples.lookup': lookup });
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  const notice = await within(await record()).findByRole('alert');
  expect(notice.textContent).toContain('Below is what this computer knows.');
  expect(within(notice).getByRole('button', { name: /^Try again/ })).toBeDefined();
  expect(screen.getByRole('button', { name: /^Refresh/ })).toBeDefined();
  expect(screen.getByRole('region', { name: 'Verdict' })).toBeDefined();
});

const needsMd5: GivenAnswers = {
  'samples.lookup': ({ hash }) => (hash === md5 ? found : fail({ kind: 'needs-md5', hash })),
  'servers.actions': () => ({
    mayUse: true,
    actions: [{ action: 'getfiles', service: 'repository', state: 'answers', seen: null }],
  }),
};

test('a SHA-256 that cannot be asked for leads to its MD5, to the library and to the server', async () => {
  const { user } = await lookUp(sha256, needsMd5);
  const field = await screen.findByRole('textbox', { name: 'MD5 of the same sample' });
  expect(screen.getByRole('button', { name: 'Search the library' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Search at Lab (this computer)' })).toBeDefined();
  await user.type(field, 'no MD5{Enter}');
  expect((await screen.findByText('An MD5 has 32 hexadecimal digits.')).getAttribute('role')).toBe('alert');
  await user.clear(field);
  await user.type(field, ` ${md5.toUpperCase()} {Enter}`);
  expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
});

test('a SHA-1 is not searched for at a server, which has no such search', async () => {
  const { user } = await lookUp(sha1, needsMd5);
  await screen.findByRole('textbox', { name: 'MD5 of the same sample' });
  expect(screen.queryByRole('button', { name: 'Search at Lab (this computer)' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Search the library' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Library' })).toBeDefined();
  expect(screen.getByDisplayValue(sha1)).toBeDefined();
});

test('the search of the server opens beside the library, with the SHA-256 that was looked up', async () => {
  const { user, bridge } = await lookUp(sha256, {
    ...needsMd5,
    'servers.search': () => ({ found: [], mayBeMore: false }),
  });
  await user.click(await screen.findByRole('button', { name: 'Search at Lab (this computer)' }));
  await screen.findByRole('heading', { level: 1, name: 'Library' });
  expect(bridge.inputsOf('servers.search')).toMatchObject([
    { workspaceId: 'lab', search: { field: 'sha256', text: sha256, page: 1 } },
  ]);
});

test('the query of a repository that takes one is the SHA-256 that was looked up', async () => {
  const { user, bridge } = await lookUp(sha256, {
    ...needsMd5,
    'servers.actions': () => ({
      mayUse: true,
      actions: [{ action: 'searchfiles', service: 'repository', state: 'answers', seen: null }],
    }),
    'servers.searchByQuery': () => ({ found: [], next: null, total: 0, more: false }),
  });
  await user.click(await screen.findByRole('button', { name: 'Search at Lab (this computer)' }));
  await screen.findByRole('heading', { level: 1, name: 'Library' });
  expect(bridge.inputsOf('servers.searchByQuery')).toEqual([
    { workspaceId: 'lab', search: { query: sha256, order: 'newest', after: null } },
  ]);
});

test.each([
  [
    'SHA-256',
    sha256,
    { sha256: 'b'.repeat(64) },
    `begins with ${'b'.repeat(12)}, and you looked up ${sha256.slice(0, 12)}`,
  ],
  ['SHA-1', sha1, { sha1: 'c'.repeat(40) }, `begins with ${'c'.repeat(12)}, and you looked up ${sha1.slice(0, 12)}`],
])('an MD5 of another sample than the %s that was looked up is reported above it', async (kind, hash, other, words) => {
  const answer = { ...found, local: { ...found.local, sha256: null }, record: { ...found.record, ...other } };
  const { user } = await lookUp(hash, {
    ...needsMd5,
    'samples.lookup': (input) => (input.hash === md5 ? answer : fail({ kind: 'needs-md5', hash })),
  });
  await user.type(await screen.findByRole('textbox', { name: 'MD5 of the same sample' }), `${md5}{Enter}`);
  expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
  const notice = screen.getByText('This is not the sample you looked up').closest('[role=alert]');
  expect(notice?.textContent).toContain(`Its ${kind} ${words}`);
  // Asked for by itself, it is what was asked for.
  await user.clear(screen.getByRole('textbox', { name: 'Hash, or text with hashes' }));
  await user.type(screen.getByRole('textbox', { name: 'Hash, or text with hashes' }), `${md5}{Enter}`);
  await waitFor(() => expect(screen.queryByText('This is not the sample you looked up')).toBeNull());
});

test('the MD5 of the sample that was looked up is shown without a notice', async () => {
  const { user } = await lookUp(sha256, needsMd5);
  await user.type(await screen.findByRole('textbox', { name: 'MD5 of the same sample' }), `${md5}{Enter}`);
  expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
  expect(screen.queryByText('This is not the sample you looked up')).toBeNull();
});

describe('a hash that another workspace has a record of', () => {
  const team = { ...lab, id: 'team', name: 'Team', builtIn: false };
  function elsewhere(row: Partial<typeof known.row> = {}): GivenAnswers {
    let current = 'lab';
    return {
      'library.sample': () => ({
        ...known,
        row: { ...known.row, vault: 'none', ...row },
        records: known.records.map((read) => ({ ...read, workspaceId: 'team' })),
      }),
      'workspaces.list': () => ({ workspaces: [lab, team], current, damaged: [] }),
      'workspaces.switch': ({ id }) => {
        current = id;
        return {};
      },
      'samples.lookup': ({ workspaceId, hash }) =>
        workspaceId === 'team' ? found : fail({ kind: 'unknown-hash', service: 'repository', hash }),
    };
  }

  test('leads there, and Download and Upload are no first choice', async () => {
    const { user, bridge } = await lookUp(md5, elsewhere());
    const there = await screen.findByRole('button', { name: 'Look up at Team' });
    expect(there.dataset['look']).toBe('primary');
    const download = screen.getByRole('button', { name: /^Download/ });
    expect(download.dataset['look']).toBe('default');
    const why = document.getElementById(download.getAttribute('aria-describedby') ?? '');
    expect(why?.textContent).toBe('Lab (this computer) does not know this hash.');
    expect(screen.queryByRole('button', { name: 'Upload…' })).toBeNull();
    await user.click(there);
    await waitFor(() => expect(bridge.inputsOf('workspaces.switch')).toEqual([{ id: 'team' }]));
    bridge.emit('workspaces.changed', {});
    await waitFor(() =>
      expect(bridge.inputsOf('samples.lookup').at(-1)).toMatchObject({ workspaceId: 'team', hash: md5 }),
    );
    expect(await within(await record()).findByText('38 ms')).toBeDefined();
    expect(screen.getByRole('button', { name: /^Download/ }).dataset['look']).toBe('primary');
  });

  test('is offered for upload once its bytes are here', async () => {
    await lookUp(md5, elsewhere({ vault: 'held' }));
    expect(await screen.findByRole('button', { name: 'Upload…' })).toBeDefined();
  });

  test('is not looked up there when the workspace cannot be switched to', async () => {
    const { user, bridge } = await lookUp(md5, {
      ...elsewhere(),
      'workspaces.switch': () => fail({ kind: 'workspace-missing', id: 'team' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Look up at Team' }));
    await waitFor(() => expect(bridge.inputsOf('workspaces.switch')).toHaveLength(1));
    expect(bridge.inputsOf('samples.lookup')).toHaveLength(1);
  });
});
