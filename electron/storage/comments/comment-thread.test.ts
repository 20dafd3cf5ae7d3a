import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ThreadComment } from '../../../shared/domain/comment.ts';
import type { Comment } from '../../../shared/domain/sample.ts';
import { joinThread, type WrittenComment } from './comment-thread.ts';

const listed = (id: string, content = `text ${id}`, parentId: string | null = null): Comment => ({
  id,
  parentId,
  author: 'someone',
  content,
  created: null,
});
const own = (id: number, facts: Partial<WrittenComment> = {}): WrittenComment => ({
  id,
  state: 'sent',
  failure: null,
  parentId: null,
  content: `own ${id}`,
  remoteId: null,
  created: '2030-01-01T00:00:00.000Z',
  knownIds: [],
  ...facts,
});
const lines = (comments: readonly Comment[], written: readonly WrittenComment[] = []): string[] =>
  joinThread(comments, written).map(
    (comment) =>
      `${comment.parentId ?? ''}>${comment.id}` +
      (comment.own ? `=${comment.own.id}${comment.own.isListed ? '' : '?'}` : ''),
  );

describe('the order', () => {
  test('places replies right below their parent, otherwise in the order of the service', () => {
    expect(lines([listed('4', '', '1'), listed('1'), listed('2'), listed('3', '', '1'), listed('5', '', '4')])).toEqual(
      ['>1', '1>4', '4>5', '1>3', '>2'],
    );
  });

  test('places local comments after those of the service, in the order they were written', () => {
    expect(lines([listed('1'), listed('2')], [own(1), own(2, { parentId: '1' }), own(3, { state: 'failed' })])).toEqual(
      ['>1', '1>own-2=2?', '>2', '>own-1=1?', '>own-3=3?'],
    );
  });

  test('places a reply to an unlisted comment at the top and keeps its parent', () => {
    expect(lines([listed('2', '', 'gone')], [own(1, { parentId: 'vanished' })])).toEqual([
      'gone>2',
      'vanished>own-1=1?',
    ]);
  });

  test('breaks a cycle at its first comment', () => {
    expect(lines([listed('9'), listed('1', '', '2'), listed('2', '', '1'), listed('3', '', '3')])).toEqual([
      '>9',
      '>1',
      '1>2',
      '>3',
    ]);
  });

  test('places a reply below a local comment that the service does not list', () => {
    expect(lines([], [own(1, { remoteId: '70' }), own(2, { parentId: '70' })])).toEqual([
      '>own-1=1?',
      'own-1>own-2=2?',
    ]);
  });
});

describe('a local comment listed by the service', () => {
  test('is one line, matched by its service id', () => {
    expect(lines([listed('1', 'changed since')], [own(7, { remoteId: '1' })])).toEqual(['>1=7']);
  });

  test.each(['sent', 'may-have-arrived', 'pending'] as const)(
    'is one line by its text and its parent, when it is %s',
    (state) => {
      expect(
        lines(
          [listed('1'), listed('2', 'own 7\r\nsecond line\n', '1')],
          [own(7, { state, parentId: '1', content: 'own 7\nsecond line' })],
        ),
      ).toEqual(['>1', '1>2=7']);
    },
  );

  test('is one line when the service encodes markup as entities and trims lines', () => {
    expect(lines([listed('2', 'if a &lt; b\nthen')], [own(7, { content: 'if a < b  \r\nthen' })])).toEqual(['>2=7']);
  });

  test('is not the same text under another comment, an earlier comment, or a failed one', () => {
    expect(lines([listed('1'), listed('2', 'own 7', '1')], [own(7)])).toEqual(['>1', '1>2', '>own-7=7?']);
    expect(lines([listed('2', 'own 7')], [own(7, { knownIds: ['2'] })])).toEqual(['>2', '>own-7=7?']);
    expect(lines([listed('2', 'own 7')], [own(7, { state: 'failed' })])).toEqual(['>2', '>own-7=7?']);
  });

  test('is the single text of a service without a prior listing, even when it was there before', () => {
    expect(lines([listed('comment', 'own 7')], [own(7, { knownIds: ['comment'] })])).toEqual(['>comment=7']);
  });

  test('is found as a root when its parent has vanished', () => {
    expect(lines([listed('2', 'own 7')], [own(7, { parentId: 'vanished' })])).toEqual(['>2=7']);
  });

  test.each([[['1', '2']], [['2', '1']]])('is two lines when sent twice on purpose, listed as %j', (order) => {
    const [first, second] = [own(1, { content: 'bump' }), own(2, { content: 'bump', knownIds: ['1'] })];
    expect(
      lines(
        order.map((id) => listed(id, 'bump')),
        [first, second],
      ).toSorted(),
    ).toEqual(['>1=1', '>2=2']);
    expect(lines([listed('1', 'bump')], [first, second])).toEqual(['>1=1', '>own-2=2?']);
  });
});

test('a shared id stays with the first of two comments, and exact duplicates are there once', () => {
  expect(lines([listed('1', 'a'), listed('1', 'b'), listed('1', 'a'), listed('1 (2)', 'c')])).toEqual([
    '>1',
    '>1 (2)',
    '>1 (2) (2)',
  ]);
  expect(lines([listed('own-7')], [own(7)])).toEqual(['>own-7', '>own-7 (2)=7?']);
});

describe('any joined thread', () => {
  const id = fc.constantFrom('1', '2', '3', 'comment', 'unnumbered-1', 'own-1', 'x');
  const text = fc.constantFrom('a', 'b', 'a\r\n', '');
  const service = fc.array(
    fc.record({
      id,
      parentId: fc.option(id),
      author: fc.option(fc.constantFrom('m', 'n')),
      content: text,
      created: fc.constant(null),
    }),
    { maxLength: 8 },
  );
  const state = fc.constantFrom('pending', 'sent', 'failed', 'may-have-arrived');
  const written = fc
    .array(
      fc.record({
        state,
        parentId: fc.option(id),
        content: text,
        remoteId: fc.option(id),
        knownIds: fc.array(id, { maxLength: 3 }),
      }),
      { maxLength: 5 },
    )
    .map((all) => all.map((facts, index) => own(index + 1, facts)));
  const textOf = ({ author, content }: Pick<Comment, 'author' | 'content'>): string =>
    JSON.stringify([author, content]);
  const joined = (check: (thread: ThreadComment[], comments: Comment[], all: WrittenComment[]) => void): void =>
    fc.assert(
      fc.property(service, written, (comments, all) => check(joinThread(comments, all), comments, all)),
      { numRuns: 500 },
    );

  test('loses nothing and shows nothing twice', () => {
    joined((thread, comments, all) => {
      const whole = new Map(comments.map((comment) => [JSON.stringify(comment), comment]));
      const fromService = thread.filter(({ own: facts }) => facts === null || facts.isListed);
      expect(fromService.map(textOf).toSorted()).toEqual([...whole.values()].map(textOf).toSorted());
      expect(thread.flatMap(({ own: facts }) => facts?.id ?? []).toSorted((one, other) => one - other)).toEqual(
        all.map((one) => one.id),
      );
      expect(thread).toHaveLength(whole.size + thread.filter(({ own: facts }) => facts?.isListed === false).length);
      expect(new Set(thread.map((comment) => comment.id)).size).toBe(thread.length);
    });
  });

  test('contains each parent before its replies, or not at all', () => {
    joined((thread) => {
      for (const [index, { parentId }] of thread.entries())
        expect(thread.slice(index).map((comment) => comment.id)).not.toContain(parentId ?? '?');
    });
  });

  test('keeps the order and parents of the service comments, whatever was written locally', () => {
    const bare = ({ id: of, parentId }: ThreadComment): unknown => [of, parentId];
    joined((thread, comments) => {
      expect(thread.filter(({ own: facts }) => facts?.isListed !== false).map(bare)).toEqual(
        joinThread(comments, []).map(bare),
      );
    });
  });
});
