import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { readDatabaseAddress } from './pg-address.ts';
import { PgDatabase } from './pg-database.ts';
import { labSteps, migrate, requireSchema, type SchemaStep } from './pg-schema.ts';

const postgres = usePostgres();

function open(address: string): PgDatabase {
  const database = new PgDatabase(readDatabaseAddress(address, {}));
  onTestFinished(() => database.close());
  return database;
}

async function tablesOf(database: PgDatabase): Promise<string[]> {
  const rows = await database.query({
    text: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename',
    row: z.object({ name: z.string() }),
  });
  return rows.map(({ name }) => name);
}

const step = (table: string, oldestUser: number): SchemaStep => ({
  text: `CREATE TABLE ${table} (n int);`,
  oldestUser,
});
const [first, second] = [step('one', 1), step('two', 1)];
const dataNewer = (found: number, supported: number): unknown =>
  expect.objectContaining({ failure: expect.objectContaining({ kind: 'data-newer', found, supported }) });

test('a database without tables is refused until it is migrated', async () => {
  const database = open(await postgres.emptyDatabase());
  await expect(requireSchema(database)).rejects.toThrow(/Run "migrate" once/);
  await migrate(database);
  await requireSchema(database);
  expect(await tablesOf(database)).toEqual([
    'audit',
    'blob',
    'comment',
    'fact',
    'hit',
    'hit_rule',
    'lab_schema',
    'link',
    'publication',
    'sample',
    'scan_failure',
    'scan_piece',
    'scan_request',
    'scan_run',
    'scan_worker',
    'token',
  ]);
  await migrate(database);
  await requireSchema(database);
});

test('several processes migrate a database at once without an error', async () => {
  const address = await postgres.emptyDatabase();
  const databases = [open(address), open(address), open(address)];
  await Promise.all(databases.map((database) => migrate(database)));
  for (const database of databases) expect(await tablesOf(database)).toContain('sample');
});

test('the schema of an older release is refused and migrated by the steps it lacks', async () => {
  const database = open(await postgres.emptyDatabase());
  await migrate(database, [first]);
  await expect(requireSchema(database, [first, second])).rejects.toThrow(/has schema version 1, .* needs 2/);
  await migrate(database, [first, second]);
  await requireSchema(database, [first, second]);
  expect(await tablesOf(database)).toEqual(['lab_schema', 'one', 'two']);
});

test('the schema of a newer release is used while that release allows it, and refused afterwards', async () => {
  const database = open(await postgres.emptyDatabase());
  await migrate(database, [first, second]);
  await requireSchema(database, [first]);
  await migrate(database, [first]);
  await migrate(database, [first, second, step('three', 2)]);
  await requireSchema(database, [first, second]);
  await expect(requireSchema(database, [first])).rejects.toEqual(dataNewer(3, 1));
  await expect(migrate(database, [first])).rejects.toEqual(dataNewer(3, 1));
  expect(await tablesOf(database)).toEqual(['lab_schema', 'one', 'three', 'two']);
});

test('a step that fails leaves the database as it was', async () => {
  const database = open(await postgres.emptyDatabase());
  await migrate(database, [first]);
  const broken = { text: 'CREATE TABLE two (n int); SELECT no_such_function();', oldestUser: 1 };
  await expect(migrate(database, [first, broken])).rejects.toThrow(/no_such_function/);
  expect(await tablesOf(database)).toEqual(['lab_schema', 'one']);
  await requireSchema(database, [first]);
});

test('the tables lie in the schema that the search path names first', async () => {
  const address = await postgres.emptyDatabase();
  const inPublic = open(address);
  await inPublic.execute('CREATE SCHEMA team');
  await migrate(inPublic, [first]);
  const inTeam = open(`${address}&options=-c%20search_path%3Dteam,public`);
  await expect(requireSchema(inTeam)).rejects.toThrow(/has no tables of a lab yet/);
  await migrate(inTeam);
  await requireSchema(inTeam, labSteps);
  expect(await tablesOf(inPublic)).toEqual(['lab_schema', 'one']);
  await expect(migrate(open(`${address}&options=-c%20search_path%3Dabsent`))).rejects.toThrow(/Create it/);
});

test('a database of another encoding is refused, and nothing is made in it', async () => {
  const database = open(await postgres.emptyDatabase({ encoding: 'SQL_ASCII' }));
  for (const refused of [migrate, requireSchema])
    await expect(refused(database)).rejects.toThrow(
      /has the encoding SQL_ASCII, .* --template=template0 --encoding=UTF8 NAME\.$/,
    );
  expect(await tablesOf(database)).toEqual([]);
});
