import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Comment } from '../../shared/domain/sample.ts';
import { deepest, threadOrder } from './comment-thread.tsx';

const comment = (id: string, parentId: string | null = null): Comment => ({
  id,
  parentId,
  author: `author ${id}`,
  content: id,
  created: null,
});
const chain = (length: number): Comment[] =>
  Array.from({ length }, (_, index) => comment(String(index), index === 0 ? null : String(index - 1)));
const ids = (comments: readonly Comment[]): string[] => threadOrder(comments).map(({ comment: { id } }) => id);

test('replies are below their parent, in their order of arrival', () => {
  expect(
    ids([comment('a'), comment('b'), comment('a1', 'a'), comment('b1', 'b'), comment('a2', 'a'), comment('a11', 'a1')]),
  ).toEqual(['a', 'a1', 'a11', 'a2', 'b', 'b1']);
});

test('the indent ends at three, and deeper replies name the parent author', () => {
  const entries = threadOrder(chain(6));
  expect(entries.map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 3, 3]);
  expect(entries.map(({ repliesTo }) => repliesTo?.id ?? null)).toEqual([null, null, null, null, '3', '4']);
  expect(deepest).toBe(3);
});

test('a reply to nothing, to itself, or in a circle is still shown', () => {
  expect(
    ids([comment('lost', 'nowhere'), comment('self', 'self'), comment('x', 'y'), comment('y', 'x')]).toSorted(),
  ).toEqual(['lost', 'self', 'x', 'y']);
});

test('20,000 replies to one comment are sorted in one go', () => {
  expect(
    threadOrder([comment('a'), ...Array.from({ length: 20_000 }, (_, index) => comment(String(index), 'a'))])
      .map(({ depth }) => depth)
      .slice(0, 3),
  ).toEqual([0, 1, 1]);
});

test('a chain of 20,000 replies is no deeper than the page', () => {
  expect(threadOrder(chain(20_000))).toHaveLength(20_000);
});

test('every comment appears exactly once, whatever the ids', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.option(id))), (pairs) => {
      const comments = pairs.map(([own, parent]) => comment(own, parent));
      expect(
        threadOrder(comments)
          .map((entry) => entry.comment)
          .toSorted(byPlace(comments)),
      ).toEqual(comments);
    }),
  );
});

const byPlace =
  (comments: readonly Comment[]) =>
  (one: Comment, other: Comment): number =>
    comments.indexOf(one) - comments.indexOf(other);
