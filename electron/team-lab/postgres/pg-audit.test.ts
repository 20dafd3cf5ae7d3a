import { expect, onTestFinished, test } from 'vitest';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { readDatabaseAddress } from './pg-address.ts';
import { PgAudit } from './pg-audit.ts';
import { PgDatabase } from './pg-database.ts';

const postgres = usePostgres();

async function open(...settings: string[]): Promise<{ audit: PgAudit; database: PgDatabase }> {
  const address = readDatabaseAddress(await postgres.labDatabase(), {});
  const administrator = new PgDatabase(address);
  for (const setting of settings) await administrator.execute(`ALTER DATABASE ${address.database} SET ${setting}`);
  await administrator.close();
  const database = new PgDatabase(address);
  onTestFinished(() => database.close());
  return { audit: new PgAudit(database), database };
}

const all = { who: null, since: null, most: 10 };

test('an audit trail holds names with text that PostgreSQL cannot store, in its visible form', async () => {
  const { audit } = await open();
  await audit.recordCommand('add', ['\uD83D.exe', 'a\0b']);
  expect((await audit.list(all)).map(({ what, about }) => [what, about])).toEqual([
    ['add', ['\uFFFD.exe', 'a\u2400b']],
  ]);
});

test('an audit trail is read from the beginning of a day in UTC, whatever time zone the database has', async () => {
  const { audit, database } = await open(`TimeZone = 'Europe/Berlin'`);
  const details = '{"about":[],"from":null,"token":null}';
  for (const at of ['2026-11-29T23:30:00Z', '2026-11-30T00:00:00Z'])
    await database.execute(`INSERT INTO audit (at, who, what, details) VALUES ('${at}', 'ana', 'x', '${details}')`);
  expect((await audit.list({ ...all, since: '2026-11-30' })).map(({ at }) => at)).toEqual(['2026-11-30T00:00:00.000Z']);
  expect(await audit.list(all)).toHaveLength(2);
});

/** A trail of so many entries, the n-th about `n`; every hundredth is of bo. */
async function trailOf(entries: number): Promise<PgAudit> {
  const { audit, database } = await open();
  await database.execute(`INSERT INTO audit (at, who, what, details)
    SELECT timestamptz '2026-11-01 00:00Z' + n * interval '1 second',
      CASE WHEN n % 100 = 0 THEN 'bo' ELSE 'ana' END, 'getfile',
      jsonb_build_object('about', jsonb_build_array(n::text), 'from', null, 'token', 1)
    FROM generate_series(1, ${entries}) n`);
  return audit;
}

const numbers = (from: number, to: number, step = 1): string[] =>
  Array.from({ length: Math.floor((from - to) / step) + 1 }, (_, at) => `${from - at * step}`);

test('the audit trail is read in pages, each entry once and newest first', async () => {
  const audit = await trailOf(2_500);
  const about = async (who: string | null, since: string | null, most: number): Promise<string[]> =>
    (await audit.list({ who, since, most })).flatMap((entry) => entry.about);
  expect(await about(null, null, 100_000)).toEqual(numbers(2_500, 1));
  expect(await about(null, null, 1_000)).toEqual(numbers(2_500, 1_501));
  expect(await about(null, null, 1_001)).toEqual(numbers(2_500, 1_500));
  expect(await about('bo', null, 30)).toEqual(numbers(2_500, 100, 100));
  expect(await about(null, '2026-11-01T00:40:00Z', 1_000)).toEqual(numbers(2_500, 2_400));
  expect(await about('eve', null, 10)).toEqual([]);
});

test('a reader of the audit trail that ends early reads no further page', async () => {
  const audit = await trailOf(2_500);
  const sizes: number[] = [];
  for await (const page of audit.pages({ who: null, since: null, most: 5_000 })) {
    sizes.push(page.length);
    if (sizes.length === 2) break;
  }
  expect(sizes).toEqual([1_000, 1_000]);
});
