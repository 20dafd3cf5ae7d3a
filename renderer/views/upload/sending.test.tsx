import { bulkJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { fail } from '../../../shared/failure.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { putIn } from '../../test/put-in.ts';
import { found, lab } from '../../test/quiet-host.ts';
import { enterRow, fileAt, md5At, openUpload, some } from './open-upload.fixture.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('before sending', () => {
  test('the pane lists sent, existing and left-out files, and the copies to third parties', async () => {
    await openUpload();
    const amounts = within(screen.getByRole('region', { name: 'File status' }))
      .getAllByRole('definition')
      .map(({ textContent }) => textContent);
    expect(amounts).toEqual(['2', '87.7 KiB', '1', '43.9 KiB', '1', '0']);
    const pane = within(screen.getByRole('region', { name: 'Before you send' }));
    expect(pane.getByText('file_1.js')).toBeDefined();
    expect(
      pane.getByText('The repository of Lab (this computer) forwards copies to VirusTotal. This cannot be undone.'),
    ).toBeDefined();
    expect(pane.getByText('1 file is TLP:AMBER or stricter and is not forwarded.')).toBeDefined();
    expect(pane.getByText('To Lab (this computer), 1 request')).toBeDefined();
  });

  test('receivers have the names of the workspace', async () => {
    const own = {
      ...lab,
      options: { ...lab.options, receivers: { virusTotal: 'Partner feed', sandbox: 'Detonator' } },
    };
    await openUpload(some, { 'workspaces.list': () => ({ workspaces: [own], current: 'lab', damaged: [] }) });
    expect(await screen.findByRole('columnheader', { name: 'Partner feed' })).toBeDefined();
    expect(screen.getByText(/forwards copies to Partner feed/)).toBeDefined();
    expect(screen.getByRole('checkbox', { name: 'Forward file_1.js to Detonator' })).toBeDefined();
  });

  test.each<[string, readonly UploadFile[], GivenAnswers]>([
    ['Nothing to send: no ticked file is new to the repository', [fileAt(3, { presence: 'there' })], {}],
    ['Nothing to send: no file is ticked', [fileAt(1, { isTicked: false })], {}],
    [
      'No repository configured',
      some,
      { 'workspaces.list': () => ({ workspaces: [{ ...lab, repository: null }], current: 'lab', damaged: [] }) },
    ],
  ])('the pane gives the reason when nothing can be sent: %s', async (words, files, answers) => {
    const { user, bridge } = await openUpload(files, answers);
    expect(screen.getByText(words)).toBeDefined();
    await enterRow(user, files[0]?.name ?? '');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(bridge.inputsOf('uploads.send')).toEqual([]);
  });

  test('files without an answer are checked again', async () => {
    const { user, bridge } = await openUpload([
      fileAt(1, { presence: 'unanswered', presenceFailure: { kind: 'host-gone' } }),
    ]);
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    expect(bridge.inputsOf('uploads.ask')).toEqual([{ workspaceId: 'lab' }]);
  });

  test('files cannot be checked, with the reason, where a repository has no records', async () => {
    await openUpload([fileAt(1, { presence: 'unanswered', presenceFailure: { kind: 'host-gone' } })], {
      'servers.actions': () => ({
        mayUse: true,
        actions: [{ service: 'repository', action: 'getfile', state: 'absent', seen: null }],
      }),
    });
    expect(await screen.findByText(/^This repository has no records, so files cannot be checked/)).toBeDefined();
    expect(screen.queryByText(/Each is checked again/)).toBeNull();
  });

  test('the comment is kept with its last key, also when the view is left at once', async () => {
    const { user, bridge } = await openUpload();
    await putIn(user, screen.getByRole('textbox', { name: 'Comment' }), 'Case 2026-114');
    await user.keyboard('{Control>}2{/Control}');
    await waitFor(() =>
      expect(bridge.inputsOf('uploads.comment').at(-1)).toEqual({ workspaceId: 'lab', text: 'Case 2026-114' }),
    );
    await user.click(screen.getByRole('button', { name: /^Upload/ }));
    expect(await screen.findByRole('textbox', { name: 'Comment' })).toHaveProperty('value', 'Case 2026-114');
  });

  test('a comment near its limit shows its length, and one beyond it is not sent', async () => {
    await openUpload();
    const field = screen.getByRole('textbox', { name: 'Comment' });
    fireEvent.change(field, { target: { value: 'x'.repeat(95_000) } });
    expect(await screen.findByText('95,000 of 100,000 characters')).toBeDefined();
    fireEvent.change(field, { target: { value: 'x'.repeat(100_001) } });
    expect(await screen.findByText(/100,001 of at most 100,000 characters/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Send 2 files' })).toHaveProperty('disabled', true);
  });
});

describe('sending', () => {
  const job: Job = { ...bulkJob, id: 220, task: { kind: 'upload' } };

  test('by Ctrl Enter creates the job with the text typed before, and shows it', async () => {
    const { user, bridge } = await openUpload(some, { 'uploads.send': () => job });
    await user.type(screen.getByRole('textbox', { name: 'Comment' }), 'Case');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText(/^Job 220, running/)).toBeDefined();
    const calls = bridge.asked
      .map(({ name }) => name)
      .filter((name) => name === 'uploads.comment' || name === 'uploads.send');
    expect(calls.at(-1)).toBe('uploads.send');
    expect(bridge.inputsOf('uploads.comment').at(-1)).toEqual({ workspaceId: 'lab', text: 'Case' });
  });

  test('by Ctrl Enter works while nothing has the focus, and not behind a dialog', async () => {
    const { user, bridge } = await openUpload(some, { 'uploads.send': () => job });
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement) activeElement.blur();
    await user.keyboard('{Shift>}?{/Shift}');
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(bridge.inputsOf('uploads.send')).toEqual([]);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(document.body);
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText(/^Job 220, running/)).toBeDefined();
  });

  test('keeps the rest of the draft one press away, in a fixed place when the job ends', async () => {
    const { user, bridge } = await openUpload(some, { 'uploads.send': () => job });
    await user.click(screen.getByRole('button', { name: 'Send 2 files' }));
    await screen.findByText(/^Job 220/);
    const last = (): Element | undefined =>
      [...(screen.getByRole('heading', { name: 'Upload' }).parentElement?.querySelectorAll('button') ?? [])].at(-1);
    expect(last()?.textContent).toBe('Back to draft (4 files)');
    act(() =>
      bridge.emit('job.changed', {
        ...job,
        state: 'done',
        ended: '2026-11-18T14:32:51.000Z',
        counts: { ...job.counts, waiting: 0, done: 2 },
      }),
    );
    expect(await screen.findByText('2 samples stored')).toBeDefined();
    expect(last()?.textContent).toBe('Back to draft (4 files)');
    await user.click(screen.getByRole('button', { name: 'Back to draft (4 files)' }));
    expect(await screen.findByRole('grid', { name: 'Files in the draft' })).toBeDefined();
  });

  test('that fails to start gives the reason, and the draft stays', async () => {
    const { user } = await openUpload(some, { 'uploads.send': () => fail({ kind: 'draft-busy', files: 1 }) });
    await user.click(screen.getByRole('button', { name: 'Send 2 files' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Still reading 1 file');
    expect(screen.getByRole('button', { name: 'Send 2 files' })).toBeDefined();
  });
});

describe('a sample already in the repository', () => {
  const there = [
    fileAt(3, { presence: 'there', isTicked: false, tags: ['macro'] }),
    fileAt(6, { presence: 'there', tags: [], tlp: null }),
    fileAt(7, { presence: 'there', tags: ['a'], tlp: null }),
  ];
  const thread = (state: 'sent' | 'may-have-arrived') => ({
    comments: [
      {
        id: 'own-1',
        parentId: null,
        author: null,
        content: '',
        created: null,
        own: { id: 1, state, isListed: false, failure: null },
      },
    ],
    draft: { text: '', parentId: null },
    listsComments: true,
  });

  test('gets tags and comment as comments, one by one, with an outcome each, and never twice', async () => {
    const { user, bridge } = await openUpload([...some, ...there.slice(1)], {
      'comments.thread': ({ md5 }) => thread(md5 === md5At(7) ? 'may-have-arrived' : 'sent'),
    });
    await user.click(screen.getByRole('button', { name: 'Add to existing samples…' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('1 file with nothing to send is not listed.')).toBeDefined();
    expect(dialog.getByText('Tags: macro, tlp:green', { selector: 'pre' })).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Send 2 comments' }));
    expect(await dialog.findByText('1 of 2 not confirmed')).toBeDefined();
    expect(bridge.inputsOf('comments.send')).toEqual([
      { workspaceId: 'lab', md5: md5At(3), draft: { text: 'Tags: macro, tlp:green', parentId: null } },
      { workspaceId: 'lab', md5: md5At(7), draft: { text: 'Tags: a', parentId: null } },
    ]);
    expect(
      dialog
        .getAllByRole('row')
        .slice(1)
        .map((row) => within(row).getAllByRole('gridcell').at(-1)?.textContent),
    ).toEqual(['Sent', 'May have arrived']);
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await user.click(screen.getByRole('button', { name: 'Add to existing samples…' }));
    expect(await within(await screen.findByRole('dialog')).findByText('Sent')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Post/ })).toBeNull();
  });

  test('stops on request after the comment in progress', async () => {
    const first = Promise.withResolvers<{ id: number }>();
    const { user, bridge } = await openUpload(there, {
      'comments.send': () => first.promise,
      'comments.thread': () => thread('sent'),
    });
    await user.click(screen.getByRole('button', { name: 'Add to existing samples…' }));
    await user.click(await screen.findByRole('button', { name: 'Send 2 comments' }));
    await user.click(await screen.findByRole('button', { name: 'Stop' }));
    await act(async () => first.resolve({ id: 1 }));
    expect(await screen.findByText('1 of 2 not confirmed')).toBeDefined();
    expect(bridge.inputsOf('comments.send')).toHaveLength(1);
  });

  test('gets tags and comment added to its record where a repository has no comments', async () => {
    const record = {
      ...found.record,
      md5: null,
      tags: ['macro', 'theirs'],
      comments: [{ id: 'comment', parentId: null, author: null, content: 'as it was', created: null }],
    };
    const { user, bridge } = await openUpload(there.slice(0, 1), {
      'servers.actions': () => ({
        mayUse: true,
        actions: [
          { service: 'repository', action: 'addcomment', state: 'absent', seen: null },
          { service: 'repository', action: 'updatefile', state: 'answers', seen: null },
        ],
      }),
      'samples.lookup': () => ({ ...found, record }),
      'servers.changeRecord': () => ({ record, altered: [] }),
    });
    await user.type(screen.getByRole('textbox', { name: /^Comment/ }), 'seen again');
    await user.click(screen.getByRole('button', { name: 'Add to existing samples…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('button', { name: 'Change 1 record' }));
    expect(await dialog.findByText('1 record changed and confirmed')).toBeDefined();
    expect(bridge.inputsOf('servers.changeRecord')).toMatchObject([
      {
        md5: md5At(3),
        change: { tags: ['macro', 'theirs', 'tlp:green'], comment: 'as it was\nseen again' },
        basedOn: { comment: 'as it was', tags: ['macro', 'theirs'] },
      },
    ]);
    expect(bridge.inputsOf('comments.send')).toEqual([]);
  });
});
