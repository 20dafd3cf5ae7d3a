import './page-surroundings.ts';
import '../components/data-grid/layout.fixture.ts';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { recentLookups } from '../features/lookup/lookup-store.tsx';
import { App } from '../shell/app.tsx';
import { type GivenAnswers, MemoryBridge } from './memory-bridge.ts';
import { open } from './open-page.fixture.tsx';
import { putIn } from './put-in.ts';
import { found, host, lab, md5, sha1, sha256, usedSettings } from './quiet-host.ts';
import { openedRow, triageHost } from './triage-host.fixture.ts';
import { readOut } from './read-out.ts';

afterEach(async () => {
  cleanup();
  vi.restoreAllMocks();
  await recentLookups.keepOnly([]);
});

describe('the look-up', () => {
  test('shows the record, its hashes in order, and marks the one that was looked up', async () => {
    const { lookUp, bridge } = await open();
    await lookUp(md5.toUpperCase());
    expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
    expect(bridge.inputsOf('samples.lookup')).toEqual([{ workspaceId: 'lab', hash: md5, firstComments: 8 }]);
    expect(screen.getByText('Found, 38 ms')).toBeDefined();
    expect(screen.getByText('TLP:AMBER')).toBeDefined();
    const hashes = within(screen.getByRole('region', { name: 'Hashes' }));
    expect(hashes.getAllByRole('term').map((term) => term.textContent)).toEqual(['SHA-256', 'SHA-1', 'MD5']);
    expect(hashes.getByText(md5).parentElement?.textContent).toContain('looked up by this hash');
    expect(hashes.getByText('not known yet')).toBeDefined();
  });

  test('focuses the name after a look-up, so that the keys of the sample work at once', async () => {
    const { lookUp, user, bridge } = await open();
    await lookUp(md5);
    const name = await screen.findByRole('heading', { name: 'update_helper.dll' });
    expect(name).toBe(document.activeElement);
    await user.keyboard('d');
    await waitFor(() => expect(bridge.inputsOf('downloads.start')).toEqual([{ workspaceId: 'lab', md5 }]));
  });

  test('focuses the name as soon as it appears, so that the field gets no key pressed then', async () => {
    const { lookUp } = await open();
    const focused = new Promise<Element | null>((resolve) => {
      const seen = new MutationObserver(() => {
        if (screen.queryByRole('heading', { name: 'update_helper.dll' }) === null) return;
        seen.disconnect();
        resolve(document.activeElement);
      });
      seen.observe(document.body, { childList: true, subtree: true });
    });
    await lookUp(md5);
    expect(readOut(await focused)).toBe('update_helper.dll');
  });

  test('reads the local history again when the journal grows, and for nothing else', async () => {
    const { lookUp, bridge } = await open();
    await lookUp(md5);
    await waitFor(() => expect(bridge.inputsOf('samples.history')).toHaveLength(1));
    bridge.emit('library.changed', {});
    await waitFor(() => expect(bridge.inputsOf('library.count').length).toBeGreaterThan(1));
    expect(bridge.inputsOf('samples.history')).toHaveLength(1);
    bridge.emit('journal.changed', {});
    await waitFor(() => expect(bridge.inputsOf('samples.history')).toHaveLength(2));
  });

  test('ignores single letters when they are switched off', async () => {
    const { lookUp, user, bridge } = await open({
      'settings.read': () => ({ values: { ...usedSettings, singleLetterKeys: false }, damaged: [] }),
    });
    await lookUp(md5);
    await screen.findByRole('heading', { name: 'update_helper.dll' });
    await user.keyboard('d');
    expect(bridge.inputsOf('downloads.start')).toEqual([]);
  });

  test('shows the progress of a download, and its end as the state of the sample', async () => {
    const { lookUp, user, bridge } = await open();
    await lookUp(md5);
    await user.click(await screen.findByRole('button', { name: 'Download' }));
    const download = {
      id: 'd'.repeat(32),
      workspaceId: 'lab',
      md5,
      name: null,
      totalBytes: 2048,
      sha1: null,
      sha256: null,
      failure: null,
    };
    bridge.emit('download.progress', { ...download, state: 'receiving', receivedBytes: 1024, bytesPerSecond: 512 });
    const bar = await screen.findByRole('progressbar', { name: 'Downloading and verifying' });
    expect(bar.getAttribute('aria-valuenow')).toBe('50');
    expect(bar.textContent).toContain('1.00 KiB of 2.00 KiB0:02 left');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(bridge.inputsOf('downloads.cancel')).toEqual([{ id: download.id }]);
    bridge.emit('download.progress', { ...download, state: 'done', receivedBytes: 2048, bytesPerSecond: 0, sha256 });
    expect(await screen.findByText('In the vault, verified and encrypted')).toBeDefined();
    expect(screen.queryByRole('progressbar')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Export…' }));
    expect(await screen.findByRole('menuitem', { name: /^Password ZIP/ })).toBeDefined();
  });

  test('shows the reason of a failed download beside the sample, with a retry', async () => {
    const { lookUp, user, bridge } = await open();
    await lookUp(md5);
    await user.click(await screen.findByRole('button', { name: 'Download' }));
    bridge.emit('download.progress', {
      id: 'd'.repeat(32),
      workspaceId: 'lab',
      md5,
      name: null,
      state: 'failed',
      receivedBytes: 2,
      totalBytes: 2,
      bytesPerSecond: 0,
      sha1: null,
      sha256: null,
      failure: { kind: 'wrong-bytes', md5, actualMd5: 'f'.repeat(32), sizeBytes: 2 },
    });
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(bridge.inputsOf('downloads.start')).toHaveLength(2);
  });

  test.each([
    ['no hash here', 'No hash found in this text'],
    ['25f4f5501a058ba518efc1a525f2e8c', 'Not a hash: 31 hexadecimal characters'],
  ])('sends nothing for %s, and gives the reason', async (text, sentence) => {
    const { lookUp, bridge } = await open();
    await lookUp(text);
    expect((await screen.findByRole('alert')).textContent).toContain(sentence);
    expect(bridge.inputsOf('samples.lookup')).toEqual([]);
  });

  test('lists several hashes, names every rejected run, and opens the chosen one', async () => {
    const { lookUp, user, bridge } = await open(triageHost());
    await lookUp(`${md5} ${sha1} ${sha256} ${'a'.repeat(31)}`);
    await openedRow(md5);
    expect(screen.getByText('31 hex digits, an MD5 has 32')).toBeDefined();
    expect(bridge.inputsOf('samples.lookup')).toEqual([]);
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() =>
      expect(bridge.inputsOf('samples.lookup')).toEqual([{ workspaceId: 'lab', hash: sha1, firstComments: 8 }]),
    );
    await user.click(await screen.findByRole('button', { name: 'All 3 hashes' }));
    await openedRow(sha1);
  });

  test('shows an unknown hash as an answer in place of the record, with a way to refresh', async () => {
    const { lookUp, user, bridge } = await open({
      'samples.lookup': () => fail({ kind: 'unknown-hash', service: 'repository', hash: md5 }),
    });
    await lookUp(md5);
    expect((await screen.findByRole('alert')).textContent).toContain('does not know this hash');
    expect(screen.getByText('Not found')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(bridge.inputsOf('samples.lookup')).toHaveLength(2));
  });

  test('reports several malformed runs once', async () => {
    const { lookUp } = await open();
    await lookUp(`${'a'.repeat(31)} ${'b'.repeat(50)}`);
    expect((await screen.findAllByRole('alert')).map((alert) => alert.textContent)).toEqual([
      `2 malformed hashes were skipped${'a'.repeat(31)} 31 hex digits, an MD5 has 32${'b'.repeat(26)}` +
        `…${'b'.repeat(13)} 50 hex digits, a SHA-1 has 40`,
    ]);
  });

  test('takes a link from elsewhere into the field and sends nothing', async () => {
    const { bridge, field } = await open();
    bridge.emit('lookup.prefill', { md5 });
    await waitFor(() => expect(field).toHaveProperty('value', md5));
    expect(bridge.inputsOf('samples.lookup')).toEqual([]);
  });

  test('reads lines pasted into the field as lines', async () => {
    const { user, field } = await open();
    await user.click(field);
    await user.paste(`${md5}\n${sha256}\n`);
    expect(await screen.findByText('2 hashes from pasted text')).toBeDefined();
  });

  test('sends no new request after a visit to the settings', async () => {
    const { lookUp, user, bridge } = await open();
    await lookUp(md5);
    await screen.findByRole('heading', { name: 'update_helper.dll' });
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    await user.click(screen.getByRole('button', { name: 'Look up' }));
    expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
    expect(bridge.inputsOf('samples.lookup')).toHaveLength(1);
  });

  test('lists a found sample among the recent look-ups', async () => {
    const { lookUp } = await open();
    await lookUp(md5);
    expect(await screen.findByRole('button', { name: 'Look up update_helper.dll again' })).toBeDefined();
  });
});

describe('an export', () => {
  const inVault: GivenAnswers = {
    'samples.lookup': () => ({ ...found, local: { ...found.local, inVault: true, sha256 } }),
  };
  const openDialog = async (answers: GivenAnswers = {}) => {
    const page = await open({ ...inVault, ...answers });
    await page.lookUp(md5);
    await page.user.click(await screen.findByRole('button', { name: 'Export…' }));
    await page.user.click(await screen.findByRole('menuitem', { name: /^Password ZIP/ }));
    return page;
  };

  test('starts with the settings, and the safe choice has the focus', async () => {
    await openDialog();
    expect(await screen.findByRole('textbox', { name: 'Password' })).toHaveProperty('value', 'infected');
    expect(screen.getByRole('radio', { name: /^AES-256 opens with/ })).toHaveProperty('checked', true);
    expect(screen.getByRole('button', { name: 'Cancel' })).toBe(document.activeElement);
  });

  test('sends the chosen options, and leaves the rest to the browser by a link that works once', async () => {
    const { user, bridge } = await openDialog();
    await user.click(await screen.findByRole('radio', { name: /ZipCrypto/ }));
    const password = screen.getByRole('textbox', { name: 'Password' });
    await user.clear(password);
    await user.type(password, 'other');
    await user.click(screen.getByRole('button', { name: 'Export as download' }));
    const link = await screen.findByRole('link', { name: 'Save ZIP' });
    expect(bridge.inputsOf('samples.exportZip')).toEqual([
      { sha256, encryption: 'zipcrypto', password: 'other', to: 'browser' },
    ]);
    expect(link.getAttribute('href')).toBe(`/export/${'e'.repeat(64)}`);
    expect(link.getAttribute('download')).toBe(`${sha256}.zip`);
  });

  test('cannot be sent without a password', async () => {
    const { user } = await openDialog();
    await user.clear(await screen.findByRole('textbox', { name: 'Password' }));
    expect(screen.getByRole('button', { name: 'Export as download' })).toHaveProperty('disabled', true);
    expect(screen.getByText('Enter a password')).toBeDefined();
  });

  test('to a folder uses the one named by the host, and only when there is one', async () => {
    const { user, bridge } = await openDialog({
      'host.describe': () => ({
        ...host,
        exportFolder: '/exports',
        capabilities: { ...host.capabilities, browserDownload: false },
      }),
      'samples.exportZip': () => ({
        kind: 'folder',
        path: `/exports/${sha256}.zip`,
        fileName: `${sha256}.zip`,
        sizeBytes: 1,
      }),
    });
    expect(await screen.findByText('To /exports')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Export to folder' }));
    expect(await screen.findByText('Exported bf5549086c34 to /exports')).toBeDefined();
    expect(bridge.inputsOf('samples.exportZip')).toMatchObject([{ to: 'folder' }]);
  });

  test('reports its failure in the dialog, with a retry', async () => {
    const { user } = await openDialog({ 'samples.exportZip': () => fail({ kind: 'disk-full', path: '/exports' }) });
    await user.click(await screen.findByRole('button', { name: 'Export as download' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full');
  });
});

describe('the frame', () => {
  test('shows when the lab was restarted, and the location of the tokens', async () => {
    await open({ 'host.describe': () => ({ ...host, lab: { state: 'running', restarts: 2, failure: null } }) });
    expect(await screen.findByText('Lab running, restarted 2 times')).toBeDefined();
    expect(screen.getByText('Tokens in memory until you quit')).toBeDefined();
  });

  test('claims nothing of an unused service, and shows the outcome of the last answer', async () => {
    const { lookUp } = await open({
      'samples.lookup': () =>
        fail({
          kind: 'unreachable',
          service: 'repository',
          address: 'https://a.example',
          reason: 'name',
          code: 'ENOTFOUND',
        }),
    });
    const status = within(screen.getByRole('contentinfo'));
    expect(status.getByText('Repository not contacted yet')).toBeDefined();
    await lookUp(md5);
    expect(await status.findByText('Cannot reach the repository')).toBeDefined();
  });

  test('names damaged settings', async () => {
    await open({
      'settings.read': async () => ({
        ...(await new MemoryBridge()
          .call('settings.read', {})
          .then((read) => (read.ok ? read.value : fail(read.failure)))),
        damaged: ['theme', 'exportPassword'],
      }),
    });
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Some settings could not be read: theme, export password',
    );
  });

  test('reports a lost host above everything else', async () => {
    render(<App bridge={new MemoryBridge({ 'host.describe': () => fail({ kind: 'host-gone' }) })} />);
    expect((await screen.findByRole('alert')).textContent).toContain('Vitrine is not responding');
  });

  test('keeps the rest of the page working when a record breaks the view', async () => {
    // React reports the defect on the console, too.
    vi.spyOn(console, 'error').mockReturnValue();
    const broken = {
      ...found,
      record: {
        ...found.record,
        get tags(): string[] {
          throw new Error('broken');
        },
      },
    };
    const { lookUp, user } = await open({ 'samples.lookup': () => broken });
    await lookUp(md5);
    expect((await screen.findByRole('alert')).textContent).toContain('This view crashed');
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeDefined();
  });

  test('focuses the command field on Ctrl K, whose hash is looked up in any view', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    await user.keyboard('{Control>}k{/Control}');
    await user.keyboard(`${md5}{Enter}`);
    expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
  });
});

describe('a workspace', () => {
  const team = {
    ...lab,
    id: 'w-1',
    name: 'Team',
    builtIn: false,
    repository: { baseUrl: 'https://samples.example/repo', hasToken: true },
  };
  const openWorkspaces = async (answers: GivenAnswers = {}) => {
    const page = await open({
      'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }),
      ...answers,
    });
    await page.user.click(screen.getByRole('button', { name: 'Settings' }));
    await page.user.click(await screen.findByRole('button', { name: 'Workspaces' }));
    return page;
  };

  test('is added as typed; problems are reported at the first attempt and not before', async () => {
    const { user, bridge } = await openWorkspaces();
    await user.click(await screen.findByRole('button', { name: 'Add workspace' }));
    expect(screen.queryByText('Enter a name')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('Enter a name')).toBeDefined();
    expect(bridge.inputsOf('workspaces.add')).toEqual([]);
    const repository = within(screen.getByRole('group', { name: 'Repository' }));
    await putIn(user, screen.getByRole('textbox', { name: 'Name' }), 'North');
    await putIn(user, repository.getByRole('textbox', { name: 'Address' }), 'https://north.example/repo');
    await putIn(user, repository.getByLabelText('Token'), 'secret-token');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(bridge.inputsOf('workspaces.add')).toMatchObject([
        {
          name: 'North',
          repository: { baseUrl: 'https://north.example/repo', token: { kind: 'set', token: 'secret-token' } },
          ruleEditor: null,
          allowHttp: false,
        },
      ]),
    );
  });

  test('shows that a token is stored and never the token; clearing it can be undone', async () => {
    const { user, bridge } = await openWorkspaces();
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    const repository = within(screen.getByRole('group', { name: 'Repository' }));
    expect(repository.getByText('Token stored')).toBeDefined();
    expect(repository.queryByLabelText('Token', { selector: 'input' })).toBeNull();
    await user.click(repository.getByRole('button', { name: 'Remove' }));
    await user.click(repository.getByRole('button', { name: 'Keep stored token' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(bridge.inputsOf('workspaces.edit')).toMatchObject([
        { id: 'w-1', draft: { repository: { token: { kind: 'keep' } } } },
      ]),
    );
  });

  test('is tested service by service, one line each, with the reason', async () => {
    const { user } = await openWorkspaces({
      'workspaces.test': () => ({
        tests: [
          {
            service: 'repository',
            reachable: true,
            trusted: true,
            tokenAccepted: false,
            failure: {
              kind: 'token-refused',
              service: 'repository',
              address: 'https://samples.example/repo',
              status: 401,
            },
            actions: [],
          },
        ],
      }),
    });
    const card = within(await screen.findByRole('region', { name: 'Team' }));
    await user.click(card.getByRole('button', { name: 'Test connection' }));
    expect((await card.findAllByRole('listitem')).map((line) => line.textContent)).toEqual([
      'Reachable',
      'Certificate trusted',
      'Token rejected',
    ]);
    expect(card.getByRole('alert').textContent).toContain('Token rejected (401)');
  });

  test('is removed after a confirmation, its library only when ticked', async () => {
    const { user, bridge } = await openWorkspaces();
    await user.click(await screen.findByRole('button', { name: 'Remove…' }));
    expect(screen.getByRole('button', { name: 'Cancel' })).toBe(document.activeElement);
    await user.click(screen.getByRole('checkbox', { name: /Also forget its library/ }));
    await user.click(screen.getByRole('button', { name: 'Remove workspace' }));
    await waitFor(() => expect(bridge.inputsOf('workspaces.remove')).toEqual([{ id: 'w-1', forgetLibrary: true }]));
  });

  test('cannot be edited or removed when it is the built-in one', async () => {
    await openWorkspaces();
    const card = within(await screen.findByRole('region', { name: 'Lab (this computer)' }));
    expect(card.getAllByRole('button').map((button) => button.textContent)).toEqual(['Test connection']);
  });
});
