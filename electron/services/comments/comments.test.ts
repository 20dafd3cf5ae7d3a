import { expect, test, vi } from 'vitest';
import { type CommentThread, longestComment, noDraft, type ThreadComment } from '../../../shared/domain/comment.ts';
import { FailureError } from '../../../shared/failure.ts';
import { CommentReader } from '../../storage/comments/comment-reader.ts';
import { ReadingThread } from '../../storage/reading/reading-thread.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { commentIn, createTestComments, lookUp, md5, startCommentService, team } from './comments.fixture.ts';

const comment = (setup: Awaited<ReturnType<typeof createTestComments>>, id: number) => setup.stores.comments.get(id);
const journal = (setup: Awaited<ReturnType<typeof createTestComments>>): string[] =>
  setup.stores.library
    .history(md5)
    .map(({ operation, outcome }) => `${operation} ${outcome}`)
    .filter((row) => row.startsWith('comment'))
    .toReversed();

test('a comment is sent in the documented form, is listed once afterwards, and its draft is gone', async () => {
  const service = await startCommentService();
  service.keep('theirs');
  const setup = await createTestComments(service);
  setup.comments.saveDraft({
    workspaceId: team,
    md5,
    draft: { text: 'Second stage', parentId: '1' },
    basedOn: [noDraft],
  });
  await setup.send('Second stage', '1');
  expect(service.received.map(commentIn)).toEqual([{ content: 'Second stage', parent: '1' }]);
  expect(setup.shown()).toEqual(['theirs theirs', 'sent Second stage']);
  expect(setup.stores.comments.thread(team, md5)).toMatchObject({
    draft: { text: '', parentId: null },
    listsComments: true,
  });
  expect(setup.options.commentForm).toBe('auto');
  expect(journal(setup)).toEqual(['comment done']);
  expect(setup.lost).toEqual([]);
  expect(setup.reported).toBeGreaterThan(0);
});

test('a service that requires brackets gets them from the start, once detected', async () => {
  const service = await startCommentService();
  service.comment = (fields, response) => {
    const content = fields.get('comment[content]');
    if (content === null) response.writeHead(400).end('missing content parameter');
    else
      response.writeHead(201).end(JSON.stringify({ id: service.keep(content, fields.get('comment[parent]') ?? '') }));
  };
  const setup = await createTestComments(service);
  await setup.send('one');
  await setup.send('two');
  expect(setup.options.commentForm).toBe('brackets');
  expect(service.received.map((fields) => fields.has('comment[content]'))).toEqual([false, true, true]);
  expect(setup.shown()).toEqual(['sent one', 'sent two']);
});

test('a form that cannot be stored does not fail the comment', async () => {
  const service = await startCommentService();
  service.comment = (fields, response) => {
    const content = fields.get('comment[content]');
    if (content === null) response.writeHead(400).end('missing content parameter');
    else response.writeHead(201).end(JSON.stringify({ id: service.keep(content) }));
  };
  const full = new FailureError({ kind: 'disk-full', path: '/data' });
  const setup = await createTestComments(service, {
    rememberForm: () => {
      throw full;
    },
  });
  const id = await setup.send('one');
  expect(comment(setup, id)?.state).toBe('sent');
  expect(setup.defects).toEqual([full]);
});

test.each([
  { status: 400, body: 'missing content', kind: 'request-refused' },
  { status: 406, body: '', kind: 'forbidden' },
  { status: 404, body: '', kind: 'action-unknown' },
  { status: 401, body: '', kind: 'token-refused' },
  { status: 500, body: 'broken', kind: 'service-failed' },
])('a comment answered with $status "$body" fails, and its text is kept', async ({ status, body, kind }) => {
  const service = await startCommentService();
  service.comment = (_, response) => void response.writeHead(status).end(body);
  const setup = await createTestComments(service);
  const id = await setup.send('Kept text');
  expect(comment(setup, id)).toMatchObject({ state: 'failed', content: 'Kept text', failure: { kind } });
  expect(service.received).toHaveLength(1);
  expect(journal(setup)).toEqual([`comment ${kind}`]);
  expect(setup.lost).toEqual(['failed']);
  expect(setup.defects).toEqual([]);
});

test.each([500, 502, 504])('a comment that a service accepted before it answered %d is sent', async (status) => {
  const service = await startCommentService();
  service.comment = (fields, response) => {
    service.keep(commentIn(fields).content);
    response.writeHead(status).end('too late');
  };
  const setup = await createTestComments(service);
  const id = await setup.send('one');
  expect(comment(setup, id)).toMatchObject({ state: 'sent', remoteId: '1' });
  expect(setup.shown()).toEqual(['sent one']);
});

test('a failed comment can be sent again, and only a failed one', async () => {
  const service = await startCommentService();
  service.comment = (_, response) => void response.writeHead(406).end();
  const setup = await createTestComments(service);
  const id = await setup.send('one');
  delete service.comment;
  await Promise.allSettled([setup.comments.sendAgain(id), setup.comments.sendAgain(id)]);
  expect(service.received).toHaveLength(2);
  expect(setup.shown()).toEqual(['sent one']);
  await expect(setup.comments.sendAgain(id)).rejects.toMatchObject({ failure: { kind: 'comment-missing' } });
  expect(() => setup.comments.discard(id)).toThrow(FailureError);
  await expect(setup.comments.settle(id)).rejects.toMatchObject({ failure: { kind: 'comment-missing' } });
});

test('two comments at once both arrive, each shown once', async () => {
  const service = await startCommentService();
  const setup = await createTestComments(service);
  await Promise.all([setup.send('one'), setup.send('two')]);
  expect(setup.shown().toSorted()).toEqual(['sent one', 'sent two']);
});

test('a sent comment that cannot be recorded is not reported as failed', async () => {
  const service = await startCommentService();
  const setup = await createTestComments(service);
  const settle = vi.spyOn(setup.stores.comments, 'settle').mockImplementationOnce(() => {
    throw new FailureError({ kind: 'disk-full', path: '/data' });
  });
  await expect(setup.send('one')).rejects.toMatchObject({ failure: { kind: 'disk-full' } });
  settle.mockRestore();
  expect(setup.stores.comments.thread(team, md5).comments[0]?.own?.state).toBe('pending');
});

test('a comment in transit when the program ends is in doubt and is never resent automatically', async () => {
  const service = await startCommentService();
  const arrived = Promise.withResolvers<void>();
  service.comment = (fields) => {
    service.keep(commentIn(fields).content);
    arrived.resolve();
  };
  const setup = await createTestComments(service);
  const sending = setup.send('one');
  await arrived.promise;
  await setup.comments.close();
  const id = await sending;
  expect(comment(setup, id)?.state).toBe('may-have-arrived');
  await setup.close();
  const again = await createTestComments(service, { folder: setup.folder });
  expect(again.shown()).toEqual(['may-have-arrived one (not listed)']);
  await again.comments.settle(id);
  expect(again.shown()).toEqual(['sent one']);
  expect(service.received).toHaveLength(1);
});

test('a comment in transit when the program was killed is in doubt at the next start', async () => {
  const service = await startCommentService();
  const setup = await createTestComments(service);
  const id = setup.stores.comments.begin(team, md5, { text: 'one', parentId: null });
  await setup.close();
  const again = await createTestComments(service, { folder: setup.folder });
  expect(comment(again, id)).toMatchObject({ state: 'may-have-arrived', failure: { kind: 'interrupted' } });
  expect(service.received).toHaveLength(0);
});

test('a saved draft is announced, and one overtaken by another is not', async () => {
  const setup = await createTestComments(await startCommentService());
  const save = (text: string) =>
    setup.comments.saveDraft({ workspaceId: team, md5, draft: { text, parentId: null }, basedOn: [noDraft] });
  expect([save('a long thought'), setup.drafted]).toEqual([{ text: 'a long thought', parentId: null }, 1]);
  expect([save('ok'), setup.drafted]).toEqual([{ text: 'a long thought', parentId: null }, 1]);
  expect(setup.comments.draft(team, md5).text).toBe('a long thought');
});

test('an empty comment, a too long one and a removed workspace are refused, and the draft stays', async () => {
  const service = await startCommentService();
  const setup = await createTestComments(service);
  setup.comments.saveDraft({ workspaceId: team, md5, draft: { text: 'kept', parentId: null }, basedOn: [noDraft] });
  await expect(setup.send(' \n ')).rejects.toMatchObject({ failure: { kind: 'comment-empty' } });
  await expect(setup.send('x'.repeat(longestComment + 1))).rejects.toMatchObject({
    failure: { kind: 'comment-too-long' },
  });
  await expect(setup.comments.send('gone', md5, { text: 'x', parentId: null })).rejects.toMatchObject({
    failure: { kind: 'workspace-missing' },
  });
  expect(setup.stores.comments.thread(team, md5).draft.text).toBe('kept');
  expect(service.received).toHaveLength(0);
});

test('the comment list covers all samples', async () => {
  const service = await startCommentService();
  const setup = await createTestComments(service);
  await setup.send('about the loader');
  expect(setup.comments.list(team, 'loader', 0, 10)).toMatchObject({
    total: 1,
    comments: [{ md5, comment: { content: 'about the loader', own: { state: 'sent' } } }],
  });
});

test('a long thread is returned as stored, including own comments', async () => {
  const service = await startCommentService();
  for (let at = 0; at < 700; at += 1) service.keep(`remark ${at}`);
  const setup = await createTestComments(service);
  await lookUp(setup, service);
  await setup.send('mine', '3');
  expect(setup.stores.comments.isLong(team, md5)).toBe(true);
  const { comments, ...rest } = await setup.comments.thread(team, md5);
  expect(comments).toHaveLength(701);
  expect(comments.find(({ own }) => own !== null)).toMatchObject({
    id: '701',
    parentId: '3',
    content: 'mine',
    own: { state: 'sent', isListed: true },
  });
  expect({ comments, ...rest }).toEqual(setup.stores.comments.thread(team, md5));
});

test('a long thread is returned in windows, as it was at the first of them', async () => {
  const service = await startCommentService();
  for (let at = 0; at < 700; at += 1) service.keep(`remark ${at}`);
  const setup = await createTestComments(service);
  await lookUp(setup, service);
  const whole = await setup.comments.thread(team, md5);
  const first = await setup.comments.thread(team, md5, { moment: 'a', offset: 0, limit: 300 });
  await setup.send('mine');
  const second = await setup.comments.thread(team, md5, { moment: 'a', offset: 300, limit: 300 });
  const { next, ...last } = await setup.comments.thread(team, md5, { moment: 'a', offset: 600, limit: 300 });
  expect([first.next, second.next, next]).toEqual([300, 600, undefined]);
  expect({ ...last, comments: [first, second, last].flatMap(({ comments }) => comments) }).toEqual(whole);
  expect((await setup.comments.thread(team, md5, { moment: 'b', offset: 600, limit: 300 })).comments).toHaveLength(101);
});

test('a window has fewer comments when they are long, and at least one', async () => {
  const service = await startCommentService();
  for (const size of [10, 200_000, 100_000, 300_000, 10]) service.keep('x'.repeat(size));
  const setup = await createTestComments(service);
  await lookUp(setup, service);
  const sizes: number[][] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const window: CommentThread = await setup.comments.thread(team, md5, { moment: 'a', offset, limit: 500 });
    sizes.push(window.comments.map(({ content }) => content.length));
    offset = window.next;
  }
  const [long, cut] = [
    (await setup.comments.thread(team, md5)).comments.map(({ content }) => content.length),
    sizes.flat(),
  ];
  expect(cut).toEqual(long);
  expect(sizes.length).toBeGreaterThan(2);
  for (const window of sizes)
    expect(window.length === 1 || window.reduce((sum, size) => sum + size) <= 256 * 1024).toBe(true);
});

test('readers that disconnect midway leave at most two threads behind', async () => {
  const { commentReader, reads } = countingReader();
  for (const moment of ['a', 'b', 'c']) await commentReader.window(team, md5, { moment, offset: 0, limit: 1 });
  for (const moment of ['b', 'c']) await commentReader.window(team, md5, { moment, offset: 1, limit: 1 });
  expect(reads()).toBe(3);
  await commentReader.window(team, md5, { moment: 'a', offset: 1, limit: 1 });
  expect(reads()).toBe(4);
  await commentReader.window(team, md5, { moment: 'a', offset: 2, limit: 1 });
  await commentReader.window(team, md5, { moment: 'a', offset: 2, limit: 1 });
  expect(reads()).toBe(5);
});

/** Of a thread of three comments. */
function countingReader(): { commentReader: CommentReader; reads(): number } {
  let count = 0;
  const said = (id: string): ThreadComment => ({
    id,
    parentId: null,
    author: null,
    content: id,
    created: null,
    own: null,
  });
  const read = (): CommentThread => {
    count += 1;
    return { comments: ['1', '2', '3'].map(said), draft: { text: '', parentId: null }, listsComments: true };
  };
  const reading = new ReadingThread('/none');
  return { commentReader: new CommentReader({ isLong: () => false, thread: read }, reading), reads: () => count };
}

test('a long thread stored partly at the end of the program is complete after the next start', async () => {
  const service = await startCommentService();
  const [first, comments] = [
    await createTestComments(service),
    Array.from({ length: 1200 }, (_, at) => ({
      id: String(at),
      parentId: null,
      author: null,
      content: `remark ${at}`,
      created: null,
    })),
  ];
  const noted = { workspaceId: team, md5, record: recordWith({ md5, comments, listsComments: true }) };
  first.stores.library.noteRecord(noted);
  first.stores.library.commentsInSteps(noted).next();
  expect(first.shown().length).toBeLessThan(comments.length);
  await first.close();
  const again = await createTestComments(service, { folder: first.folder });
  await vi.waitFor(() => expect(again.shown()).toHaveLength(comments.length));
  expect(again.stores.library.halfListed()).toEqual([]);
  expect([again.defects, again.reported, service.records]).toEqual([[], 1, 0]);
});

test('a long thread stored partly on a full disk is complete after it is read again', async () => {
  const setup = await createTestComments(await startCommentService());
  const comments = Array.from({ length: 1200 }, (_, at) => ({
    id: String(at),
    parentId: null,
    author: null,
    content: `remark ${at}`,
    created: null,
  }));
  const noted = { workspaceId: team, md5, record: recordWith({ md5, comments, listsComments: true }) };
  setup.stores.library.noteRecord(noted);
  const steps = setup.stores.library.commentsInSteps(noted);
  steps.next();
  expect(setup.stores.library.halfListed()).toEqual([]);
  steps.return();
  expect((await setup.comments.thread(team, md5)).comments.length).toBeLessThan(comments.length);
  await vi.waitFor(() => expect(setup.shown()).toHaveLength(comments.length));
  expect([setup.stores.library.halfListed(), setup.defects, setup.reported]).toEqual([[], [], 1]);
});
