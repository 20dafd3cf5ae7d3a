import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { windowBounds } from '../../electron/api/replies/comment-window.ts';
import { createRepositoryApi } from '../../electron/api/repository-api.ts';
import { defaultTimeouts } from '../../shared/domain/workspace.ts';
import { hostileComments, type HostileRepository, startHostileRepository } from './hostile-replies.ts';

let repository: HostileRepository;
beforeAll(async () => {
  repository = await startHostileRepository();
});
afterAll(() => repository.close());

const api = () =>
  createRepositoryApi({
    service: 'repository',
    baseUrl: repository.baseUrl,
    token: 'a-token-of-a-test',
    timeouts: defaultTimeouts,
    trust: { kind: 'system' },
    proxyFor: () => Promise.resolve(null),
    basic: null,
    clientCertificate: null,
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
  const { threads, result } = await threadsDuring(() => api().getFile(repository.discussed));
  expect(threads).toBe(1);
  expect(result.comments).toHaveLength(windowBounds.comments);
  expect(result.commentsOmitted).toBe(hostileComments - windowBounds.comments);
  expect(result.comments.at(-1)?.content).toBe(`remark ${hostileComments}`);
});

test('the comments before these are read from the service, down to the first one', { timeout: 60_000 }, async () => {
  let before = 15_000;
  const ids: string[] = [];
  while (before > 0) {
    const older = await api().olderComments(repository.discussed, before);
    ids.unshift(...older.comments.map(({ id }) => id));
    before = older.before;
  }
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([15_000, '1', '15000']);
});

test('no text of a hostile record has more marks on one character than a page can draw', async () => {
  const record = await api().getFile(repository.hostile);
  expect(JSON.stringify(record)).not.toMatch(/\p{M}{31}/u);
  expect(record.threat?.length).toBe(1000);
});

test('a reply to an upload that names two hundred thousand files is read in a thread', async () => {
  const part = { md5: repository.hostile, name: 'a', sizeBytes: 1, virusTotal: false, sandbox: false, tags: [] };
  const open = async function* () {
    yield new Uint8Array(1);
  };
  const { threads, result } = await threadsDuring(() =>
    api().uploadFiles({ parts: [{ ...part, open }], comment: '', tokenInForm: false, decodesComments: false }),
  );
  expect(threads).toBe(1);
  expect(result.items).toHaveLength(10_000);
});
