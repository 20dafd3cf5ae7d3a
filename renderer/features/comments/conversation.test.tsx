import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { type CommentThread, longestComment } from '../../../shared/domain/comment.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { fail } from '../../../shared/failure.ts';
import type { GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import '../../test/page-surroundings.ts';
import { found, md5 } from '../../test/quiet-host.ts';
import { unsavedDrafts } from './draft.ts';
import { listed, ownOf, ThreadHost } from './thread-host.fixture.ts';

afterEach(async () => {
  cleanup();
  await unsavedDrafts.keepOnly([]);
});

const lost: Failure = {
  kind: 'connection-lost',
  service: 'repository',
  address: 'https://a.example',
  receivedBytes: 0,
  expectedBytes: null,
};
const noAction: Failure = {
  kind: 'action-unknown',
  service: 'repository',
  address: 'https://a.example',
  action: 'addcomment',
};

/** The conversation of a sample that was looked up. */
async function openThread(host: ThreadHost, more: GivenAnswers = {}) {
  const page = await open({ ...host.answers, ...more });
  host.bridge = page.bridge;
  await page.lookUp(md5);
  const field = (await screen.findByRole('textbox', { name: /^(Comment|Reply)/ })) as HTMLTextAreaElement;
  await waitFor(() => expect(field.disabled).toBe(false));
  const write = async (text: string): Promise<void> => {
    await page.user.click(field);
    await page.user.keyboard(text);
  };
  return { ...page, composer: field, write };
}

const thread = (): HTMLElement => screen.getByRole('region', { name: /^Comments/ });
const items = (): (string | null)[] =>
  within(thread())
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const said = (): (string | null)[] =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .filter((words) => words !== null && /omment/.test(words));

describe('the thread', () => {
  test('joins comments of the service and of this computer, with author, time and state', async () => {
    await openThread(new ThreadHost([listed('1'), ownOf(7, 'sent', { parentId: '1' }), ownOf(8, 'pending')]));
    await waitFor(() =>
      expect(items()).toEqual([
        'author 12026-11-18 14:21Ztext 1Reply',
        'You2026-11-18 14:21Zmine 7Sent, not yet listed by the serviceReply',
        'You2026-11-18 14:21Zmine 8Sending',
      ]),
    );
  });

  test('shows the comments of the record until it is loaded', async () => {
    const ofRecord = {
      ...found,
      record: {
        ...found.record,
        comments: [{ id: '1', parentId: null, author: 'desk-4', content: 'as looked up', created: null }],
      },
    };
    const page = await open({ 'samples.lookup': () => ofRecord, 'comments.thread': () => new Promise(() => {}) });
    await page.lookUp(md5);
    expect(await screen.findByText('as looked up')).toBeDefined();
    // They may be but the first of many.
    expect(screen.getByRole('heading', { name: /^Comments/ }).textContent).toBe('Comments');
  });

  test('is read to its end, then counted, when the record has only its first comments', async () => {
    const host = new ThreadHost(Array.from({ length: 1_200 }, (_, at) => listed(String(at))));
    const { bridge } = await openThread(host);
    await waitFor(() => expect(screen.getByRole('heading', { name: /^Comments/ }).textContent).toBe('Comments 1,200'));
    expect(bridge.inputsOf('comments.thread')).toHaveLength(3);
  });

  test('is read again after a change of this sample, but not of another', async () => {
    const host = new ThreadHost([listed('1')]);
    const { bridge } = await openThread(host);
    const before = bridge.inputsOf('comments.thread').length;
    act(() => bridge.emit('comments.changed', { workspaceId: 'lab', md5: 'a'.repeat(32) }));
    act(() => host.put([listed('1'), listed('2')]));
    expect(await screen.findByText('text 2')).toBeDefined();
    expect(bridge.inputsOf('comments.thread')).toHaveLength(before + 1);
  });

  test('is read again when the sample is looked up again', async () => {
    const host = new ThreadHost([listed('1')]);
    const { user } = await openThread(host);
    host.thread = { ...host.thread, comments: [listed('1'), listed('2')] };
    await user.click(screen.getByRole('button', { name: /^Refresh/ }));
    expect(await screen.findByText('text 2')).toBeDefined();
  });

  test('reports why it cannot be read and keeps the field disabled to protect an unseen draft', async () => {
    const page = await open({ 'comments.thread': () => fail({ kind: 'data-damaged', path: '/data', code: 'x' }) });
    await page.lookUp(md5);
    expect((await screen.findByRole('alert')).textContent).toContain('The database is damaged');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' }).disabled).toBe(true);
  });
});

describe('the comment field', () => {
  test('sends on Ctrl Enter, is free at once, and the comment is shown in the thread as sending', async () => {
    const host = new ThreadHost();
    const { write, user, composer } = await openThread(host);
    await write('first');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(items()).toEqual([expect.stringContaining('firstSending')]));
    expect(composer.value).toBe('');
    expect(document.activeElement).toBe(composer);
    await write('second');
    await user.keyboard('{Meta>}{Enter}{/Meta}');
    await waitFor(() =>
      expect(host.sent).toEqual([
        { text: 'first', parentId: null },
        { text: 'second', parentId: null },
      ]),
    );
  });

  test('does not send an empty comment', async () => {
    const { write, user, bridge } = await openThread(new ThreadHost());
    await write('  ');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Send/ }).disabled).toBe(true);
    expect(bridge.inputsOf('comments.send')).toEqual([]);
  });

  test('names the recipient of a reply, which can be undone; own unlisted comments have no reply', async () => {
    const host = new ThreadHost([
      listed('1', { author: 'desk-4' }),
      ownOf(7, 'pending'),
      ownOf(8, 'failed'),
      ownOf(9, 'sent', { id: '12' }),
    ]);
    const { user } = await openThread(host);
    await screen.findByText('mine 9');
    expect(
      screen.getAllByRole('button', { name: /^Reply/ }).map((button) => button.getAttribute('aria-label')),
    ).toEqual(['Reply to desk-4', 'Reply to you']);
    await user.click(screen.getByRole('button', { name: 'Reply to desk-4' }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Reply to desk-4' }));
    await user.click(screen.getByRole('button', { name: 'Cancel reply' }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Comment' }));
    await user.click(screen.getByRole('button', { name: 'Reply to desk-4' }));
    await user.keyboard('agreed{Control>}{Enter}{/Control}');
    await waitFor(() => expect(host.sent).toEqual([{ text: 'agreed', parentId: '1' }]));
  });

  test('offers no reply to the single text of a service without a comment list', async () => {
    const host = new ThreadHost([listed('comment')]);
    host.thread.listsComments = false;
    await openThread(host);
    await screen.findByText('text comment');
    expect(screen.queryByRole('button', { name: /^Reply/ })).toBeNull();
  });

  test('previews the comment as others will see it, and Ctrl Enter sends from the preview', async () => {
    const host = new ThreadHost();
    const { user, composer } = await openThread(host);
    await user.click(composer);
    await user.paste('see https://evil.example/x\n<b>now</b>');
    await user.click(screen.getByRole('button', { name: 'Preview' }));
    const preview = screen.getByRole('region', { name: 'Preview of the comment' });
    expect(preview.textContent).toBe('see hxxps://evil[.]example/x\n<b>now</b>');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() =>
      expect(host.sent).toEqual([{ text: 'see https://evil.example/x\n<b>now</b>', parentId: null }]),
    );
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Comment' }));
  });
});

describe('the limit', () => {
  test('refuses a paste over it with a message before it enters the field, and keeps the old text', async () => {
    const { user, write, composer } = await openThread(new ThreadHost());
    await write('mine');
    await user.paste('x'.repeat(25_000_000));
    expect(composer.value).toBe('mine');
    expect(
      screen.getByText('Not inserted: the comment would have 25,000,004 characters, and the limit is 100,000.'),
    ).toBeDefined();
    await user.keyboard('!');
    expect(composer.value).toBe('mine!');
    expect(screen.queryByText(/^Not inserted/)).toBeNull();
  });

  test('refuses any other input over it, and is shown before it is reached', async () => {
    const { composer } = await openThread(new ThreadHost());
    fireEvent.change(composer, { target: { value: 'x'.repeat(longestComment - 5) } });
    expect(screen.getByText('5 of 100,000 characters left')).toBeDefined();
    fireEvent.change(composer, { target: { value: 'x'.repeat(longestComment + 1) } });
    expect(composer.value).toHaveLength(longestComment - 5);
    expect(screen.getByText(/^Not inserted: the comment would have 100,001 characters/)).toBeDefined();
  });
});

describe('the draft', () => {
  test('is saved at the host during typing, and once more when the sample is left', async () => {
    const host = new ThreadHost();
    const { write, user, bridge } = await openThread(host);
    await write('half a thought');
    expect(await screen.findByText('Draft saved')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    await waitFor(() => expect(host.thread.draft).toEqual({ text: 'half a thought', parentId: null }));
    expect(bridge.inputsOf('comments.saveDraft').length).toBeLessThan('half a thought'.length);
  });

  test('is shown when the sample is shown again, before the host reports it', async () => {
    const host = new ThreadHost();
    const { write, user } = await openThread(host);
    await write('half a thought');
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    await user.click(screen.getByRole('button', { name: /^Look up$/ }));
    await waitFor(() =>
      expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' }).value).toBe('half a thought'),
    );
  });

  test('is shown also when the thread was requested before the draft was saved', async () => {
    const host = new ThreadHost();
    let read = (): CommentThread | Promise<CommentThread> => structuredClone(host.thread);
    const { write, user, bridge } = await openThread(host, { 'comments.thread': () => read() });
    const before = structuredClone(host.thread);
    await write('half a thought');
    await waitFor(() => expect(host.thread.draft.text).toBe('half a thought'));
    const late = Promise.withResolvers<CommentThread>();
    read = () => late.promise;
    const asked = bridge.inputsOf('comments.thread').length;
    host.put([]);
    await waitFor(() => expect(bridge.inputsOf('comments.thread').length).toBeGreaterThan(asked));
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    await act(async () => late.resolve(before));
    read = () => structuredClone(host.thread);
    await user.click(screen.getByRole('button', { name: /^Look up$/ }));
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' });
    await waitFor(() => expect(field.disabled).toBe(false));
    expect(field.value).toBe('half a thought');
  });

  test('survives a reload in the middle of a keystroke, and then reaches the host', async () => {
    const never = new ThreadHost([listed('1')]);
    const first = await openThread(never, { 'comments.saveDraft': () => new Promise(() => {}) });
    await first.user.click(await screen.findByRole('button', { name: 'Reply to author 1' }));
    await first.user.keyboard('not yet sav');
    await waitFor(async () =>
      expect(await unsavedDrafts.read('lab', md5)).toMatchObject({ text: 'not yet sav', parentId: '1' }),
    );
    cleanup();
    const later = new ThreadHost([listed('1')], { text: '', parentId: '1' });
    const { composer } = await openThread(later);
    expect(composer.value).toBe('not yet sav');
    await waitFor(() => expect(later.thread.draft).toEqual({ text: 'not yet sav', parentId: '1' }));
    await waitFor(async () => expect(await unsavedDrafts.read('lab', md5)).toBeNull());
  });

  test('of another window appears in an open field; text over an unseen one goes below it, unsent', async () => {
    const host = new ThreadHost();
    const answered = Promise.withResolvers<void>();
    const { write, composer, user, bridge } = await openThread(host, {
      'comments.saveDraft': (input) => answered.promise.then(() => host.saveDraft(input)),
    });
    host.thread.draft = { text: 'a long thought', parentId: null };
    await act(async () => bridge.emit('comments.drafted', { workspaceId: 'lab', md5 }));
    await waitFor(() => expect(composer.value).toBe('a long thought'));
    host.thread.draft = { text: 'a longer thought', parentId: null };
    await write(', ok');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await act(async () => answered.resolve());
    await waitFor(() => expect(composer.value).toBe('a longer thought\n\n---\n\na long thought, ok'));
    expect(screen.getByRole('alert').textContent).toContain('This draft was also edited in another window');
    await waitFor(() => expect(host.thread.draft.text).toBe('a longer thought\n\n---\n\na long thought, ok'));
    expect(bridge.inputsOf('comments.send')).toEqual([]);
  });

  test('shows where it is stored when the host refuses it, and is not sent then', async () => {
    const { write, user, composer, bridge } = await openThread(new ThreadHost(), {
      'comments.saveDraft': () => fail({ kind: 'host-gone' }),
    });
    await write('x');
    expect(await screen.findByText('Draft saved in this browser only')).toBeDefined();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect((await screen.findByRole('alert')).textContent).toContain('Your text is kept.');
    expect(composer.value).toBe('x');
    expect(bridge.inputsOf('comments.send')).toEqual([]);
    // What is kept for a later page is no longer needed here.
    await user.clear(composer);
  });
});

describe('the outcome of a comment', () => {
  test('is reported once when the comment was sent', async () => {
    const host = new ThreadHost();
    const { write, user } = await openThread(host);
    await write('a');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await screen.findByText('Sending');
    expect(said()).toEqual([]);
    act(() => host.settle(101, 'sent'));
    await waitFor(() => expect(said()).toEqual(['Comment sent']));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('keeps the text, gives the reason and can be retried when the comment failed', async () => {
    const host = new ThreadHost([ownOf(7, 'failed', {}, lost)]);
    const { user, bridge } = await openThread(host);
    await screen.findByText('The connection was lost during the transfer');
    expect(said()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Send again' }));
    expect(bridge.inputsOf('comments.sendAgain')).toEqual([{ id: 7 }]);
    act(() => host.settle(7, 'pending'));
    act(() => host.settle(7, 'sent'));
    await waitFor(() => expect(said()).toEqual(['Comment sent']));
  });

  test('is reported, and the text is a draft again, when the start failed after its sample was left', async () => {
    const answer = Promise.withResolvers<void>();
    const host = new ThreadHost([]);
    const { user, write, bridge, lookUp } = await openThread(host, {
      'comments.send': async () => {
        await answer.promise;
        return fail({ kind: 'host-gone' });
      },
    });
    await write('mine{Control>}{Enter}{/Control}');
    await waitFor(() => expect(bridge.inputsOf('comments.send')).toHaveLength(1));
    await lookUp('');
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    await act(async () => answer.resolve());
    expect(await screen.findByText(/^Comment not sent, restored as a draft: /)).toBeDefined();
    await waitFor(() => expect(host.thread.draft.text).toBe('mine'));
  });

  test('puts a failed text back into the field above newly typed text', async () => {
    const host = new ThreadHost([listed('1'), ownOf(7, 'failed', { parentId: '1' }, lost)]);
    const { user, write, composer } = await openThread(host);
    await write('begun');
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    expect(composer.value).toBe('mine 7\n\nbegun');
    expect(document.activeElement).toBe(composer);
    await waitFor(() => expect(host.thread.comments.map(({ id }) => id)).toEqual(['1']));
    expect(host.thread.draft.text).toBe('mine 7\n\nbegun');
  });

  test('prompts before discarding, and then focuses the field', async () => {
    const host = new ThreadHost([ownOf(7, 'failed', {}, lost)]);
    const { user, composer } = await openThread(host);
    await user.click(await screen.findByRole('button', { name: 'Discard…' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Discard comment' }));
    await screen.findByText('No comments on this sample');
    await waitFor(() => expect(document.activeElement).toBe(composer));
  });

  test('queries the service, never resends, when the comment may have arrived, also without a result', async () => {
    const host = new ThreadHost([ownOf(7, 'may-have-arrived')]);
    const { user, bridge } = await openThread(host);
    await user.click(await screen.findByRole('button', { name: 'Check again' }));
    expect(bridge.inputsOf('comments.settle')).toEqual([{ id: 7 }]);
    expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull();
    expect(await screen.findByText(/^The check was inconclusive/)).toBeDefined();
    act(() => host.settle(7, 'sent'));
    await waitFor(() => expect(said()).toEqual(['The comment has arrived']));
  });

  test('reports a service without addcomment and keeps the text', async () => {
    const host = new ThreadHost([ownOf(7, 'failed', {}, noAction)]);
    host.outcomes.push(noAction);
    const { write, user, composer } = await openThread(host);
    expect(await screen.findByText('This repository has no comment threads. Your text is kept.')).toBeDefined();
    await write('mine');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect((await screen.findByRole('alert')).textContent).toContain('does not support “addcomment”');
    expect(composer.value).toBe('mine');
    await waitFor(() => expect(host.thread.draft.text).toBe('mine'));
  });

  test('is not begun at a repository without comments, which offers to replace the text of the record', async () => {
    const host = new ThreadHost([], { text: 'kept from before', parentId: null });
    const record = { ...found.record, comments: [], listsComments: false };
    const { user, bridge, composer } = await openThread(host, {
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
    expect(await screen.findByText('This repository has no comment threads')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull();
    await waitFor(() => expect(composer.value).toBe('kept from before'));
    await user.click(screen.getByRole('button', { name: 'Replace the text…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('button', { name: 'Change record' }));
    await waitFor(() => expect(composer.value).toBe(''));
    expect(bridge.inputsOf('servers.changeRecord')).toMatchObject([
      { md5, change: { comment: 'kept from before' }, basedOn: { comment: '' } },
    ]);
    expect(host.sent).toEqual([]);
  });
});
