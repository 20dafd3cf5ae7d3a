import { afterEach, describe, expect, test, vi } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { failureOf } from '../api/failure-of.fixture.ts';
import { createTestServices, team, type TestServices } from './testing/services.fixture.ts';

const md5 = 'a'.repeat(32);
const comments = ['one', 'two', 'three'].map((content, at) => ({ id: at + 1, parent: null, content }));
let setup: TestServices;
afterEach(() => setup.close());

test('a look-up returns the requested number of comments, and the library has all', async () => {
  setup = await createTestServices((_, response) => void response.end(JSON.stringify({ file: { md5, comments } })));
  const contentsOf = async (firstComments?: number): Promise<string[]> =>
    (await setup.samples.lookup(team, md5, firstComments)).record.comments.map(({ content }) => content);
  expect(await contentsOf(2)).toEqual(['one', 'two']);
  expect(setup.stores.comments.thread(team, md5).comments.map(({ content }) => content)).toEqual([
    'one',
    'two',
    'three',
  ]);
  expect(await contentsOf(0)).toEqual([]);
  expect(await contentsOf()).toEqual(['one', 'two', 'three']);
});

test.each([
  ['found', 200, JSON.stringify({ file: { md5 } })],
  ['failed', 500, ''],
])('a look-up that %s is answered when the disk has what the journal records of it', async (_, status, body) => {
  setup = await createTestServices((__, response) => void response.writeHead(status).end(body));
  const disk = Promise.withResolvers<void>();
  const synced = vi.spyOn(setup.stores.library, 'synced').mockReturnValue(disk.promise);
  let isAnswered = false;
  const answered = setup.samples
    .lookup(team, md5)
    .catch(() => {})
    .finally(() => (isAnswered = true));
  await expect.poll(() => synced.mock.calls.length).toBe(1);
  expect([setup.stores.library.history(md5).length, isAnswered]).toEqual([1, false]);
  disk.resolve();
  await answered;
});

describe('a look-up by a SHA-256 that is not known here', () => {
  const sha256 = 'b'.repeat(64);

  test('is made by the MD5 that the search of the repository gives, and the next one needs no search', async () => {
    const md5AtServer = vi.fn(async () => md5);
    setup = await createTestServices(
      (_, response) => void response.end(JSON.stringify({ file: { md5, sha256 } })),
      md5AtServer,
    );
    expect(await setup.samples.lookup(team, sha256)).toMatchObject({ asked: md5, record: { sha256 } });
    expect(setup.journalOf(md5)).toEqual(['look-up found']);
    await setup.samples.lookup(team, sha256);
    expect(md5AtServer.mock.calls).toEqual([[team, sha256]]);
  });

  test.each([
    { kind: 'unknown-hash', service: 'repository', hash: sha256 },
    { kind: 'token-missing', service: 'repository' },
  ] as const)('fails as the search does, and is journalled: $kind', async (failure) => {
    setup = await createTestServices(
      () => expect.fail('it sent a request'),
      async () => fail(failure),
    );
    expect(await failureOf(() => setup.samples.lookup(team, sha256))).toEqual(failure);
    expect(setup.journalOf(sha256)).toEqual([`look-up ${failure.kind}`]);
  });

  test('needs an MD5 where no search gives one, and a SHA-1 is not searched for', async () => {
    const md5AtServer = vi.fn(async () => null);
    setup = await createTestServices(() => expect.fail('it sent a request'), md5AtServer);
    for (const hash of [sha256, 'c'.repeat(40)])
      expect(await failureOf(() => setup.samples.lookup(team, hash))).toEqual({ kind: 'needs-md5', hash });
    expect(md5AtServer).toHaveBeenCalledTimes(1);
  });
});
