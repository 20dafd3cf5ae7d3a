import { expect, onTestFinished, test, vi } from 'vitest';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { startPostgresProxy } from '../testing/postgres-proxy.fixture.ts';
import { readDatabaseAddress } from './pg-address.ts';
import { PgDatabase } from './pg-database.ts';
import { PgListener } from './pg-listener.ts';

const postgres = usePostgres({ port: true });
const soon = { timeout: 50_000, interval: 20 };

/** A listener, and what it heard. */
function listen(address: string): { listener: PgListener; heard: string[]; changes: () => number } {
  const heard: string[] = [];
  let changes = 0;
  const listener = new PgListener(readDatabaseAddress(address), {
    channel: 'any_channel',
    heard: (payload) => void heard.push(payload),
    changed: () => void (changes += 1),
  });
  onTestFinished(() => listener.close());
  return { listener, heard, changes: () => changes };
}

test('a listener hears what is notified, also after its connection was lost', async () => {
  const address = await postgres.emptyDatabase();
  const database = new PgDatabase(readDatabaseAddress(address, {}));
  onTestFinished(() => database.close());
  const { listener, heard, changes } = listen(address);
  await expect.poll(() => listener.isListening, soon).toBe(true);
  await database.execute(`NOTIFY other_channel, 'zero'; NOTIFY any_channel, 'one'; NOTIFY any_channel, 'two'`);
  await expect.poll(() => heard, soon).toEqual(['one', 'two']);
  await database.execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'vitrine-lab-listener' AND datname = current_database()`);
  await expect.poll(changes, soon).toBe(3);
  expect(listener.isListening).toBe(true);
  await database.execute(`NOTIFY any_channel, 'three'`);
  await expect.poll(() => heard, soon).toEqual(['one', 'two', 'three']);
});

test('a listener that reaches no server hears nothing, and closes', async () => {
  const { listener, heard, changes } = listen('postgres://nobody@127.0.0.1:1/none');
  await listener.close();
  expect([listener.isListening, heard, changes()]).toEqual([false, [], 0]);
});

/** The message by which a client ends its session (PostgreSQL 15, section 55.7). */
const terminate = 'X\0\0\0\u0004';

test.for([
  ['has not answered', 'LISTEN', false],
  ['has gone silent', terminate, true],
] as const)('a listener whose server %s is closed all the same', async ([, text, isListening]) => {
  vi.stubEnv('PGPASSWORD', postgres.password);
  onTestFinished(() => void vi.unstubAllEnvs());
  const proxy = await startPostgresProxy(postgres.overPort(await postgres.emptyDatabase()), postgres.password);
  proxy.on(text, 'drop it');
  const { listener } = listen(proxy.address);
  await expect.poll(() => [listener.isListening, proxy.dropped()], soon).toEqual(isListening ? [true, 0] : [false, 1]);
  const began = performance.now();
  await listener.close();
  expect(performance.now() - began).toBeLessThan(4_000);
  expect([listener.isListening, proxy.dropped()]).toEqual([false, 1]);
});
