import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { OperatorError } from '../../lab/errors.ts';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { readDatabaseAddress } from './pg-address.ts';
import { type DatabaseOptions, PgDatabase } from './pg-database.ts';

const postgres = usePostgres();

async function open(options: DatabaseOptions = {}): Promise<{ database: PgDatabase; address: string }> {
  const address = await postgres.emptyDatabase();
  return { database: openAt(address, options), address };
}

function openAt(address: string, options: DatabaseOptions = {}): PgDatabase {
  const database = new PgDatabase(readDatabaseAddress(address, {}), options);
  onTestFinished(() => database.close());
  return database;
}

const number = z.object({ n: z.number() });
const numbersIn = async (database: PgDatabase): Promise<number[]> =>
  (await database.query({ text: 'SELECT n FROM numbers ORDER BY n', row: number })).map(({ n }) => n);
const raising = (code: string): string => `DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${code}'; END $$`;

test.each(['53200', '53300', '53400', '55P03', '57014', '57P01', '57P02', '57P03', '25P03', '08006'])(
  'the error %s of the server is reported as a store that is not available',
  async (code) => {
    const { database } = await open();
    const asking = database.execute(raising(code));
    await expect(asking).rejects.toThrow(StoreUnavailable);
    await expect(asking).rejects.toMatchObject({ cause: { code } });
  },
);

test('a full and a broken disk are reported as such, and any other error as it is', async () => {
  const { database } = await open();
  const failure = (kind: string) => expect.objectContaining({ failure: expect.objectContaining({ kind }) }) as unknown;
  await expect(database.execute(raising('53100'))).rejects.toEqual(failure('disk-full'));
  await expect(database.execute(raising('58030'))).rejects.toEqual(failure('disk-failed'));
  const defect = database.execute('SELECT no_such_column');
  await expect(defect).rejects.not.toBeInstanceOf(StoreUnavailable);
  await expect(defect).rejects.toMatchObject({ code: '42703' });
});

test('what the role may not do is reported in one line', async () => {
  const { database, address } = await open();
  await database.execute('CREATE TABLE numbers (n int); CREATE ROLE reader LOGIN; GRANT SELECT ON numbers TO reader');
  const asking = openAt(address.replace('vitrine@', 'reader@')).execute('INSERT INTO numbers VALUES (1)');
  await expect(asking).rejects.toThrow(OperatorError);
  await expect(asking).rejects.toThrow(/^The database .* refuses: permission denied for table numbers\.$/);
});

test('a read-only database is reported in words of its own', async () => {
  const { database, address } = await open();
  await database.execute(
    `ALTER DATABASE ${readDatabaseAddress(address, {}).database} SET default_transaction_read_only = on`,
  );
  const asking = openAt(address).execute('CREATE TABLE numbers (n int)');
  await expect(asking).rejects.toThrow(StoreUnavailable);
  await expect(asking).rejects.toThrow(/is read-only/);
});

test('a statement that takes too long is cut off', async () => {
  const { database } = await open({ statementTimeoutMs: 100 });
  await expect(database.execute('SELECT pg_sleep(30)')).rejects.toThrow(/took too long/);
  expect(await database.query({ text: 'SELECT 1 AS n', row: number })).toEqual([{ n: 1 }]);
});

test('a statement without a limit takes as long as it needs, whatever the database prefers', async () => {
  const { database, address } = await open();
  await database.execute(`ALTER DATABASE ${readDatabaseAddress(address, {}).database} SET statement_timeout = '50ms'`);
  await expect(openAt(address, { statementTimeoutMs: null }).execute('SELECT pg_sleep(0.2)')).resolves.toBeUndefined();
});

test('a pool whose connections are all taken gives up after two seconds', async () => {
  const { database } = await open({ connections: 1 });
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const taken = database.transaction(() => over);
  const began = performance.now();
  await expect(database.execute('SELECT')).rejects.toThrow(StoreUnavailable);
  expect(performance.now() - began).toBeGreaterThan(1_500);
  end();
  await taken;
  await database.execute('SELECT');
});

test('a role without a connection left is reported as a store that is not available', async () => {
  const { database, address } = await open();
  await database.execute('CREATE ROLE crowded LOGIN CONNECTION LIMIT 0');
  const asking = openAt(address.replace('vitrine@', 'crowded@')).execute('SELECT');
  await expect(asking).rejects.toThrow(StoreUnavailable);
  await expect(asking).rejects.toMatchObject({ cause: { code: '53300' } });
});

test('a transaction that the server undid is repeated three times at most', async () => {
  const { database } = await open();
  await database.execute('CREATE TABLE numbers (n int)');
  const failing = (times: number) => {
    let calls = 0;
    const work = database.transaction(async (queries) => {
      calls += 1;
      await queries.execute(`INSERT INTO numbers VALUES (${calls})`);
      if (calls <= times) await queries.execute(raising(calls % 2 === 0 ? '40001' : '40P01'));
      return calls;
    });
    return { work, calls: () => calls };
  };
  expect(await failing(3).work).toBe(4);
  expect(await numbersIn(database)).toEqual([4]);
  const endless = failing(10);
  await expect(endless.work).rejects.toThrow(/too busy/);
  expect(endless.calls()).toBe(4);
  expect(await numbersIn(database)).toEqual([4]);
});

test('two transactions that lock each other out both succeed', async () => {
  const { database } = await open();
  await database.execute('CREATE TABLE numbers (n int, times int); INSERT INTO numbers VALUES (1, 0), (2, 0)');
  const bothLocked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const touch = (order: readonly number[], own: number) =>
    database.transaction(async (queries) => {
      const [first, second] = order;
      await queries.execute(`UPDATE numbers SET times = times + 1 WHERE n = ${first}`);
      bothLocked[own]?.resolve();
      await Promise.all(bothLocked.map(({ promise }) => promise));
      await queries.execute(`UPDATE numbers SET times = times + 1 WHERE n = ${second}`);
    });
  await Promise.all([touch([1, 2], 0), touch([2, 1], 1)]);
  expect(await database.query({ text: 'SELECT times AS n FROM numbers', row: number })).toEqual([{ n: 2 }, { n: 2 }]);
});

test('a transaction whose work fails leaves nothing, and one that ignores an error is not committed', async () => {
  const { database } = await open({ connections: 1 });
  await database.execute('CREATE TABLE numbers (n int)');
  const failing = database.transaction(async (queries) => {
    await queries.execute('INSERT INTO numbers VALUES (1)');
    throw new RangeError('of the work');
  });
  await expect(failing).rejects.toThrow('of the work');
  const ignoring = database.transaction(async (queries) => {
    await queries.execute('INSERT INTO numbers VALUES (2)');
    await expect(queries.execute('SELECT no_such_column')).rejects.toThrow();
  });
  await expect(ignoring).rejects.toThrow(/failed transaction/);
  expect(await numbersIn(database)).toEqual([]);
});

test('connections that the server ended, idle or within a transaction, are replaced', async () => {
  const { database, address } = await open();
  const administrator = openAt(address);
  const end = () =>
    administrator.execute(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity ' +
        "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
    );
  await Promise.all([1, 2, 3].map(() => database.execute('SELECT pg_sleep(0.05)')));
  await end();
  await expect
    .poll(() =>
      database.execute('SELECT').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const cut = database.transaction(async (queries) => {
    await queries.execute('SELECT');
    await end();
    await delay(0);
    await queries.execute('SELECT');
  });
  await expect(cut).rejects.toThrow(StoreUnavailable);
  await database.execute('SELECT');
});

test('numbers of 64 bits are numbers, and text that PostgreSQL cannot store is shown', async () => {
  const { database } = await open();
  const row = z.object({ n: z.number(), text: z.string(), list: z.array(z.string()) });
  const text = 'SELECT $1::bigint AS n, $2::text AS text, $3::text[] AS list';
  expect(await database.query({ text, row }, [2 ** 53 - 1, 'a\0\uD83D', ['\0', '"{}\\,', 'NULL', '']])).toEqual([
    { n: 2 ** 53 - 1, text: 'a\u2400\uFFFD', list: ['\u2400', '"{}\\,', 'NULL', ''] },
  ]);
});
