import { afterEach, expect, test, vi } from 'vitest';
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
