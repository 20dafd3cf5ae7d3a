import { z } from 'zod';
import { fail } from '../../../shared/failure.ts';
import { searchSchema } from '../search/search-schema.ts';
import type { PgDatabase, Queries } from './pg-database.ts';
import { OperatorError } from '../../lab/errors.ts';

/** The database has no tables of a lab yet, or those of an older release. The message is for a person. */
export class SchemaOutdated extends OperatorError {
  override readonly name = 'SchemaOutdated';
}

export interface SchemaStep {
  text: string;
  /**
   * The oldest version whose programs can still use the database after this step. Steps add, and remove a release
   * later, so that labs of two releases run side by side while a team replaces one by the other.
   */
  oldestUser: number;
}

/** The n-th makes version n; a step that was released is never edited. Tables are made where the search path points. */
export const labSteps: readonly SchemaStep[] = [
  {
    oldestUser: 1,
    text: `
      CREATE TABLE blob (
        sha256 bytea PRIMARY KEY CHECK (octet_length(sha256) = 32), place text NOT NULL UNIQUE, size bigint NOT NULL,
        stored timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE sample (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sha256 bytea NOT NULL UNIQUE REFERENCES blob,
        md5 bytea NOT NULL UNIQUE, sha1 bytea NOT NULL, size bigint NOT NULL, name text NOT NULL, mime text,
        threat text, criticity smallint NOT NULL, uploader text NOT NULL, uploaded timestamptz NOT NULL,
        restricted boolean NOT NULL, virus_total boolean NOT NULL, sandbox boolean NOT NULL, tags text[] NOT NULL
      );
      CREATE TABLE comment (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sample_id bigint NOT NULL REFERENCES sample,
        parent bigint REFERENCES comment, author text NOT NULL, content text NOT NULL, created timestamptz NOT NULL
      );
      CREATE INDEX comment_of_sample ON comment (sample_id, id);
      CREATE TABLE publication (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, version text NOT NULL UNIQUE,
        release_group text NOT NULL, published timestamptz NOT NULL, sha256 bytea NOT NULL REFERENCES blob,
        files integer NOT NULL, rules integer NOT NULL
      );
      CREATE TABLE token (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, digest bytea NOT NULL UNIQUE,
        rights text[] NOT NULL, created timestamptz NOT NULL, last_used date
      );
      CREATE UNLOGGED TABLE link (
        path_digest bytea PRIMARY KEY, publication text NOT NULL, is_public boolean NOT NULL,
        is_encrypted boolean NOT NULL, ends timestamptz NOT NULL
      );
      CREATE TABLE fact (name text PRIMARY KEY, value bigint NOT NULL);
      CREATE TABLE hit (
        sample_id bigint NOT NULL REFERENCES sample, publication bigint NOT NULL REFERENCES publication,
        rule text NOT NULL, PRIMARY KEY (sample_id, publication, rule)
      );
      CREATE TABLE audit (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), who text NOT NULL,
        what text NOT NULL, about text, details jsonb
      );
      CREATE INDEX audit_at ON audit (at);`,
  },
  { oldestUser: 1, text: searchSchema },
  {
    oldestUser: 1,
    // A hunt is cut into pieces as it goes. What a piece has done is in its row alone, so that nothing counts twice.
    text: `
      CREATE TABLE scan_run (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, publication bigint NOT NULL REFERENCES publication,
        upto bigint NOT NULL, total bigint NOT NULL, cursor bigint NOT NULL DEFAULT 0,
        pieces integer NOT NULL DEFAULT 0,
        state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'cancelled')),
        created timestamptz NOT NULL DEFAULT now(), ended timestamptz
      );
      CREATE TABLE scan_piece (
        run bigint NOT NULL REFERENCES scan_run, number integer NOT NULL, reached bigint NOT NULL, upto bigint NOT NULL,
        is_done boolean NOT NULL DEFAULT false, scanned integer NOT NULL DEFAULT 0, failed integer NOT NULL DEFAULT 0,
        hits bigint NOT NULL DEFAULT 0, trying bigint, tries integer NOT NULL DEFAULT 0,
        left_out text[] NOT NULL DEFAULT '{}', PRIMARY KEY (run, number)
      );
      CREATE INDEX scan_piece_open ON scan_piece (run) WHERE NOT is_done;
      CREATE TABLE scan_failure (
        run bigint NOT NULL REFERENCES scan_run, sample_id bigint NOT NULL REFERENCES sample, reason text NOT NULL,
        PRIMARY KEY (run, sample_id)
      );
      CREATE UNLOGGED TABLE scan_worker (
        id text PRIMARY KEY, tracks integer NOT NULL, seen timestamptz NOT NULL
      );`,
  },
  {
    oldestUser: 1,
    // The state of a hunt that failed is 'cancelled', which the release before knows; its workers take no requests.
    // These live for minutes: a server that crashes forgets them, and they fail.
    text: `
      ALTER TABLE scan_run ADD COLUMN failure text;
      ALTER TABLE scan_worker ADD COLUMN takes_requests boolean NOT NULL DEFAULT false;
      CREATE UNLOGGED TABLE scan_request (
        id uuid PRIMARY KEY, publication text NOT NULL, name bytea NOT NULL, sha256 bytea NOT NULL,
        size bigint NOT NULL, place text NOT NULL, expires timestamptz NOT NULL, tries integer NOT NULL DEFAULT 0,
        code text, reply text
      );
      CREATE INDEX scan_request_open ON scan_request (expires) WHERE reply IS NULL;`,
  },
];

/** Any number that no other program of the same database takes for its own locks. */
const lockClass = 0x7669_7472;
const place = z.object({ schema: z.string().nullable(), has_version: z.boolean(), encoding: z.string() });
const version = z.object({ version: z.number(), oldest_user: z.number() });
type Version = z.output<typeof version>;

/**
 * Brings the database to this release's schema, step by step in one transaction; a second one at the same time waits
 * for the first. Steps can take longer than a statement may: open the database without that limit. A database of a
 * newer release stays as it is: it fails with `data-newer` where this release cannot use it. Fails with OperatorError
 * for another encoding than UTF-8: PostgreSQL has no letters there, or refuses most text.
 */
export async function migrate(database: PgDatabase, steps: readonly SchemaStep[] = labSteps): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.execute(`SELECT pg_advisory_xact_lock(${lockClass}, hashtext(coalesce(current_schema(), '')))`);
    const found = await versionIn(queries, database);
    if (found !== null && found.version > steps.length) return requireUsable(found, database, steps);
    const from = found?.version ?? 0;
    if (from === steps.length) return;
    if (found === null)
      await queries.execute('CREATE TABLE lab_schema (version integer NOT NULL, oldest_user integer NOT NULL)');
    for (const { text } of steps.slice(from)) await queries.execute(text);
    const oldestUser = Math.max(...steps.map((step) => step.oldestUser));
    await queries.execute('DELETE FROM lab_schema');
    await queries.execute(`INSERT INTO lab_schema VALUES (${steps.length}, ${oldestUser})`);
  });
}

/**
 * Fails with SchemaOutdated when `migrate` has not made this release's schema, and with `data-newer` when a newer
 * release has made one that this release cannot use.
 */
export async function requireSchema(database: PgDatabase, steps: readonly SchemaStep[] = labSteps): Promise<void> {
  const found = await versionIn(database, database);
  if (found === null)
    throw new SchemaOutdated(`The ${database.label} has no tables of a lab yet. Run "migrate" once to create them.`);
  if (found.version < steps.length)
    throw new SchemaOutdated(
      `The ${database.label} has schema version ${found.version}, and this release needs ${steps.length}. ` +
        'Run "migrate" with this release.',
    );
  requireUsable(found, database, steps);
}

function requireUsable(found: Version, { label }: PgDatabase, { length: supported }: readonly SchemaStep[]): void {
  if (found.version > supported && found.oldest_user > supported)
    fail({ kind: 'data-newer', path: label, found: found.version, supported });
}

/** Null: no lab has been here. Only the schema counts that the search path names first: others may hold other labs. */
async function versionIn(queries: Queries, { label }: PgDatabase): Promise<Version | null> {
  const [at] = await queries.query({
    text: `SELECT current_schema() AS schema,
             to_regclass(quote_ident(current_schema()) || '.lab_schema') IS NOT NULL AS has_version,
             current_setting('server_encoding') AS encoding`,
    row: place,
  });
  if (at !== undefined && at.encoding !== 'UTF8')
    throw new OperatorError(
      `The ${label} has the encoding ${at.encoding}, and the lab needs UTF-8. ` +
        'Create another: createdb --template=template0 --encoding=UTF8 NAME.',
    );
  if (at === undefined || at.schema === null)
    throw new SchemaOutdated(`The ${label} has no schema that its search path names. Create it.`);
  if (!at.has_version) return null;
  const [found] = await queries.query({ text: 'SELECT version, oldest_user FROM lab_schema', row: version });
  return found ?? null;
}
