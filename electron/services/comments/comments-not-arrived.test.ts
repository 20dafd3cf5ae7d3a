import { describe, expect, test } from 'vitest';
import type { Comment, Json } from '../../../shared/domain/sample.ts';
import { surelyDidNotArrive } from './comments.ts';

const listed = (id: string, content = `text ${id}`): Comment => ({
  id,
  parentId: null,
  author: 'someone',
  content,
  created: null,
});
const recordOf = (comments: Comment[], unknown: { [name: string]: Json } = {}) => ({
  listsComments: true,
  comments,
  unknown,
});
const of = (knownIds: string[], wasListKnown = true) => ({ knownIds, wasListKnown });
const many = (count: number, content?: string): Comment[] =>
  Array.from({ length: count }, (_, index) => listed(String(index + 1), content));
const idsOf = (comments: readonly Comment[]): string[] => comments.map(({ id }) => id);

test('a complete list without unknown comments proves the comment did not arrive, also an empty one', () => {
  expect(surelyDidNotArrive(of(['1', '2']), recordOf([listed('1'), listed('2')]))).toBe(true);
  expect(surelyDidNotArrive(of(['1', '2']), recordOf([listed('2')]))).toBe(true);
  expect(surelyDidNotArrive(of([]), recordOf([]))).toBe(true);
});

test('a list is complete despite additional fields of its comments', () => {
  expect(
    surelyDidNotArrive(of(['1']), recordOf([listed('1')], { comments: [{ id: '1', modified: '2030' }], pedata: {} })),
  ).toBe(true);
});

describe('the arrival of a comment', () => {
  test('is uncertain when the service lists no comments', () => {
    expect(surelyDidNotArrive(of(['1']), { ...recordOf([listed('1')]), listsComments: false })).toBe(false);
  });

  test('is uncertain when any comment is unknown, whatever its text', () => {
    expect(surelyDidNotArrive(of(['1']), recordOf([listed('1'), listed('2', 'others’ words')]))).toBe(false);
  });

  test('is uncertain when the list was unknown at the beginning', () => {
    expect(surelyDidNotArrive(of([], false), recordOf([]))).toBe(false);
    expect(surelyDidNotArrive(of(['comment'], false), recordOf([]))).toBe(false);
  });

  test('is ruled out when its known comments were stored, despite an unknown list', () => {
    expect(surelyDidNotArrive(of(['1'], false), recordOf([listed('1')]))).toBe(true);
  });

  test.each(['comment', 'unnumbered-1'])('is uncertain when a comment has no number of the service, as "%s"', (id) => {
    expect(surelyDidNotArrive(of(['1', id]), recordOf([listed('1'), listed(id)]))).toBe(false);
  });

  test('is uncertain when so many comments are listed that some may be left out', () => {
    const [fewer, more] = [many(999), many(1000)];
    expect(surelyDidNotArrive(of(idsOf(fewer)), recordOf(fewer))).toBe(true);
    expect(surelyDidNotArrive(of(idsOf(more)), recordOf(more))).toBe(false);
  });

  test('is uncertain when so much text is listed that some may be left out', () => {
    const [fewer, more] = [many(15, 'x'.repeat(65_536)), many(16, 'x'.repeat(65_536))];
    expect(surelyDidNotArrive(of(idsOf(fewer)), recordOf(fewer))).toBe(true);
    expect(surelyDidNotArrive(of(idsOf(more)), recordOf(more))).toBe(false);
  });

  test.each<[string, Json]>([
    ['is cut', ['[skipped: too large]']],
    ['has a comment without content', [{ id: '2', parent: null, text: 'x' }]],
    ['has two comments with one number', [{ id: '1', content: 'x' }]],
    ['is no list', 'x'],
  ])('is uncertain when the rest of the list shows that it %s', (_, comments) => {
    expect(surelyDidNotArrive(of(['1']), recordOf([listed('1')], { comments }))).toBe(false);
  });
});
