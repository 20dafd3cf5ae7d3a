import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { noDraft } from '../../../shared/domain/comment.ts';
import type { Comment } from '../../../shared/domain/sample.ts';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { LibraryStore } from '../library/library-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { statementsOf } from '../testing/written-statements.fixture.ts';
import { CommentStore } from './comment-store.ts';

let database: TestDatabase;
let library: LibraryStore;
let comments: CommentStore;
const reopen = databaseForEachTest((opened) => {
  database = opened;
  library = new LibraryStore(database.db, database.journal);
  comments = new CommentStore(database.db, database.journal);
});

const md5 = 'a'.repeat(32);
const otherMd5 = 'b'.repeat(32);
const said = (id: string, content: string, facts: Partial<Comment> = {}): Comment => ({
  id,
  parentId: null,
  author: 'someone',
  content,
  created: null,
  ...facts,
});
const list = (of: string, all: Comment[], workspaceId = 'lab'): void =>
  library.noteRecord({
    workspaceId,
    md5: of,
    record: recordWith({ name: `name of ${of[0]}`, comments: all, listsComments: true }),
  });
const draft = (text: string, parentId: string | null = null) => ({ text, parentId });
const lines = (): unknown[] =>
  comments.thread('lab', md5).comments.map(({ id, content, own }) => [id, content, own?.state ?? null]);
const found = (find: string): string[] => comments.list('lab', find, 0, 100).comments.map(({ comment }) => comment.id);
const numbers = (): unknown[] =>
  database.db
    .query(z.object({ number: z.number(), id: z.string() }), 'SELECT number, id FROM comment ORDER BY place')
    .all();

test('a thread contains the latest listing of the service and the comments begun here', () => {
  expect(comments.thread('lab', md5)).toEqual({ comments: [], draft: draft(''), listsComments: false });
  list(md5, [said('1', 'first'), said('2', 'reply', { parentId: '1' })]);
  const id = comments.begin('lab', md5, draft('mine', '1'));
  expect(comments.thread('lab', md5)).toEqual({
    comments: [
      { ...said('1', 'first'), own: null },
      { ...said('2', 'reply', { parentId: '1' }), own: null },
      {
        id: `own-${id}`,
        parentId: '1',
        author: null,
        content: 'mine',
        created: comments.get(id)?.created,
        own: { id, state: 'pending', isListed: false, failure: null },
      },
    ],
    draft: draft(''),
    listsComments: true,
  });
  expect(comments.get(id)).toMatchObject({
    workspaceId: 'lab',
    md5,
    parentId: '1',
    content: 'mine',
    state: 'pending',
    remoteId: null,
    knownIds: ['1', '2'],
  });
});

test('sending a comment with another text leaves the draft unchanged', () => {
  comments.saveDraft('lab', md5, draft('half a thought', '1'), [noDraft]);
  comments.begin('lab', md5, draft('of a command'), true);
  expect(comments.thread('lab', md5).draft).toEqual(draft('half a thought', '1'));
});

test('a draft replaces only the one it continues, and sending it removes no other', () => {
  expect(comments.saveDraft('lab', md5, draft('a long thought'), [noDraft])).toEqual(draft('a long thought'));
  expect(comments.saveDraft('lab', md5, draft('ok'), [noDraft])).toEqual(draft('a long thought'));
  expect(comments.saveDraft('lab', md5, noDraft, [draft('a long thought', '1')])).toEqual(draft('a long thought'));
  comments.begin('lab', md5, draft('ok'));
  expect(comments.draft('lab', md5)).toEqual(draft('a long thought'));
  expect(comments.saveDraft('lab', md5, draft('longer', '1'), [noDraft, draft('a long thought')])).toEqual(
    draft('longer', '1'),
  );
  expect(comments.draft('lab', md5)).toEqual(draft('longer', '1'));
});

test('a draft is kept until its comment is begun, also after the database is reopened', () => {
  comments.saveDraft('lab', md5, draft('half a', '1'), [noDraft]);
  reopen();
  expect(comments.draft('lab', md5)).toEqual(draft('half a', '1'));
  expect(comments.draft('lab', otherMd5)).toEqual(draft(''));
  comments.saveDraft('lab', md5, draft('half a thought', '1'), [draft('half a', '1')]);
  comments.begin('lab', md5, draft('half a thought', '1'));
  expect(comments.draft('lab', md5)).toEqual(draft(''));
  comments.saveDraft('lab', md5, draft('again'), [noDraft]);
  comments.saveDraft('lab', md5, draft(''), [draft('again')]);
  expect(database.db.query(z.object({ n: z.number() }), 'SELECT count(*) AS n FROM comment_draft').get()).toEqual({
    n: 0,
  });
});

test('the outcome of a comment is journalled with it, or neither is stored', () => {
  const id = comments.begin('lab', md5, draft('mine'));
  expect(library.history(md5)).toEqual([]);
  comments.settle(id, { state: 'failed', failure: { kind: 'cancelled' } });
  comments.settle(id, { state: 'pending' });
  expect(comments.get(id)).toMatchObject({ state: 'pending', failure: null });
  comments.settle(id, { state: 'sent', remoteId: '70' });
  expect(library.history(md5)).toMatchObject([
    { operation: 'comment', outcome: 'done', hash: md5, workspaceId: 'lab', detail: { comment: id, remoteId: '70' } },
    { operation: 'comment', outcome: 'cancelled' },
  ]);
  database.db.sql.exec("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT raise(ABORT, 'no room'); END");
  expect(() => comments.settle(id, { state: 'failed' })).toThrow('no room');
  expect(comments.get(id)).toMatchObject({ state: 'sent', remoteId: '70' });
});

test('a comment sent again records the comments listed by then', () => {
  const id = comments.begin('lab', md5, draft('mine'));
  comments.settle(id, { state: 'failed' });
  list(md5, [said('5', 'mine')]);
  comments.settle(id, { state: 'pending' });
  expect(comments.get(id)?.knownIds).toEqual(['5']);
  expect(lines()).toEqual([
    ['5', 'mine', null],
    [`own-${id}`, 'mine', 'pending'],
  ]);
});

test('a local comment listed by the service is one line, and two when no longer listed, in thread and list', () => {
  const id = comments.begin('lab', md5, draft('mine'));
  comments.settle(id, { state: 'sent', remoteId: '7' });
  expect(comments.list('lab', '', 0, 9)).toMatchObject({
    total: 1,
    comments: [{ comment: { id: `own-${id}`, own: { isListed: false } } }],
  });
  list(md5, [said('7', 'mine')]);
  expect(lines()).toEqual([['7', 'mine', 'sent']]);
  expect(comments.list('lab', 'mine', 0, 9)).toMatchObject({
    total: 1,
    comments: [{ md5, sampleName: 'name of a', comment: { id: '7', own: { id, isListed: true } } }],
  });
  list(md5, []);
  expect(lines()).toEqual([[`own-${id}`, 'mine', 'sent']]);
  expect(found('mine')).toEqual([`own-${id}`]);
});

test('a comment listed before its answer arrives becomes one line with the answer', () => {
  const id = comments.begin('lab', md5, draft('mine'));
  list(md5, [said('7', 'mine, as the service writes it')]);
  expect(lines()).toHaveLength(2);
  comments.settle(id, { state: 'sent', remoteId: '7' });
  expect(lines()).toEqual([['7', 'mine, as the service writes it', 'sent']]);
  expect(comments.list('lab', '', 0, 9).total).toBe(1);
});

test('a reply to a local line uses the service id of that comment', () => {
  const id = comments.begin('lab', md5, draft('mine'));
  comments.settle(id, { state: 'sent', remoteId: '70' });
  const reply = comments.begin('lab', md5, draft('more', `own-${id}`));
  expect(comments.get(reply)?.parentId).toBe('70');
  expect(comments.thread('lab', md5).comments.at(-1)).toMatchObject({ parentId: `own-${id}` });
  expect(comments.get(comments.begin('lab', otherMd5, draft('elsewhere', `own-${id}`)))?.parentId).toBeNull();
});

test.each(['comment', 'unnumbered-3', 'own-99'])(
  'a line without a service number cannot be named as a parent: %s',
  (parent) => {
    expect(comments.get(comments.begin('lab', md5, draft('an answer', parent)))?.parentId).toBeNull();
  },
);

test('a comment in flight when the program ended may have arrived', () => {
  const [pending, failed] = [comments.begin('lab', md5, draft('one')), comments.begin('lab', md5, draft('two'))];
  comments.settle(failed, { state: 'failed' });
  comments.pendingToMayHaveArrived();
  expect(comments.get(pending)).toMatchObject({ state: 'may-have-arrived', failure: { kind: 'interrupted' } });
  expect(comments.get(failed)?.state).toBe('failed');
  expect(library.history(md5)[0]).toMatchObject({ operation: 'comment', outcome: 'interrupted' });
});

test('only a failed or uncertain comment can be discarded', () => {
  const states = ['failed', 'may-have-arrived', 'sent', 'pending'] as const;
  const ids = states.map((state) => {
    const id = comments.begin('lab', md5, draft(state));
    comments.settle(id, { state });
    return id;
  });
  expect(ids.map((id) => comments.discard(id))).toEqual([true, true, false, false]);
  expect(comments.discard(999)).toBe(false);
  expect(lines().map((line) => z.array(z.unknown()).parse(line)[1])).toEqual(['sent', 'pending']);
  expect(found('failed')).toEqual([]);
});

test('a record with unchanged comments writes none of them again', () => {
  const all = [said('1', 'one'), said('2', 'two'), said('3', 'three \uD800')];
  list(md5, all);
  const before = numbers();
  list(md5, all);
  database.db.sql.exec('UPDATE record SET comments_mark = NULL');
  list(md5, all);
  expect(numbers()).toEqual(before);
  list(md5, [said('0', 'new'), ...all.slice(1).toReversed()]);
  expect(numbers()).toEqual([
    { number: 4, id: '0' },
    { number: 3, id: '3' },
    { number: 2, id: '2' },
  ]);
  expect(lines().map((line) => z.array(z.unknown()).parse(line)[0])).toEqual(['0', '3', '2']);
});

test('comments are found by words of their current text and author', () => {
  list(md5, [said('1', 'drops Emotet, talks to 10.0.0.1', { author: 'Märta' }), said('2', 'clean')]);
  list(otherMd5, [said('3', 'emotet again')]);
  list(md5, [said('9', 'emotet elsewhere')], 'w-1');
  comments.settle(comments.begin('lab', otherMd5, draft('my emotet note')), { state: 'failed' });
  expect(found('emotet')).toHaveLength(3);
  expect(found('marta emo')).toEqual(['1']);
  expect(found('10.0.0.1')).toEqual(['1']);
  expect(comments.list('lab', 'emotet', 1, 1)).toMatchObject({ total: 3, comments: [{}] });
  expect([found('***'), found('nothing like it')]).toEqual([[], []]);
  list(md5, [said('1', 'a false positive')]);
  expect([found('emotet').includes('1'), found('false posi'), found('clean')]).toEqual([false, ['1'], []]);
  fc.assert(
    fc.property(fc.string({ unit: anyUnit, maxLength: 40 }), (text) => void comments.list('lab', text, 0, 5)),
    { numRuns: 50 },
  );
});

test('all comments are listed by time, latest first, or by the time first seen when they have none', () => {
  list(md5, [
    said('1', 'a', { created: '2001-05-01 10:00:00' }),
    said('2', 'b', { created: '2001-05-01T11:00:00+02:00' }),
    said('3', 'c', { created: 'last week' }),
  ]);
  list(otherMd5, [said('4', 'd', { created: '2001-05-01T09:30:00Z' })]);
  expect(found('')).toEqual(['3', '1', '4', '2']);
  list(md5, [said('3', 'edited', { created: 'last week' }), said('5', 'e', { created: '2099-01-01 00:00:00' })]);
  expect(found('')).toEqual(['5', '3', '4']);
  expect(comments.list('lab', '', 1, 1)).toMatchObject({ total: 3, comments: [{ comment: { id: '3' } }] });
});

test('any comment a service may send is returned unchanged and never breaks the list', () => {
  const text = fc.string({ unit: anyUnit, maxLength: 60 });
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ id: text, author: fc.option(text), content: text, created: fc.option(text) }), {
        selector: ({ id }) => id,
        maxLength: 6,
      }),
      (given) => {
        const all = given.map((one) => ({ ...one, parentId: null }));
        list(md5, all);
        expect(comments.thread('lab', md5).comments).toEqual(all.map((one) => ({ ...one, own: null })));
        expect(comments.list('lab', '', 0, 9).total).toBe(all.length);
      },
    ),
    { numRuns: 60 },
  );
});

test('forgetting a workspace forgets its comments and drafts only', () => {
  list(md5, [said('1', 'one')]);
  list(md5, [said('2', 'two')], 'w-1');
  comments.saveDraft('lab', md5, draft('x'), [noDraft]);
  const id = comments.begin('lab', otherMd5, draft('mine'));
  comments.saveDraft('lab', md5, draft('x'), [noDraft]);
  comments.forgetWorkspace('lab');
  expect([comments.get(id), comments.draft('lab', md5), comments.list('lab', '', 0, 9).total, found('one')]).toEqual([
    null,
    draft(''),
    0,
    [],
  ]);
  expect(comments.thread('w-1', md5).comments).toHaveLength(1);
});

test('an unreadable failure does not stop a comment from being shown', () => {
  const id = comments.begin('lab', md5, draft('mine'));
  database.db
    .command(`UPDATE own_comment SET failure = '{"kind":"of-tomorrow"}', known_ids = '[1' WHERE id = ?`)
    .run(id);
  expect(comments.thread('lab', md5).comments).toMatchObject([{ own: { id, failure: null } }]);
  expect(comments.list('lab', '', 0, 9).comments).toMatchObject([{ comment: { own: { id, failure: null } } }]);
});

/** See `statement.test.ts`. */
test('every statement finds its comments by an index', () => {
  const texts = statementsOf(database.db, () =>
    expect(new CommentStore(database.db, database.journal).get(1)).toBeNull(),
  );
  expect(texts.length).toBeGreaterThan(15);
  for (const text of texts) {
    const plan = database.db
      .query(z.object({ detail: z.string() }), `EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => detail);
    expect([
      text,
      plan.filter((detail) => /^SCAN (comment|own_comment|record)\b(?! USING INDEX own_comment_pending)/.test(detail)),
    ]).toEqual([text, []]);
  }
});
