import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { backUpInThread } from '../../storage/backup/backup-thread.ts';
import { createTestStorage, type TestStorage } from './storage.fixture.ts';

vi.mock('../../storage/backup/backup-thread.ts');

let setup: TestStorage;
let folder: string;
beforeEach(async () => {
  setup = await createTestStorage();
  folder = await mkdtemp(join(tmpdir(), 'vitrine-backup-count-'));
  setup.backupFolder.path = join(folder, 'backup');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await setup.close();
  await rm(folder, { recursive: true, force: true });
});

const list = { name: `${'0'.repeat(32)}.jsonl`, sha256: '0'.repeat(64) };
const whole = {
  made: '2030-01-01T00:00:00.000Z',
  version: '1.0.0',
  schema: 1,
  list,
  files: 3,
  bytes: 30,
  copied: 2,
  missed: 0,
};
const start = async (): Promise<number> => (await setup.backups.start(null)).job?.id ?? 0;

test('a backup that fails after its last file is not done, and can resume', async () => {
  vi.mocked(backUpInThread)
    .mockImplementationOnce(async (order, news) => {
      news.planned({ files: 2, bytes: 20 });
      news.step({ done: 2, alreadyHere: 0, bytes: 20 });
      return fail({ kind: 'disk-full', path: order.to });
    })
    .mockImplementationOnce(async (_order, news) => {
      news.planned({ files: 3, bytes: 30 });
      news.step({ done: 2, alreadyHere: 1, bytes: 30 });
      news.whole(whole);
      return true;
    });
  const id = await start();
  expect(await setup.over(id)).toMatchObject({
    state: 'paused',
    failure: { kind: 'disk-full' },
    counts: { done: 2, waiting: 1 },
  });
  expect(setup.backups.last()).toBeNull();
  setup.jobs.resume(id);
  expect(await setup.over(id)).toMatchObject({
    state: 'done',
    failure: null,
    items: 3,
    counts: { done: 2, 'already-here': 1, waiting: 0 },
  });
});

test('a backup ended after its last file, before it takes effect, resumes at the next start', async () => {
  vi.mocked(backUpInThread).mockImplementationOnce(async (_order, news, signal) => {
    news.planned({ files: 2, bytes: 20 });
    news.step({ done: 2, alreadyHere: 0, bytes: 20 });
    await new Promise((stopped) => signal.addEventListener('abort', stopped));
    return false;
  });
  const id = await start();
  await vi.waitFor(() => expect(setup.jobs.get(id).counts.done).toBe(2));
  await setup.jobs.close();
  expect(setup.stores.jobs.get(id)).toMatchObject({ state: 'running', counts: { waiting: 1 } });
});

test('samples missing in a backup are its failures, named in its notices and counted in the journal', async () => {
  const sha256 = 'a'.repeat(64);
  vi.mocked(backUpInThread).mockImplementationOnce(async (_order, news) => {
    news.planned({ files: 4, bytes: 30 });
    news.lost({ kind: 'backup-missed', sha256 });
    news.step({ done: 2, alreadyHere: 1, bytes: 30 });
    news.whole({ ...whole, missed: 1 });
    return true;
  });
  expect(await setup.over(await start())).toMatchObject({
    state: 'done',
    items: 4,
    counts: { done: 2, 'already-here': 1, failed: 1, waiting: 0 },
    notices: [{ kind: 'backup-missed', sha256 }],
  });
  const sql = new DatabaseSync(setup.stores.databasePath, { readOnly: true });
  expect(
    sql
      .prepare("SELECT detail ->> 'missed' AS missed FROM journal WHERE operation = 'backup'")
      .all()
      .map(({ missed }) => missed),
  ).toEqual([1]);
  sql.close();
});
