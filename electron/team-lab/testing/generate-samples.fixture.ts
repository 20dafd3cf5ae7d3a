import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { PgDatabase } from '../postgres/pg-database.ts';

const indexRow = z.object({ name: z.string(), definition: z.string() });
const samplesAStep = 500;
/** As many as two labs would be at once. */
const atOnce = 2;

/** One of the words, chosen by a hash of the sample's number and a salt. */
const oneOf = (salt: string, ...words: readonly string[]): string =>
  `(ARRAY[${words.map((word) => `'${word}'`).join(', ')}])` +
  `[1 + (hashtext('${salt}' || n) & 2147483647) % ${words.length}]`;
/** From 0 to 1. */
const part = (salt: string): string => `((hashtext('${salt}' || n) & 2147483647) / 2147483648.0)`;

const kinds = ['invoice', 'scan', 'setup', 'update', 'report', 'payload', 'document', 'photo', 'loader', 'crack'];
const endings = ['.exe', '.dll', '.doc', '.pdf', '.js', '.zip', '.bin', '.elf'];
const mimes = ['application/octet-stream', 'application/x-dosexec', 'application/pdf', 'application/zip', 'text/plain'];
const threats = ['Trojan.Emotet', 'Ransom.Locky', 'Worm.Conficker', 'Backdoor.Gh0st', 'Trojan.Agent'];

/**
 * Samples as a team collects them, by their numbers: names of a few words, families of which few are common, 1 in 100
 * of `family:emotet`, a third with a system, sizes from 64 B to 1 MB, uploads over 900 days. Each fifth has a comment,
 * 1 in 5,000 of all one with "cobalt beacon"; each tenth was hit by one of 300 rules.
 *
 * A lab reads the clock when the bytes of an upload are stored, writes the rows a moment later, and changes no row of
 * a sample afterwards. So rows lie in the order of their times, but for what several labs write at once; the samples
 * of the last 90 days are side by side in the table, while every other fact is spread over all of it. Here, times rise
 * with the numbers, less up to a minute each, and two connections write steps of 500 samples. A lab that `move` has
 * filled is different: its rows lie in the order of their hashes.
 */
const step = `
  INSERT INTO blob (sha256, place, size)
    SELECT sha256(n::text::bytea), 'generated-' || n, 1 FROM generate_series($1::bigint, $2::bigint) AS n;
  INSERT INTO sample (sha256, md5, sha1, size, name, mime, threat, criticity, uploader, uploaded, restricted,
    virus_total, sandbox, tags)
    SELECT sha256(n::text::bytea), decode(md5(n::text), 'hex'), substring(sha256(('s' || n)::bytea) FOR 20),
      (exp(${part('size')} * 9.7) * 64)::bigint,
      ${oneOf('kind', ...kinds)} || '_' || substr(md5('n' || n), 1, 6) || ${oneOf('ending', ...endings)},
      ${oneOf('mime', ...mimes)},
      CASE WHEN ${part('threat')} < 0.4
        THEN ${oneOf('family', ...threats)} || '.' || substr(md5('t' || n % 5000), 1, 3) END,
      1 + n % 3, 'user' || n % 50, timestamptz '$4T00:00:00Z'
        - (1 - n / $3::float8) * interval '900 days' - ${part('time')} * interval '1 minute',
      ${part('restricted')} < 0.02, false, false,
      ARRAY['family:f' || floor(power(${part('tag')}, 3) * 3000)::int, 'source:s' || n % 40]
        || CASE WHEN ${part('emotet')} < 0.01 THEN ARRAY['family:emotet'] ELSE '{}' END
        || CASE WHEN ${part('system')} < 0.3 THEN ARRAY[${oneOf('os', 'os:win', 'os:linux', 'os:mac')}] ELSE '{}' END
    FROM generate_series($1::bigint, $2::bigint) AS n;
  INSERT INTO comment (sample_id, author, content, created)
    SELECT id, uploader, 'seen beaconing to ' || substr(encode(md5, 'hex'), 1, 8) || '.example over port ' || n % 65536
      || CASE WHEN n % 5000 = 0 THEN ' dropper of cobalt beacon' ELSE ' nothing else' END, uploaded
    FROM generate_series($1::bigint, $2::bigint) AS n JOIN sample ON sha256 = sha256(n::text::bytea) WHERE n % 5 = 0;
  INSERT INTO hit (sample_id, publication, rule)
    SELECT id, (SELECT max(number) FROM publication), 'rule_' || n / 10 % 300
    FROM generate_series($1::bigint, $2::bigint) AS n JOIN sample ON sha256 = sha256(n::text::bytea)
    WHERE n % 10 = 0 AND EXISTS (SELECT FROM publication);`;

/**
 * Fills a lab's database with so many samples; hits are of the newest publication, where there is one. As many always
 * are the same samples, with times up to today, since searches ask for the last days. The indexes of `sample` and
 * `comment` that are not of a constraint are made after the rows, which takes a tenth of the time. Open the database
 * without a limit of time.
 */
export async function generateSamples(database: PgDatabase, count: number): Promise<void> {
  const indexes = await database.query({
    text: `SELECT quote_ident(indexname) AS name, indexdef AS definition FROM pg_indexes
      WHERE schemaname = current_schema() AND tablename IN ('sample', 'comment')
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname) ORDER BY indexname`,
    row: indexRow,
  });
  for (const { name } of indexes) await database.execute(`DROP INDEX ${name}`);
  const today = currentInstant().slice(0, 10);
  await executeAll(database, stepsOf(count, today));
  await executeAll(
    database,
    indexes.map(({ definition }) => definition),
  );
  // Not within a transaction, and so each alone.
  for (const table of ['sample', 'comment', 'hit', 'blob']) await database.execute(`VACUUM ANALYZE ${table}`);
}

function* stepsOf(count: number, today: string): Generator<string> {
  for (let first = 1; first <= count; first += samplesAStep) {
    const values = [first, Math.min(count, first + samplesAStep - 1), count, today];
    yield step.replaceAll(/\$([1-4])/g, (_, place) => String(values[Number(place) - 1]));
  }
}

async function executeAll(database: PgDatabase, statements: Iterable<string>): Promise<void> {
  const queue = statements[Symbol.iterator]();
  const executeEach = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await database.execute(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, executeEach));
}
