import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { startPostgresProxy } from '../testing/postgres-proxy.fixture.ts';
import { LabLog } from '../watch.ts';
import { reportable, ScanQueue } from './scan-queue.ts';

const postgres = usePostgres({ port: true });

test('a queue behind a network that goes silent fails in seconds, and closes', { tags: ['long'] }, async () => {
  vi.stubEnv('PGPASSWORD', postgres.password);
  onTestFinished(() => void vi.unstubAllEnvs());
  const address = postgres.overPort(await postgres.labDatabase());
  await ScanQueue.migrate(address);
  const proxy = await startPostgresProxy(address, postgres.password);
  const lab = proxy.open({ statementTimeoutMs: 500 });
  const queue = await ScanQueue.open(proxy.address, { lab, supervises: false, report: () => {} });
  expect(await queue.takeRequest()).toBeNull();
  for (const [text, call] of [
    ['scan-requests', () => queue.takeRequest()],
    ['hunt-pieces', () => queue.take()],
    ['heartbeat', () => queue.isStillOurs({ request: 'a', claim: { id: 'a', retryCount: 0 } })],
  ] as const) {
    proxy.on(text, 'drop it');
    await expect(call()).rejects.toThrow(StoreUnavailable);
  }
  expect(proxy.dropped()).toBe(3);
  await queue.close();
});

test('an error that the queue emits as a plain object is in the log with its message', () => {
  const lines: string[] = [];
  const log = new LabLog((line) => void lines.push(line), []);
  const error = new Error('it is away');
  log.error(reportable({ ...error, message: error.message, stack: error.stack }));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: 'The queue failed: it is away', stack: error.stack });
  expect(reportable(error)).toBe(error);
  expect(reportable('text')).toBe('text');
});
