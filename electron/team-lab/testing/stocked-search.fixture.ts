import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../../shared/domain/sample.ts';
import { readSample } from '../../api/replies/sample-reply.ts';
import { sampleReply } from '../../lab/repository-service.ts';
import type { StoredSample } from '../../lab/stores/metadata-store.ts';
import { LibraryStore } from '../../storage/library/library-store.ts';
import type { TestDatabase } from '../../storage/testing/database.fixture.ts';
import type { PgDatabase } from '../postgres/pg-database.ts';

/** A sample of a lab with what it is found by. */
export interface SearchedSample extends Omit<StoredSample, 'hashes'> {
  comments: string[];
  /** That hit it. */
  rules: string[];
}

export const hashesOfNumber = (number: number): StoredSample['hashes'] => {
  const digest = (algorithm: string): string => createHash(algorithm).update(String(number)).digest('hex');
  return { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
};

export const plainSample = (facts: Partial<SearchedSample> = {}): SearchedSample => ({
  name: 'a.exe',
  sizeBytes: 3,
  mime: null,
  threat: null,
  criticity: 3,
  tags: [],
  uploader: 'ana',
  uploaded: '2026-01-01T00:00:00Z',
  restricted: false,
  virusTotal: false,
  sandbox: false,
  comments: [],
  rules: [],
  ...facts,
});

const nothing = z.object({});

const samplesAStep = 1_000;

/** Adds samples by SQL, their hashes made from their numbers, the first of which is given. */
export async function addToPostgres(
  database: PgDatabase,
  samples: readonly SearchedSample[],
  firstNumber = 1,
): Promise<void> {
  for (let from = 0; from < samples.length; from += samplesAStep)
    await addStep(database, samples.slice(from, from + samplesAStep), firstNumber + from);
}

async function addStep(database: PgDatabase, samples: readonly SearchedSample[], firstNumber: number): Promise<void> {
  const rows = samples.map(({ sizeBytes: size, virusTotal: virus_total, ...facts }, index) => ({
    ...facts,
    ...hashesOfNumber(firstNumber + index),
    position: index,
    size,
    virus_total,
  }));
  await database.query(
    {
      text: `WITH given AS MATERIALIZED (
          SELECT *, decode(sha256, 'hex') AS sha FROM json_to_recordset($1::json) AS row (position int, sha256 text,
            md5 text, sha1 text, size bigint, name text, mime text, threat text, criticity smallint, uploader text,
            uploaded timestamptz, restricted boolean, virus_total boolean, sandbox boolean, tags text[],
            comments text[], rules text[])
        ), placed AS (
          INSERT INTO blob (sha256, place, size) SELECT sha, sha256, size FROM given
        ), added AS (
          INSERT INTO sample (sha256, md5, sha1, size, name, mime, threat, criticity, uploader, uploaded, restricted,
            virus_total, sandbox, tags)
          SELECT sha, decode(md5, 'hex'), decode(sha1, 'hex'), size, name, mime, threat, criticity, uploader, uploaded,
            restricted, virus_total, sandbox, tags FROM given ORDER BY position RETURNING id, sha256
        ), commented AS (
          INSERT INTO comment (sample_id, author, content, created)
          SELECT added.id, 'ana', content, uploaded
          FROM added JOIN given ON sha = added.sha256, unnest(comments) AS content
        )
        INSERT INTO hit (sample_id, publication, rule)
        SELECT added.id, (SELECT number FROM publication LIMIT 1), rule
        FROM added JOIN given ON sha = added.sha256, unnest(rules) AS rule`,
      row: nothing,
    },
    [JSON.stringify(rows)],
  );
}

/** A publication for hits to be of. */
export const addPublication = (database: PgDatabase): Promise<void> =>
  database.execute(`INSERT INTO blob (sha256, place, size) VALUES (sha256('rules'), 'rules', 1);
    INSERT INTO publication (id, version, release_group, published, sha256, files, rules)
    VALUES ('p', '1', 'Release', now(), sha256('rules'), 1, 1)`);

export const emptyPostgres = (database: PgDatabase): Promise<void> =>
  database.execute(
    'DELETE FROM hit; DELETE FROM hit_rule; DELETE FROM comment; DELETE FROM sample; ' +
      "DELETE FROM blob WHERE place <> 'rules'",
  );

/**
 * Puts the same samples into a library as Vitrine has them once it has read their records from the lab: by the reply to
 * `getfile`. A sample was seen there when it was uploaded; hits have no other writer than a scan, and come by SQL.
 */
export function addToLibrary({ db, journal }: TestDatabase, samples: readonly SearchedSample[]): void {
  const library = new LibraryStore(db, journal);
  for (const [index, sample] of samples.entries()) {
    const hashes = hashesOfNumber(index + 1);
    const comments = sample.comments.map((content, at) => ({
      id: at + 1,
      parent: null,
      content,
      author: 'ana',
      created: sample.uploaded,
    }));
    const reply = z
      .custom<Json>(() => true)
      .parse(JSON.parse(JSON.stringify({ file: sampleReply({ ...sample, hashes }, comments) })));
    const record = readSample(reply);
    if (typeof record === 'string') throw new TypeError(`a record is ${record}`);
    library.noteRecord({ workspaceId: 'lab', md5: hashes.md5, record });
    const seen = new Date(sample.uploaded).toISOString();
    db.sql
      .prepare('UPDATE sample SET first_seen = ?, last_seen = ?, hits = ? WHERE md5 = ?')
      .run(seen, seen, new Set(sample.rules).size, hashes.md5);
    for (const rule of sample.rules) addHit(db.sql, hashes.sha256, rule);
  }
}

function addHit(sql: TestDatabase['db']['sql'], sha256: string, rule: string): void {
  sql.prepare("INSERT OR IGNORE INTO hit_sample (workspace_id, sha256) VALUES ('lab', ?)").run(sha256);
  sql.prepare("INSERT OR IGNORE INTO hit_rule (workspace_id, rule) VALUES ('lab', ?)").run(rule);
  sql
    .prepare(
      `INSERT OR IGNORE INTO sample_hit SELECT hit_sample.id, 'local', hit_rule.id, NULL, '', '', 1, 1, 1
        FROM hit_sample, hit_rule WHERE sha256 = ? AND rule = ?`,
    )
    .run(sha256, rule);
}

export const emptyLibrary = ({ db }: TestDatabase): void =>
  db.sql.exec(`BEGIN; DELETE FROM sample; DELETE FROM record; DELETE FROM comment; DELETE FROM sample_hit;
    DELETE FROM hit_sample; DELETE FROM hit_rule; DELETE FROM comment_text; DELETE FROM sample_text;
    DELETE FROM sample_value; DELETE FROM known_value; COMMIT`);
