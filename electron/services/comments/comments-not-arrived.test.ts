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

test('a whole list with nothing that was not known says so, also an empty one', () => {
  expect(surelyDidNotArrive(of(['1', '2']), recordOf([listed('1'), listed('2')]))).toBe(true);
  expect(surelyDidNotArrive(of(['1', '2']), recordOf([listed('2')]))).toBe(true);
  expect(surelyDidNotArrive(of([]), recordOf([]))).toBe(true);
});

test('what a service says of its comments besides makes the list no less whole', () => {
  expect(
    surelyDidNotArrive(of(['1']), recordOf([listed('1')], { comments: [{ id: '1', modified: '2030' }], pedata: {} })),
  ).toBe(true);
});

describe('it may have arrived', () => {
  test('where the service lists no comments', () => {
    expect(surelyDidNotArrive(of(['1']), { ...recordOf([listed('1')]), listsComments: false })).toBe(false);
  });

  test('where any comment was not known, whatever it says', () => {
    expect(surelyDidNotArrive(of(['1']), recordOf([listed('1'), listed('2', 'others’ words')]))).toBe(false);
  });

  test('where the list was not known at the beginning', () => {
    expect(surelyDidNotArrive(of([], false), recordOf([]))).toBe(false);
    expect(surelyDidNotArrive(of(['comment'], false), recordOf([]))).toBe(false);
  });

  test('and one whose known comments were written down is told from a list that was not known', () => {
    expect(surelyDidNotArrive(of(['1'], false), recordOf([listed('1')]))).toBe(true);
  });

  test.each(['comment', 'unnumbered-1'])('where a comment has no number of the service, as "%s"', (id) => {
    expect(surelyDidNotArrive(of(['1', id]), recordOf([listed('1'), listed(id)]))).toBe(false);
  });

  test('where there are so many comments that some may be left out', () => {
    const [fewer, more] = [many(999), many(1000)];
    expect(surelyDidNotArrive(of(idsOf(fewer)), recordOf(fewer))).toBe(true);
    expect(surelyDidNotArrive(of(idsOf(more)), recordOf(more))).toBe(false);
  });

  test('where there is so much text that some may be left out', () => {
    const [fewer, more] = [many(15, 'x'.repeat(65_536)), many(16, 'x'.repeat(65_536))];
    expect(surelyDidNotArrive(of(idsOf(fewer)), recordOf(fewer))).toBe(true);
    expect(surelyDidNotArrive(of(idsOf(more)), recordOf(more))).toBe(false);
  });

  test.each<[string, Json]>([
    ['is cut', ['[skipped: too large]']],
    ['has a comment without content', [{ id: '2', parent: null, text: 'x' }]],
    ['has two comments with one number', [{ id: '1', content: 'x' }]],
    ['is no list', 'x'],
  ])('where what is left of the list says that it %s', (_, comments) => {
    expect(surelyDidNotArrive(of(['1']), recordOf([listed('1')], { comments }))).toBe(false);
  });
});
