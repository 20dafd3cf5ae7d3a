import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { file, formHeaders, multipart } from '../lab/multipart-body.fixture.ts';
import { readDatabaseAddress } from './postgres/pg-address.ts';
import { PgDatabase } from './postgres/pg-database.ts';
import { useTeam } from './testing/team.fixture.ts';

const team = useTeam();

/** As PostgreSQL and a store answer when a disk is full. */
const full = {
  database: `CREATE FUNCTION be_full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER be_full BEFORE INSERT ON %TABLE FOR EACH STATEMENT EXECUTE FUNCTION be_full()`,
  store: { kind: 'refuse', status: 507, code: 'InsufficientStorage' },
} as const;

test('uploads to a full database or store get 507 without a record, and are stored when there is space', async () => {
  const place = await team.place();
  const [token, lab] = [await team.token(place), await team.lab(place)];
  const database = new PgDatabase(readDatabaseAddress(place.database, {}));
  onTestFinished(() => database.close());
  const send = async (name: string): Promise<[number, unknown]> => {
    const init = { method: 'POST', headers: formHeaders, body: multipart(file(name, randomBytes(500))) };
    const reply = await lab.ask(token, 'uploadfiles', {}, init);
    return [reply.status, await reply.json()];
  };
  const refused = [507, { error: { code: 'disk-full', message: 'The disk of the lab is full.' } }];
  await database.execute(full.database.replace('%TABLE', 'sample'));
  expect(await send('to a full database')).toEqual(refused);
  await database.execute('DROP TRIGGER be_full ON sample');
  team.s3().proxy.fault(/^PUT /, full.store);
  expect(await send('to a full store')).toEqual(refused);
  expect(await send('stored')).toMatchObject([200, { files: [{ size: 500 }] }]);
  const names = await database.query({ text: 'SELECT name FROM sample', row: z.object({ name: z.string() }) });
  expect(names).toEqual([{ name: 'stored' }]);
});

test('check reports a full database in a sentence, and still tries the bucket', async () => {
  const place = await team.place();
  const database = new PgDatabase(readDatabaseAddress(place.database, {}));
  onTestFinished(() => database.close());
  await database.execute(full.database.replace('%TABLE', 'fact'));
  const { code, results } = await team.command(place, 'check');
  expect([code, results.split('\n').length]).toEqual([1, 12]);
  expect(results).toMatch(/^fails\t[^\t]*: a row written, read and removed\tThe disk is full\. [^\n]+\.$/m);
});
