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
