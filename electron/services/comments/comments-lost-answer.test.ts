import { expect, test, vi } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import {
  commentIn,
  type CommentService,
  createTestComments,
  lookUp,
  md5,
  startCommentService,
  take,
  team,
} from './comments.fixture.ts';

/** The service keeps each comment, as `kept` makes it, and hangs up. */
function loseAnswers(service: CommentService, kept = (content: string): string => content): void {
  service.comment = (fields, response) => {
    service.keep(kept(commentIn(fields).content));
    response.destroy();
  };
}

const comment = (setup: Awaited<ReturnType<typeof createTestComments>>, id: number) => setup.stores.comments.get(id);

test('a lost reply is settled by the record when it lists the comment', async () => {
  const service = await startCommentService();
  loseAnswers(service);
  const setup = await createTestComments(service);
  const id = await setup.send('one\r\ntwo');
  expect(comment(setup, id)).toMatchObject({ state: 'sent', remoteId: '1' });
  expect(service.received).toHaveLength(1);
  expect(setup.shown()).toEqual(['sent one\r\ntwo']);
  expect(setup.lost).toEqual([]);
});

test('a comment with a lost reply is in doubt until "Check again" finds that it did not arrive', async () => {
  const service = await startCommentService();
  service.comment = (_, response) => void response.destroy();
  const setup = await createTestComments(service);
  await lookUp(setup, service);
  const id = await setup.send('one');
  expect(comment(setup, id)).toMatchObject({ state: 'may-have-arrived' });
  expect(setup.slept).toEqual([500, 2000]);
  expect(setup.lost).toEqual(['may-have-arrived']);
  expect(service.received).toHaveLength(1);
  await expect(setup.comments.sendAgain(id)).rejects.toMatchObject({ failure: { kind: 'comment-missing' } });
  await setup.comments.settle(id);
  expect(comment(setup, id)).toMatchObject({ state: 'failed', failure: { kind: 'comment-not-arrived' } });
  await setup.comments.sendAgain(id);
  await setup.comments.settle(id);
  expect(comment(setup, id)).toMatchObject({ state: 'failed', failure: { kind: 'comment-not-arrived' } });
  delete service.comment;
  await setup.comments.sendAgain(id);
  expect(setup.shown()).toEqual(['sent one']);
});

test('a comment that did not arrive is reported after a restart when the service listed comments before', async () => {
  const service = await startCommentService();
  service.keep('theirs');
  service.comment = (_, response) => void response.destroy();
  const setup = await createTestComments(service);
  await lookUp(setup, service);
  const id = await setup.send('one');
  await setup.close();
  const again = await createTestComments(service, { folder: setup.folder });
  await again.comments.settle(id);
  expect(comment(again, id)).toMatchObject({ state: 'failed', failure: { kind: 'comment-not-arrived' } });
});

test('a comment on a sample never looked up stays in doubt when the list is empty', async () => {
  const service = await startCommentService();
  service.comment = (_, response) => void response.destroy();
  const setup = await createTestComments(service);
  const id = await setup.send('one');
  await setup.comments.settle(id);
  expect(comment(setup, id)?.state).toBe('may-have-arrived');
});

for (const { tags, cases } of longAfter(1, [
  ['50 comments of 90 KB', 50, 90_000],
  ['6,000 comments', 6000, 10],
]))
  test.each(cases)('a comment that arrived at the end of a list of %s is sent', { tags }, async (_, count, length) => {
    const service = await startCommentService();
    for (let index = 0; index < count; index += 1) service.keep(`${index} ${'c'.repeat(length)}`);
    loseAnswers(service);
    const setup = await createTestComments(service);
    await lookUp(setup, service);
    const id = await setup.send('one');
    expect(comment(setup, id)?.state).toBe('sent');
  });

test('a comment that arrived after one so large that the list is cut stays in doubt', { tags: ['long'] }, async () => {
  const service = await startCommentService();
  service.keep('theirs');
  const seen = Array.from({ length: 499_995 }, () => 0);
  service.record = (response) => (
    response.end(
      JSON.stringify({
        file: { md5, comments: service.comments.map((one, index) => (index === 0 ? { ...one, seen } : one)) },
      }),
    ),
    true
  );
  loseAnswers(service);
  const setup = await createTestComments(service);
  await lookUp(setup, service);
  expect(setup.stores.comments.thread(team, md5)).toMatchObject({ listsComments: true, comments: [{ id: '1' }] });
  const id = await setup.send('one');
  await setup.comments.settle(id);
  expect(comment(setup, id)?.state).toBe('may-have-arrived');
});

test.each<[string, string, (content: string) => string]>([
  ['writes entities', 'a < b & c', (content) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')],
  ['changes a lone CR', 'a\rb', (content) => content.replaceAll('\r', '\n')],
  ['trims lines', 'a  \r\nb', (content) => content.replaceAll('  \r\n', '\n')],
])('a comment of a service that %s, makes it a root and loses its reply is sent', async (_, content, kept) => {
  const service = await startCommentService();
  service.keep('theirs');
  loseAnswers(service, kept);
  const setup = await createTestComments(service);
  await lookUp(setup, service);
  const id = await setup.send(content, '1');
  expect(comment(setup, id)).toMatchObject({ state: 'sent', remoteId: '2' });
  expect(service.received).toHaveLength(1);
});

test('a comment stays in doubt while the thread has another new comment with other words', async () => {
  const service = await startCommentService();
  loseAnswers(service, () => '[moderated]');
  const setup = await createTestComments(service);
  await lookUp(setup, service);
  const id = await setup.send('one');
  await setup.comments.settle(id);
  expect(comment(setup, id)?.state).toBe('may-have-arrived');
});

test('a comment of a service that lists no comments stays in doubt, whatever is checked', async () => {
  const service = await startCommentService();
  service.comment = (_, response) => void response.destroy();
  service.record = (response) => (response.end(JSON.stringify({ file: { md5, comment: 'root' } })), true);
  const setup = await createTestComments(service);
  const id = await setup.send('one');
  await setup.comments.settle(id);
  expect(comment(setup, id)?.state).toBe('may-have-arrived');
  setup.comments.discard(id);
  expect(comment(setup, id)).toBeNull();
});

test('a comment of an unreachable service stays in doubt, and a new check reports the reason', async () => {
  const service = await startCommentService();
  service.comment = (_, response) => void response.destroy();
  service.record = (response) => (response.writeHead(401).end(), true);
  const setup = await createTestComments(service);
  const id = await setup.send('one');
  expect(comment(setup, id)?.state).toBe('may-have-arrived');
  await expect(setup.comments.settle(id)).rejects.toMatchObject({ failure: { kind: 'token-refused' } });
  expect(comment(setup, id)?.state).toBe('may-have-arrived');
});

test('a late check changes no comment settled in the meantime', async () => {
  const service = await startCommentService();
  service.comment = (_, response) => void response.destroy();
  const setup = await createTestComments(service);
  const id = await setup.send('one');
  // A first answer that does not list it comes after a second one that does.
  const first = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  service.record = async (response) => {
    delete service.record;
    asked.resolve();
    await first.promise;
    response.end(JSON.stringify({ file: { md5, comments: [] } }));
    return true;
  };
  const slow = setup.comments.settle(id);
  await asked.promise;
  service.keep('one');
  await setup.comments.settle(id);
  expect(comment(setup, id)?.state).toBe('sent');
  first.resolve();
  await slow;
  expect(comment(setup, id)?.state).toBe('sent');
});

test('of two comments with the same words, the listed one is the confirmed one', async () => {
  const service = await startCommentService();
  const held = Promise.withResolvers<void>();
  service.comment = async (fields, response, number) => {
    if (number === 1) {
      await held.promise;
      take(service, fields, response);
    } else response.destroy();
  };
  const setup = await createTestComments(service);
  const first = setup.send('me too');
  const second = setup.send('me too');
  await vi.waitFor(() => expect(service.received).toHaveLength(2));
  held.resolve();
  const states = (await Promise.all([first, second])).map((id) => comment(setup, id)?.state);
  expect(states.filter((state) => state === 'sent')).toHaveLength(1);
  const lost = (await Promise.all([first, second])).find((id) => comment(setup, id)?.state !== 'sent') ?? 0;
  await setup.comments.settle(lost);
  expect(setup.shown()).toEqual(['sent me too', 'may-have-arrived me too (not listed)']);
});

test.each([
  [500, 'broken', 'service-failed'],
  [200, '', 'empty-reply'],
  [200, 'Warning: {"id":1}', 'text-around-json'],
])(
  'a comment answered with %d "%s" is in doubt while the list is unreadable, and is not resent',
  async (status, body, kind) => {
    const service = await startCommentService();
    service.comment = (fields, response) => {
      service.keep(commentIn(fields).content);
      response.writeHead(status).end(body);
    };
    service.record = (response) => response.writeHead(500).end() !== undefined;
    const setup = await createTestComments(service);
    const id = await setup.send('one');
    expect(comment(setup, id)).toMatchObject({ state: 'may-have-arrived', failure: { kind } });
    await expect(setup.comments.sendAgain(id)).rejects.toMatchObject({ failure: { kind: 'comment-missing' } });
    delete service.record;
    await setup.comments.settle(id);
    expect(comment(setup, id)?.state).toBe('sent');
    expect(service.received).toHaveLength(1);
  },
);
