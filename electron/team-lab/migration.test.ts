import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { file, formHeaders, multipart } from '../lab/multipart-body.fixture.ts';
import { ended } from '../lab/running-lab.fixture.ts';
import { readDatabaseAddress } from './postgres/pg-address.ts';
import { PgDatabase } from './postgres/pg-database.ts';
import { labSteps, migrate, requireSchema, type SchemaStep } from './postgres/pg-schema.ts';
import { addresses, start, type TeamLab, type TeamPlace, useTeam } from './testing/team.fixture.ts';

const team = useTeam();
const uploaded = z.object({ files: z.array(z.object({ md5: z.string(), error: z.string().optional() })) });
/** A process, on a machine that is busy with other tests. */
const startsWithinMs = 40_000;
const count = z.object({ count: z.number() });

function open({ database: address }: TeamPlace): PgDatabase {
  const database = new PgDatabase(readDatabaseAddress(address, {}), { statementTimeoutMs: null });
  onTestFinished(() => database.close());
  return database;
}

async function rowsIn(database: PgDatabase, what: string): Promise<number> {
  const [found] = await database.query({ text: `SELECT count(*) AS count FROM ${what}`, row: count });
  return found?.count ?? -1;
}

/** What the next release adds; `oldestUser` as a step has it. */
const nextSteps = (oldestUser: number): readonly SchemaStep[] => [
  ...labSteps,
  {
    oldestUser,
    text: `ALTER TABLE sample ADD COLUMN next text NOT NULL DEFAULT 'x', ADD COLUMN next_name text
             GENERATED ALWAYS AS (lower(name)) STORED;
           CREATE INDEX sample_by_next ON sample (next_name);
           CREATE TABLE next_release (n int);
           INSERT INTO next_release VALUES (1);`,
  },
];

/** Uploads one file after the other until it is ended. @returns the MD5s of those that were added */
function uploading(lab: TeamLab, token: string): { count: () => number; end: () => Promise<string[]> } {
  const added: string[] = [];
  let isEnding = false;
  const run = async (): Promise<void> => {
    while (!isEnding) {
      const init = { method: 'POST', headers: formHeaders, body: multipart(file('a', randomBytes(200))) };
      const reply = await lab.ask(token, 'uploadfiles', {}, init);
      expect(reply.status).toBe(200);
      const [one] = uploaded.parse(await reply.json()).files;
      expect(one?.error).toBeUndefined();
      added.push(one?.md5 ?? '');
    }
  };
  const running = Promise.all([run(), run(), run()]);
  return {
    count: () => added.length,
    end: async () => {
      isEnding = true;
      await running;
      return added;
    },
  };
}

test(
  'labs of a release serve while the next release migrates and afterwards, and lose nothing',
  { tags: ['long'], timeout: 150_000 },
  async () => {
    const place = await team.place();
    const [token, running] = [await team.token(place), await team.lab(place)];
    const database = open(place);
    const uploads = uploading(running, token);
    await expect.poll(uploads.count).toBeGreaterThan(5);
    await migrate(database, nextSteps(1));
    const before = uploads.count();
    await expect.poll(uploads.count).toBeGreaterThan(before + 5);
    const later = await team.lab(place);
    const added = await uploads.end();
    expect(new Set(added).size).toBe(added.length);
    for (const hash of added.slice(-5))
      expect((await later.ask(token, 'downloadfile', { file: hash })).status).toBe(200);
    expect(await rowsIn(database, 'sample WHERE next_name = lower(name)')).toBe(added.length);
    expect(await team.command(place, 'verify')).toMatchObject({
      code: 0,
      remarks: expect.stringContaining(`Verified: ${added.length}. Damaged: 0. Without a record: 0.`),
    });
  },
);

test('a lab of a release that can no longer use the tables is refused at its start, in one line', async () => {
  const place = await team.place();
  const next = labSteps.length + 1;
  await migrate(open(place), nextSteps(next));
  const { code, results, remarks } = await team.command(place, 'serve', '--listen', '127.0.0.1:0');
  expect([code, results]).toEqual([1, '']);
  expect(remarks).toMatch(/^[^\n]*newer[^\n]*\n$/);
});

test('of two that migrate at once one applies each step, and the other waits for it', async () => {
  const place = await team.place();
  const [one, other] = [open(place), open(place)];
  await Promise.all([one, other, one, other].map((database) => migrate(database, nextSteps(1))));
  expect(await rowsIn(one, 'next_release')).toBe(1);
  await requireSchema(other, nextSteps(1));
});

test.for([
  ['the second step', 'hit', 1],
  ['the third step', 'publication', 2],
] as const)(
  'a migration that is killed in %s leaves the step before, and the next one completes it',
  { tags: ['long'] },
  async (given) => {
    const [, table, version] = given;
    const place = { ...(await team.place()), database: await team.postgres.emptyDatabase() };
    const [database, other] = [open(place), open(place)];
    await migrate(database, labSteps.slice(0, version));
    const migrating = start(['migrate', ...addresses(place)]);
    await other.transaction(async (queries) => {
      // The step waits for it, with all before it done.
      await queries.execute(
        `SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`,
      );
      const waiting = `pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
      await expect.poll(() => rowsIn(database, waiting), { interval: 20, timeout: startsWithinMs }).toBe(1);
      await ended(migrating, () => migrating.kill('SIGKILL'));
    });
    expect(migrating.signalCode).toBe('SIGKILL');
    const refused = new RegExp(`has schema version ${version}, and this release needs`);
    await expect.poll(() => rowsIn(database, `pg_locks WHERE locktype = 'advisory'`)).toBe(0);
    await expect(requireSchema(database)).rejects.toThrow(refused);
    expect(await team.command(place, 'migrate')).toMatchObject({ code: 0 });
    await requireSchema(database);
  },
);
