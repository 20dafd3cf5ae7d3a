import { z } from 'zod';
import { hashes, md5, sha256 } from '../../../shared/domain/hash.ts';
import { labPublication, labRight } from '../../../shared/domain/lab.ts';
import {
  type AddedComment,
  type AddOutcome,
  byPosition,
  idTaken,
  listed,
  type MetadataStore,
  type NewLink,
  type NewSample,
  type PublicationLink,
  revokedFact,
  type Stock,
  type StoredBlob,
  type StoredComment,
  type StoredFile,
  type StoredPublication,
  type StoredRecord,
  type StoredSample,
  type StoredToken,
} from '../../lab/stores/metadata-store.ts';
import { type PgDatabase, type Statement, storable, storableTag } from './pg-database.ts';
import { requireSchema } from './pg-schema.ts';

/**
 * The metadata in a PostgreSQL database that several labs share. Fails as PgDatabase and `requireSchema` do; closing it
 * closes the database.
 */
export async function openPgMetadata(database: PgDatabase): Promise<MetadataStore> {
  await requireSchema(database);
  return new PgMetadataStore(database);
}

const statement = <Row extends z.ZodType>(name: string, text: string, row: Row): Required<Statement<Row>> => ({
  name,
  text,
  row,
});

/** UTC, ISO 8601, with milliseconds only where there are some. In JSON it is text with the offset of the session. */
const time = z
  .union([z.date(), z.iso.datetime({ offset: true })])
  .transform((at) => new Date(at).toISOString().replace('.000Z', 'Z'));
const nothing = z.object({});
const numbered = z.object({ id: z.number() });
const blobRow = z
  .object({ sha256, size: z.number(), place: z.string() })
  .transform(({ size: sizeBytes, ...blob }): StoredBlob => ({ ...blob, sizeBytes }));

const comments = z.array(
  z
    .tuple([z.number(), z.number().nullable(), z.string(), z.string(), time])
    .transform(([id, parent, author, content, created]): StoredComment => ({ id, parent, author, content, created })),
);
const recordColumns = `encode(sha256, 'hex') AS sha256, encode(md5, 'hex') AS md5, encode(sha1, 'hex') AS sha1,
  sample.size, name, mime, threat, criticity, uploader, uploaded, restricted, virus_total, sandbox, tags,
  (SELECT coalesce(json_agg(json_build_array(id, parent, author, content, created) ORDER BY id), '[]')
     FROM comment WHERE sample_id = sample.id) AS comments`;
/** A sample's columns, its hashes in hex. */
export const sampleColumns = hashes.extend({
  size: z.number(),
  name: z.string(),
  mime: z.string().nullable(),
  threat: z.string().nullable(),
  criticity: z.literal([1, 2, 3]),
  uploader: z.string(),
  uploaded: time,
  restricted: z.boolean(),
  virus_total: z.boolean(),
  sandbox: z.boolean(),
  tags: z.array(z.string()),
});
const recordRow = sampleColumns.extend({ comments });
/** What `getfile` asks for; `npm run bench` has pgbench ask the same. */
export const recordByMd5 = statement('record', `SELECT ${recordColumns} FROM sample WHERE md5 = $1`, recordRow);
const recordsBySha256 = statement(
  'records',
  `SELECT ${recordColumns}, place FROM sample JOIN blob USING (sha256) WHERE sha256 = ANY ($1::bytea[])`,
  recordRow.extend({ place: z.string() }),
);
const filesByMd5 = statement(
  'files',
  `SELECT encode(md5, 'hex') AS md5, encode(sha256, 'hex') AS sha256, sample.size, place, restricted
   FROM sample JOIN blob USING (sha256) WHERE md5 = ANY ($1::bytea[])`,
  z
    .object({ md5, sha256, size: z.number(), place: z.string(), restricted: z.boolean() })
    .transform(({ size: sizeBytes, ...file }): StoredFile => ({ ...file, sizeBytes })),
);

/**
 * All of it in one statement: it is one transaction and one round trip, however many samples there are. Rows are
 * written in the order of their SHA-256, so that two lists with the same samples wait for each other one way only. A
 * blob has a row once a sample has: the foreign keys are checked at the end of the statement. Where the same bytes are
 * there as a publication, their place stays. Comments name their text by its number: an upload of many files repeats
 * one.
 */
const addSamples = statement(
  'add-samples',
  `WITH given AS MATERIALIZED (
     SELECT decode(sha256, 'hex') AS sha256, decode(md5, 'hex') AS md5, decode(sha1, 'hex') AS sha1, size, place, name,
       mime, threat, criticity, uploader, uploaded, restricted, virus_total, sandbox, tags
     FROM json_to_recordset($1::json) AS row (sha256 text, md5 text, sha1 text, size bigint, place text, name text,
       mime text, threat text, criticity smallint, uploader text, uploaded timestamptz, restricted boolean,
       virus_total boolean, sandbox boolean, tags text[])
   ), added AS (
     INSERT INTO sample (sha256, md5, sha1, size, name, mime, threat, criticity, uploader, uploaded, restricted,
       virus_total, sandbox, tags)
     SELECT sha256, md5, sha1, size, name, mime, threat, criticity, uploader, uploaded, restricted, virus_total,
       sandbox, tags FROM given ORDER BY sha256
     ON CONFLICT DO NOTHING RETURNING id, sha256
   ), placed AS (
     INSERT INTO blob (sha256, place, size) SELECT sha256, place, size FROM given JOIN added USING (sha256)
     ORDER BY sha256 ON CONFLICT (sha256) DO NOTHING
   ), thread AS MATERIALIZED (
     SELECT *, nextval((SELECT pg_get_serial_sequence('comment', 'id'))::regclass) AS id FROM (
       SELECT * FROM json_to_recordset($2::json) AS row (position int, parent int, sha256 text, author text,
         said int, created timestamptz) ORDER BY position
     ) AS in_order
   ), commented AS (
     INSERT INTO comment (id, sample_id, parent, author, content, created) OVERRIDING SYSTEM VALUE
     SELECT thread.id, added.id, above.id, thread.author, texts.content, thread.created
     FROM thread JOIN added ON added.sha256 = decode(thread.sha256, 'hex')
     JOIN unnest($3::text[]) WITH ORDINALITY AS texts (content, number) ON texts.number = thread.said
     LEFT JOIN thread AS above ON above.position = thread.parent
   )
   SELECT encode(sha256, 'hex') AS sha256 FROM added`,
  z.object({ sha256 }),
);
const knownSamples = statement(
  'known-samples',
  `SELECT encode(sha256, 'hex') AS sha256 FROM sample WHERE sha256 = ANY ($1::bytea[])`,
  z.object({ sha256 }),
);
const addComment = statement(
  'add-comment',
  `INSERT INTO comment (sample_id, parent, author, content, created)
   SELECT id, $2::bigint, $3, $4, $5 FROM sample WHERE sha256 = $1
     AND ($2::bigint IS NULL OR EXISTS (SELECT FROM comment WHERE id = $2::bigint AND sample_id = sample.id))
   RETURNING id`,
  numbered,
);

const publicationColumns = `publication.id, version, release_group AS "group", published,
  encode(blob.sha256, 'hex') AS sha256, size AS "sizeBytes", place, files, rules`;
const publicationRow = labPublication.extend({
  published: time,
  sha256,
  sizeBytes: z.number(),
  place: z.string(),
});
const selectPublications = `SELECT ${publicationColumns} FROM publication JOIN blob USING (sha256)`;
// By the order in which they were added, whatever the clock said.
const publications = statement('publications', `${selectPublications} ORDER BY number DESC`, publicationRow);
const currentPublication = statement(
  'current-publication',
  `${selectPublications} ORDER BY release_group = 'Release' DESC, number DESC LIMIT 1`,
  publicationRow,
);
const publicationByVersion = statement(
  'publication-version',
  `${selectPublications} WHERE version = $1`,
  publicationRow,
);
const publicationById = statement('publication', `${selectPublications} WHERE publication.id = $1`, publicationRow);
const addPublication = statement(
  'add-publication',
  `WITH added AS (
     INSERT INTO publication (id, version, release_group, published, sha256, files, rules)
     VALUES ($1, $2, $3, $4, $5::bytea, $6, $7) ON CONFLICT DO NOTHING RETURNING sha256
   ), placed AS (
     INSERT INTO blob (sha256, place, size) SELECT sha256, $8, $9::bigint FROM added ON CONFLICT (sha256) DO NOTHING
   )
   SELECT FROM added`,
  nothing,
);

/** Two that remove the same expired links pass over each other's, rather than wait for each other. */
const addLink = statement(
  'add-link',
  `WITH expired AS (
     DELETE FROM link WHERE path_digest IN (
       SELECT path_digest FROM link WHERE ends <= now() FOR UPDATE SKIP LOCKED)
   )
   INSERT INTO link (path_digest, publication, is_public, is_encrypted, ends)
   VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
  nothing,
);
// By the clock of the database: those of several labs differ.
const linkByDigest = statement(
  'link',
  `SELECT ${publicationColumns}, is_public, is_encrypted
   FROM link JOIN publication ON publication.id = link.publication JOIN blob USING (sha256)
   WHERE path_digest = $1 AND ends > now()`,
  publicationRow
    .extend({ is_public: z.boolean(), is_encrypted: z.boolean() })
    .transform(({ is_public: isPublic, is_encrypted: isEncrypted, ...publication }): PublicationLink => ({
      publication,
      isPublic,
      isEncrypted,
    })),
);

const unknownPlaces = statement(
  'unknown-places',
  `SELECT given.place FROM unnest($1::text[]) WITH ORDINALITY AS given (place, position)
   WHERE NOT EXISTS (SELECT FROM blob WHERE blob.place = given.place) ORDER BY position`,
  z.object({ place: z.string() }),
);
const blobsAfter = statement(
  'blobs-after',
  `SELECT encode(sha256, 'hex') AS sha256, size, place FROM blob WHERE blob.sha256 > $1 ORDER BY blob.sha256 LIMIT $2`,
  blobRow,
);

const factOf: Readonly<Record<Stock, string>> = { 'sample-files': 'stocked', 'starter-rules': 'stocked-rules' };
const fact = statement('fact', 'SELECT value FROM fact WHERE name = $1', z.object({ value: z.number() }));
const recordFact = statement(
  'record-fact',
  'INSERT INTO fact (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  nothing,
);

const selectTokens = `SELECT id, name, encode(digest, 'hex') AS sha256, rights, created, last_used::text AS "lastUsed"
  FROM token`;
const tokenRow = z.object({
  id: z.number(),
  name: z.string(),
  sha256,
  created: time,
  lastUsed: z.string().nullable(),
  // A right this release does not know opens nothing.
  rights: z.array(z.string()).transform((names) => names.flatMap((name) => labRight.safeParse(name).data ?? [])),
});
const tokens = statement('tokens', `${selectTokens} ORDER BY id`, tokenRow);
const tokenByDigest = statement('token', `${selectTokens} WHERE digest = $1`, tokenRow);
const addToken = statement(
  'add-token',
  'INSERT INTO token (name, digest, rights, created) VALUES ($1, $2, $3, $4) RETURNING id',
  numbered,
);
const noteTokenUse = statement('note-token-use', 'UPDATE token SET last_used = $2 WHERE id = $1', nothing);
const removeToken = statement(
  'remove-token',
  `WITH removed AS (DELETE FROM token WHERE id = $1 RETURNING id, digest), noted AS (
     INSERT INTO fact (name, value)
     SELECT '${revokedFact('')}' || encode(digest, 'hex'), extract(epoch FROM now())::bigint FROM removed
     ON CONFLICT DO NOTHING
   )
   SELECT id FROM removed`,
  numbered,
);

function recordOf({ md5: ownMd5, sha1, sha256: ownSha256, size: sizeBytes, ...row }: z.output<typeof recordRow>): {
  sample: StoredSample;
  comments: StoredComment[];
} {
  const { comments: ownComments, virus_total: virusTotal, ...facts } = row;
  const sample = { ...facts, virusTotal, sizeBytes, hashes: { md5: ownMd5, sha1, sha256: ownSha256 } };
  return { sample, comments: ownComments };
}

class PgMetadataStore implements MetadataStore {
  readonly #database: PgDatabase;

  constructor(database: PgDatabase) {
    this.#database = database;
  }

  async recordByMd5(wanted: string): Promise<{ sample: StoredSample; comments: StoredComment[] } | null> {
    const [found] = await this.#database.query(recordByMd5, [bytes(wanted)]);
    if (found === undefined) return null;
    return recordOf(found);
  }

  async recordsBySha256(sha256s: readonly string[]): Promise<(StoredRecord | null)[]> {
    if (sha256s.length === 0) return [];
    const rows = await this.#database.query(recordsBySha256, [sha256s.map(bytes)]);
    const found = new Map(rows.map(({ place, ...row }) => [row.sha256, { place, ...recordOf(row) }]));
    return sha256s.map((wanted) => {
      const one = found.get(wanted);
      if (one === undefined) return null;
      return { sample: { ...one.sample, place: one.place }, comments: byPosition(one.comments) };
    });
  }

  async filesByMd5(md5s: readonly string[]): Promise<(StoredFile | null)[]> {
    if (md5s.length === 0) return [];
    const found = await this.#database.query(filesByMd5, [md5s.map(bytes)]);
    const files = new Map(found.map((file) => [file.md5, file]));
    return md5s.map((wanted) => files.get(wanted) ?? null);
  }

  async addSamples(samples: readonly NewSample[]): Promise<AddOutcome[]> {
    return this.addRecords(samples.map(({ sample, comments: threads }) => ({ sample, comments: listed(threads) })));
  }

  async addRecords(samples: readonly StoredRecord[]): Promise<AddOutcome[]> {
    if (samples.length === 0) return [];
    // Of several in the list that cannot all be there, the first is meant.
    const firsts = new Map<string, StoredRecord>();
    for (const one of samples) if (!firsts.has(one.sample.hashes.md5)) firsts.set(one.sample.hashes.md5, one);
    const candidates = [...firsts.values()];
    const { rows, texts } = commentFields(candidates);
    const inserted = await this.#database.query(addSamples, [json(candidates.map(sampleFields)), json(rows), texts]);
    const added = new Set(inserted.map((row) => row.sha256));
    const isAdded = ({ sample: { hashes: own } }: StoredRecord): boolean => added.has(own.sha256);
    const others = new Set(samples.filter((one) => firsts.get(one.sample.hashes.md5) !== one || !isAdded(one)));
    const known = await this.#knownAmong([...others]);
    return samples.map((one) => {
      if (!others.has(one)) return 'added';
      return known.has(one.sample.hashes.sha256) ? 'already-here' : 'md5-taken';
    });
  }

  async addComment(ofSample: string, { parent, author, content, created }: AddedComment): Promise<number | null> {
    if (parent !== null && !Number.isSafeInteger(parent)) return null;
    const [added] = await this.#database.query(addComment, [bytes(ofSample), parent, author, content, created]);
    if (added === undefined && parent === null) throw new TypeError(`there is no sample ${ofSample}`);
    return added?.id ?? null;
  }

  async publications(): Promise<StoredPublication[]> {
    return this.#database.query(publications);
  }

  async currentPublication(): Promise<StoredPublication | null> {
    const [current] = await this.#database.query(currentPublication);
    return current ?? null;
  }

  async publication(id: string): Promise<StoredPublication | null> {
    const [found] = await this.#database.query(publicationById, [id]);
    return found ?? null;
  }

  async addPublication(publication: StoredPublication): Promise<'added' | 'version-taken'> {
    const { id, version, group, published, sha256: ofPackage, files, rules, place, sizeBytes } = publication;
    const values = [id, version, group, published, bytes(ofPackage), files, rules, place, sizeBytes];
    const added = await this.#database.query(addPublication, values);
    if (added.length === 1) return 'added';
    return (await this.#database.query(publicationByVersion, [version])).length === 1 ? 'version-taken' : idTaken(id);
  }

  async addLink({ digest, publication, isPublic, isEncrypted, seconds }: NewLink): Promise<void> {
    await this.#database.query(addLink, [bytes(digest), publication, isPublic, isEncrypted, seconds]);
  }

  async linkAt(digest: string): Promise<PublicationLink | null> {
    const [found] = await this.#database.query(linkByDigest, [bytes(digest)]);
    return found ?? null;
  }

  async unknownAmong(places: readonly string[]): Promise<string[]> {
    const unknown = await this.#database.query(unknownPlaces, [places]);
    return unknown.map(({ place }) => place);
  }

  async blobsAfter(after: string | null, most: number): Promise<StoredBlob[]> {
    return this.#database.query(blobsAfter, [bytes(after ?? ''), most]);
  }

  async stockedRelease(of: Stock): Promise<number> {
    const [found] = await this.#database.query(fact, [factOf[of]]);
    return found?.value ?? 0;
  }

  async recordStocked(of: Stock, release: number): Promise<void> {
    await this.#database.query(recordFact, [factOf[of], release]);
  }

  async tokens(): Promise<StoredToken[]> {
    return this.#database.query(tokens);
  }

  async tokenByDigest(digest: string): Promise<StoredToken | null> {
    const [found] = await this.#database.query(tokenByDigest, [bytes(digest)]);
    return found ?? null;
  }

  async addToken(token: Omit<StoredToken, 'id' | 'lastUsed'>): Promise<StoredToken> {
    const { name, sha256: digest, rights, created } = token;
    const [added] = await this.#database.query(addToken, [name, bytes(digest), rights, created]);
    if (added === undefined) throw new TypeError('an added token has no number');
    return { ...token, id: added.id, lastUsed: null };
  }

  async noteTokenUse(id: number, day: string): Promise<void> {
    await this.#database.query(noteTokenUse, [id, day]);
  }

  async removeToken(id: number): Promise<boolean> {
    if (!Number.isSafeInteger(id)) return false;
    return (await this.#database.query(removeToken, [id])).length === 1;
  }

  async isRevoked(digest: string): Promise<boolean> {
    return (await this.#database.query(fact, [revokedFact(digest)])).length === 1;
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  /** Samples are never removed: what was there at a conflict is there afterwards. */
  async #knownAmong(samples: readonly StoredRecord[]): Promise<ReadonlySet<string>> {
    if (samples.length === 0) return new Set();
    const known = await this.#database.query(knownSamples, [samples.map(({ sample }) => bytes(sample.hashes.sha256))]);
    return new Set(known.map((row) => row.sha256));
  }
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** `storable` goes through each text by itself: in JSON, what it replaces is written with escapes. */
const json = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'string' ? storable(value) : value));

/** As the columns are named. */
function sampleFields({ sample }: StoredRecord): object {
  const { hashes: own, sizeBytes: size, virusTotal: virus_total, ...facts } = sample;
  return { ...facts, ...own, size, virus_total, tags: facts.tags.map(storableTag) };
}

/** All comments of all samples, each behind the one it answers, whose position it names; and their different texts. */
function commentFields(records: readonly StoredRecord[]): { rows: object[]; texts: string[] } {
  const rows: object[] = [];
  const numbers = new Map<string, number>();
  for (const { sample, comments: list } of records) {
    const first = rows.length;
    for (const { parent, author, content, created } of list) {
      const said = numbers.get(content) ?? numbers.size + 1;
      numbers.set(content, said);
      rows.push({
        position: rows.length,
        parent: parent === null ? null : first + parent,
        sha256: sample.hashes.sha256,
        author,
        said,
        created,
      });
    }
  }
  return { rows, texts: [...numbers.keys()] };
}
