import '../../components/data-grid/layout.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import type { ListedComment } from '../../../shared/domain/comment.ts';
import { fail } from '../../../shared/failure.ts';
import { listed, ownOf, ThreadHost } from '../../features/comments/thread-host.fixture.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { md5 } from '../../test/quiet-host.ts';
import { readOut } from '../../test/read-out.ts';

const other = '943252db2370a73b98bb2d261322baa7';
const some: readonly ListedComment[] = [
  {
    md5: other,
    sampleName: 'invoice.js',
    comment: listed('9', { author: 'm.okafor', content: 'Loader, https://evil.example/x' }),
  },
  { md5, sampleName: null, comment: ownOf(7, 'may-have-arrived') },
  { md5, sampleName: 'update_helper.dll', comment: listed('1', { author: null, content: '<b>bold</b>' }) },
];

function answerList(all: readonly ListedComment[]) {
  return ({ find, offset, limit }: OperationInput<'comments.list'>) => {
    const meant = all.filter(({ comment: { content, author } }) =>
      `${content} ${author}`.toLowerCase().includes(find.toLowerCase()),
    );
    return { comments: meant.slice(offset, offset + limit), total: meant.length };
  };
}

async function openComments(all: readonly ListedComment[] = some, more: GivenAnswers = {}) {
  const page = await open({
    ...new ThreadHost(all.filter(({ md5: of }) => of === md5).map(({ comment }) => comment)).answers,
    'comments.list': answerList(all),
    ...more,
  });
  await page.user.keyboard('{Control>}5{/Control}');
  await screen.findByRole('heading', { level: 1, name: 'Comments' });
  return page;
}

const rows = (): (string | null)[] => screen.getAllByRole('row').map(readOut);
const field = (): HTMLElement => screen.getByRole('textbox', { name: 'Find in text and authors' });
const thread = (): HTMLElement => screen.getByRole('region', { name: /^Comments/ });
/** Of the conversation that is shown. */
const title = (): string | null => screen.getByRole('heading', { level: 2, name: /^Comments/ }).textContent;
const askedThreads = (bridge: { inputsOf(name: 'comments.thread'): unknown[] }): unknown[] =>
  bridge.inputsOf('comments.thread').map((input) => (input as { md5: string }).md5);

test('each comment shows its sample, author, time and text, all as plain text', async () => {
  await openComments();
  await waitFor(() =>
    expect(rows()).toEqual([
      'invoice.js943252db23702026-11-18 14:21Zm.okafor Loader, hxxps://evil[.]example/x',
      'No name25f4f5501a05may have arrived2026-11-18 14:21ZYou mine 7',
      'update_helper.dll25f4f5501a052026-11-18 14:21Zunknown author <b>bold</b>',
    ]),
  );
  expect(screen.getByText('3 in the library, latest first')).toBeDefined();
});

test('the first conversation is open; keys walk the list, Enter leads to the conversation, Escape back', async () => {
  const { user, bridge } = await openComments();
  await waitFor(() => expect(askedThreads(bridge)).toEqual([other]));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('invoice.js');
  await user.keyboard('j{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('update_helper.dll');
  await waitFor(() => expect(askedThreads(bridge)).toEqual([other, md5]));
  await waitFor(() => expect(within(thread()).getByText('mine 7')).toBeDefined());
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(thread());
  await user.keyboard('{Escape}');
  expect(document.activeElement?.textContent).toContain('update_helper.dll');
});

test('a click opens the conversation, and from it the sample is looked up', async () => {
  const { user, bridge } = await openComments();
  await user.click(await screen.findByText('<b>bold</b>'));
  await waitFor(() => expect(within(thread()).getByText('mine 7')).toBeDefined());
  expect(bridge.inputsOf('samples.lookup')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Look up this sample' }));
  expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
  expect(bridge.inputsOf('samples.lookup')).toEqual([{ workspaceId: 'lab', hash: md5, firstComments: 8 }]);
});

test('returning from a sample restores the search and the conversation', async () => {
  const { user } = await openComments();
  await screen.findByText('<b>bold</b>');
  await user.keyboard('/');
  expect(document.activeElement).toBe(field());
  await user.keyboard('bold');
  await screen.findByText('1 found');
  await user.click(await within(screen.getByRole('grid')).findByText('<b>bold</b>'));
  await waitFor(() => expect(within(thread()).getByText('mine 7')).toBeDefined());
  await user.click(screen.getByRole('button', { name: 'Look up this sample' }));
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  await user.keyboard('{Control>}5{/Control}');
  await waitFor(() => expect(screen.getByText('1 found')).toBeDefined());
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Find in text and authors' }).value).toBe('bold');
  expect(within(thread()).getByText('mine 7')).toBeDefined();
});

test('a search starts when typing pauses, and Escape clears it', async () => {
  const { user, bridge } = await openComments();
  await user.click(field());
  await user.keyboard('okafor');
  await screen.findByText('1 found');
  expect(bridge.inputsOf('comments.list').map((input) => (input as { find: string }).find)).toEqual(['', 'okafor']);
  await user.keyboard('{Escape}');
  await screen.findByText('3 in the library, latest first');
});

test('a search without the open conversation shows its first result, and no conversation without results', async () => {
  const { user, bridge } = await openComments();
  await screen.findByText('<b>bold</b>');
  await waitFor(() => expect(askedThreads(bridge)).toEqual([other]));
  await user.click(field());
  await user.keyboard('bold');
  await screen.findByText('1 found');
  await waitFor(() => expect(askedThreads(bridge)).toEqual([other, md5]));
  await waitFor(() => expect(within(thread()).getByText('mine 7')).toBeDefined());
  expect(screen.getByRole('row', { current: true }).textContent).toContain('<b>bold</b>');
  expect(field()).toBe(document.activeElement);
  await user.keyboard('{Escape}');
  await screen.findByText('3 in the library, latest first');
  expect(within(thread()).getByText('mine 7')).toBeDefined();
  await user.keyboard('nobody');
  await screen.findByRole('heading', { name: 'No comments found' });
  expect(screen.queryByRole('region', { name: /^Comments/ })).toBeNull();
});

test('a search that finds another comment of the conversation leaves it open', async () => {
  const { user, bridge } = await openComments();
  await user.click(await screen.findByText('<b>bold</b>'));
  await waitFor(() => expect(askedThreads(bridge)).toEqual([other, md5]));
  await user.click(field());
  await user.keyboard('mine');
  await screen.findByText('1 found');
  await waitFor(() => expect(screen.getByRole('row', { current: true }).textContent).toContain('mine 7'));
  expect(askedThreads(bridge)).toEqual([other, md5]);
});

test('a search without results reports that, and leads back to all', async () => {
  const { user } = await openComments();
  await user.click(field());
  await user.keyboard('nobody{Escape}');
  expect(document.activeElement).toBe(field());
  await user.keyboard('nobody');
  expect(await screen.findByRole('heading', { name: 'No comments found' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show all comments' }));
  await screen.findByText('3 in the library, latest first');
  expect(document.activeElement).toBe(field());
});

test('a library without comments names their sources', async () => {
  const { user } = await openComments([]);
  expect(await screen.findByRole('heading', { name: 'No comments yet' })).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Find in text and authors' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Look up a sample' }));
  expect(screen.getByRole('heading', { name: 'No hash looked up' })).toBeDefined();
});

test('an unreadable list gives the reason', async () => {
  await openComments(some, { 'comments.list': () => fail({ kind: 'data-damaged', path: '/data', code: 'x' }) });
  expect((await screen.findByRole('alert')).textContent).toContain('The database is damaged');
});

test('the list requests and draws only the visible ones of ten thousand comments', async () => {
  const many = Array.from({ length: 10_000 }, (_, index): ListedComment => ({
    md5: other,
    sampleName: `sample ${index}`,
    comment: listed(String(index)),
  }));
  const { bridge } = await openComments(many);
  // Its name is above the conversation, too, which is read after the list.
  await waitFor(() => expect(rows()[0]).toContain('sample 0'));
  expect(screen.getAllByRole('row').length).toBeLessThan(40);
  expect(bridge.inputsOf('comments.list')).toHaveLength(1);
});

test('a new comment is added at the top, and the open conversation stays', async () => {
  let all: readonly ListedComment[] = some;
  const { bridge } = await openComments(some, { 'comments.list': (input) => answerList(all)(input) });
  await screen.findByText('<b>bold</b>');
  await waitFor(() => expect(askedThreads(bridge)).toEqual([other]));
  all = [{ md5, sampleName: 'newest.bin', comment: listed('77') }, ...some];
  act(() => bridge.emit('comments.changed', { workspaceId: 'lab', md5 }));
  expect(await screen.findByText('newest.bin')).toBeDefined();
  expect(rows()[0]).toContain('newest.bin');
  expect(screen.getByRole('row', { current: true }).textContent).toContain('invoice.js');
});

test('a comment discarded elsewhere leads to the conversation of the focused one', async () => {
  const own = ['c', 'b', 'a'].map((digit, index): ListedComment => ({
    md5: digit.repeat(32),
    sampleName: `sample ${digit}`,
    comment: ownOf(3 - index, 'failed'),
  }));
  let all: readonly ListedComment[] = own;
  const { user, bridge } = await openComments(own, { 'comments.list': (input) => answerList(all)(input) });
  await user.click(await screen.findByText('sample b'));
  await waitFor(() => expect(title()).toContain('sample b'));
  all = own.filter(({ sampleName }) => sampleName !== 'sample b');
  act(() => bridge.emit('comments.changed', { workspaceId: 'lab', md5: 'b'.repeat(32) }));
  await waitFor(() => expect(title()).toContain('sample a'));
  expect(document.activeElement?.textContent).toContain('sample a');
  expect(screen.getByRole('row', { current: true }).textContent).toContain('sample a');
});

test('a local comment that the service now has, or that a newer one precedes, keeps its conversation', async () => {
  const at = (sampleName: string, comment: ListedComment['comment']): ListedComment => ({
    md5: sampleName.slice(-1).repeat(32),
    sampleName,
    comment,
  });
  let all = [at('sample c', listed('3')), at('sample b', ownOf(7, 'pending')), at('sample a', listed('1'))];
  const { user, bridge } = await openComments(all, { 'comments.list': (input) => answerList(all)(input) });
  await user.click(await screen.findByText('sample b'));
  await waitFor(() => expect(title()).toContain('sample b'));
  all = [
    at('sample d', listed('9')),
    at('sample b', { ...ownOf(7, 'sent'), id: '77' }),
    ...all.filter(({ sampleName }) => sampleName !== 'sample b'),
  ];
  act(() => bridge.emit('comments.changed', { workspaceId: 'lab', md5: 'b'.repeat(32) }));
  await screen.findByText('sample d');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('sample b'));
  expect(screen.getByRole('row', { current: true }).textContent).toContain('sample b');
  expect(title()).toContain('sample b');
});

test('the keys of the view are among those that ? shows', async () => {
  const { user } = await openComments();
  await screen.findByText('<b>bold</b>');
  await user.keyboard('?');
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByRole('heading', { name: 'Comments' })).toBeDefined();
  expect(within(dialog).getByText('Open Comments')).toBeDefined();
});
