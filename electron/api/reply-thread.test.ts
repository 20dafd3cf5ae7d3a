import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultTimeouts } from '../../shared/domain/workspace.ts';
import { windowBounds } from './replies/comment-window.ts';
import { createRepositoryApi } from './repository-api.ts';

const md5 = 'a'.repeat(32);
const allComments = 100_000;
const comments = Array.from({ length: allComments }, (_, at) => ({ id: at + 1, content: `remark ${at + 1}` }));
const files = Array.from({ length: 200_000 }, (_, at) => ({ md5: at.toString(16).padStart(32, '0') }));
const [record, uploaded] = [{ file: { md5, comments } }, { files }].map((reply) => JSON.stringify(reply));
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.end(request.method === 'GET' ? record : uploaded));
});
let baseUrl = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => server.close().closeAllConnections());

const api = () =>
  createRepositoryApi({
    service: 'repository',
    baseUrl,
    token: 'a-token-of-a-test',
    basic: null,
    clientCertificate: null,
    timeouts: defaultTimeouts,
    trust: { kind: 'system' },
    proxyFor: () => Promise.resolve(null),
  });

/** How many threads were started meanwhile. */
async function threadsDuring<T>(work: () => Promise<T>): Promise<{ threads: number; result: T }> {
  let threads = 0;
  const count = (): void => void (threads += 1);
  process.on('worker', count);
  try {
    return { result: await work(), threads };
  } finally {
    process.off('worker', count);
  }
}

test('a record with a hundred thousand comments is read in a thread, which gives the newest of them', async () => {
  const { threads, result } = await threadsDuring(() => api().getFile(md5));
  expect(threads).toBe(1);
  expect(result.comments).toHaveLength(windowBounds.comments);
  expect(result.commentsOmitted).toBe(allComments - windowBounds.comments);
  expect(result.comments.at(-1)?.content).toBe(`remark ${allComments}`);
});

test('the comments before these are read from the service, down to the first one', { timeout: 60_000 }, async () => {
  let before = 15_000;
  const ids: string[] = [];
  while (before > 0) {
    const older = await api().olderComments(md5, before);
    ids.unshift(...older.comments.map(({ id }) => id));
    before = older.before;
  }
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([15_000, '1', '15000']);
});

test('a reply to an upload that names two hundred thousand files is read in a thread', async () => {
  const part = { md5: md5, name: 'a', sizeBytes: 1, virusTotal: false, sandbox: false, tags: [] };
  const open = async function* () {
    yield new Uint8Array(1);
  };
  const { threads, result } = await threadsDuring(() =>
    api().uploadFiles({ parts: [{ ...part, open }], comment: '', tokenInForm: false, decodesComments: false }),
  );
  expect(threads).toBe(1);
  expect(result.items).toHaveLength(10_000);
});
