import { expect, onTestFinished, test } from 'vitest';
import { ExportThreads } from './export-thread.ts';
import type { GivenSource } from './export-worker.fixture.ts';

const head = { name: 'a'.repeat(64), sizeBytes: 1, crc32: 0 };

function openThreads(): ExportThreads<GivenSource> {
  const threads = new ExportThreads<GivenSource>({ entry: './export-worker.fixture', beside: import.meta.url });
  onTestFinished(() => threads.close());
  return threads;
}

test('a returned thread is reused for another folder', async () => {
  const threads = openThreads();
  const [one, other] = [threads.take('one'), threads.take('other')];
  expect(other).not.toBe(one);
  await Promise.all([threads.giveBack(one), threads.giveBack(other)]);
  const again = threads.take('/no/such');
  expect([one, other]).toContain(again);
  again.openPlain({ path: '/no/such/file', durable: false, isNew: true });
  await expect(again.finish()).rejects.toMatchObject({ failure: { kind: 'not-writable', path: '/no/such' } });
  await again.close();
});

test('a thread that failed or is returned late ends', async () => {
  const threads = openThreads();
  const [failed, late] = [threads.take('/no/such'), threads.take('late')];
  failed.openPlain({ path: '/no/such/file', durable: false, isNew: true });
  await expect(failed.finish()).rejects.toThrow('not-writable');
  await threads.giveBack(failed);
  const fresh = threads.take('fresh');
  expect(fresh).not.toBe(failed);
  await fresh.close();
  await threads.close();
  await threads.giveBack(late);
  await expect(late.put(head, 0, [])).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});

test('a thread that is ending is not reused', async () => {
  const threads = openThreads();
  const [given, ending] = [threads.take('given'), threads.take('ending')];
  const closing = ending.close();
  await Promise.all([threads.giveBack(ending), threads.giveBack(given)]);
  const closingToo = given.close();
  const fresh = threads.take('fresh');
  expect([given, ending]).not.toContain(fresh);
  await Promise.all([closing, closingToo, fresh.close()]);
});
