import './data-grid/layout.fixture.ts';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Comment } from '../../shared/domain/sample.ts';
import { CommentThread, type CommentThreadProps } from './comment-thread.tsx';

const comments = Array.from({ length: 10_000 }, (_, at): Comment => ({
  id: String(at),
  parentId: null,
  author: 'm',
  content: `remark ${at}`,
  created: null,
}));
const threadOf = (props: Partial<CommentThreadProps<Comment>> = {}) => (
  <div data-thread data-testid="scroller">
    <CommentThread comments={comments} {...props} />
  </div>
);

const drawn = (): string[] =>
  screen.getAllByRole('listitem').map((item) => /remark \d+/.exec(item.textContent)?.[0] ?? '');
/** Where it is not drawn yet, a comment is taken to be as high as most. */
const scrollTo = (place: number): void => act(() => screen.getByTestId('scroller').scrollTo({ top: place }));
const farDown = 100_000_000;

test('a thread of ten thousand comments draws the visible ones, each with its position', () => {
  render(threadOf());
  expect(drawn()[0]).toBe('remark 0');
  expect(drawn().length).toBeLessThan(80);
  const [first] = screen.getAllByRole('listitem');
  expect([first?.getAttribute('aria-posinset'), first?.getAttribute('aria-setsize')]).toEqual(['1', '10000']);
});

test('a long thread scrolls to its last comment', () => {
  render(threadOf());
  scrollTo(farDown);
  expect(drawn().at(-1)).toBe('remark 9999');
  expect(drawn().length).toBeLessThan(80);
});

test('a long thread scrolls to the marked comment once', () => {
  const { rerender } = render(threadOf());
  rerender(threadOf({ marked: '7000' }));
  expect(
    screen
      .getAllByRole('listitem')
      .filter((item) => item.hasAttribute('data-marked'))
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining('remark 7000')]);
  scrollTo(0);
  rerender(
    threadOf({
      marked: '7000',
      comments: [...comments, { id: 'new', parentId: null, author: 'm', content: 'remark 10000', created: null }],
    }),
  );
  expect(drawn()[0]).toBe('remark 0');
});

test('the focused comment stays drawn wherever the thread is scrolled', async () => {
  render(threadOf({ below: ({ id }) => <button type="button">Reply to {id}</button> }));
  await userEvent.tab();
  const button = screen.getByRole('button', { name: 'Reply to 0' });
  expect(document.activeElement).toBe(button);
  scrollTo(farDown);
  expect(drawn().at(-1)).toBe('remark 9999');
  expect(document.activeElement).toBe(button);
  await userEvent.tab();
  expect(document.activeElement).not.toBe(button);
  expect(screen.queryByRole('button', { name: 'Reply to 0' })).toBeNull();
});

test('a thread shortened while its end had the focus is drawn', async () => {
  const below = ({ id }: Comment) => <button type="button">Reply to {id}</button>;
  const { rerender } = render(threadOf({ below }));
  scrollTo(farDown);
  act(() => screen.getByRole('button', { name: 'Reply to 9999' }).focus());
  rerender(threadOf({ below, comments: comments.slice(0, 300) }));
  scrollTo(0);
  expect(drawn()[0]).toBe('remark 0');
});
