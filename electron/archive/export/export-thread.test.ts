import { hash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type CopyOrder, ExportThread } from './export-thread.ts';
import type { GivenSource } from './export-worker.fixture.ts';

const password = 'infected';
let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-thread-'));
  path = join(folder, 'out.zip');
  return () => rm(folder, { recursive: true, force: true });
});

const worker = { entry: './export-worker.fixture', beside: import.meta.url };

function openThread(): ExportThread<GivenSource> {
  const thread = new ExportThread<GivenSource>(worker);
  thread.beginFor(folder);
  onTestFinished(() => thread.close());
  return thread;
}

const orderOf = (bytes: Uint8Array): CopyOrder<GivenSource> => ({
  head: { name: hash('sha256', bytes), sizeBytes: bytes.length, crc32: 0 },
  offset: 0,
  source: { bytes, brokenAfter: null },
  moved: () => {},
});

test('a plain file has the bytes, a removed one is gone, and the thread continues with the next', async () => {
  const bytes = randomBytes(1_500_000);
  const thread = openThread();
  thread.openPlain({ path: join(folder, 'gone'), durable: false, isNew: true });
  expect(await thread.copy({ ...orderOf(bytes), source: { bytes, brokenAfter: 1_000_000 } })).toEqual({
    isIn: false,
    reason: 'broken',
  });
  await thread.remove();
  thread.openPlain({ path, durable: false, isNew: true });
  let moved = 0;
  const copied = thread.copy({
    ...orderOf(bytes),
    moved: (more) => {
      moved += more;
    },
  });
  expect(thread.load).toBe(bytes.length);
  expect(await copied).toEqual({ isIn: true, crc32: 0 });
  expect([thread.load, moved]).toEqual([0, bytes.length]);
  expect(await thread.finish()).toBe(bytes.length);
  expect((await readFile(path)).equals(bytes)).toBe(true);
  await expect(stat(join(folder, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an existing file is not overwritten, and every later call fails with the same reason', async () => {
  const thread = openThread();
  const failure = { kind: 'disk-failed', path: folder, code: 'EEXIST' };
  thread.openPlain({ path: folder, durable: false, isNew: true });
  await expect(thread.finish()).rejects.toMatchObject({ failure });
  expect(thread.hasFailed).toBe(true);
  await expect(thread.copy(orderOf(randomBytes(9)))).rejects.toMatchObject({ failure });
});

test('closing a thread in the middle fails its pending copies', async () => {
  const thread = openThread();
  thread.openZip({ path, durable: false, isNew: true }, { encryption: 'zipcrypto', password });
  const copies = [thread.copy(orderOf(new Uint8Array(30_000_000))), thread.copy(orderOf(new Uint8Array(3)))];
  const failures = copies.map((copy) => expect(copy).rejects.toMatchObject({ failure: { kind: 'cancelled' } }));
  await Promise.all([...failures, thread.close()]);
});

test('a size that differs from the sample’s is an internal error, not a misleading archive', async () => {
  const thread = openThread();
  thread.openPlain({ path, durable: false, isNew: true });
  const { head, ...order } = orderOf(randomBytes(100));
  await expect(thread.copy({ ...order, head: { ...head, sizeBytes: 99 } })).rejects.toMatchObject({
    failure: { kind: 'worker-ended' },
  });
});

test.each(['../a', 'invoice.exe', 'A'.repeat(64), '', 'manifest.csv/'])(
  'a member named %j is an internal error',
  async (name) => {
    const { head, ...order } = orderOf(randomBytes(1));
    const thread = openThread();
    await expect(thread.copy({ ...order, head: { ...head, name } })).rejects.toThrow(TypeError);
    await expect(thread.put({ ...head, name }, 0, [])).rejects.toThrow(TypeError);
  },
);
