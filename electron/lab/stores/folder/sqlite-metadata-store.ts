import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { hashes } from '../../../../shared/domain/hash.ts';
import { labPublication, labRight } from '../../../../shared/domain/lab.ts';
import { fail } from '../../../../shared/failure.ts';
import { Mutex } from '../../../../shared/mutex.ts';
import { overSqlite } from '../../../storage/database/sqlite-error.ts';
import { atOnce } from '../../../storage/database/statement.ts';
import { makePrivateFile } from '../../../storage/directory/private-files.ts';
import { migrate, versionOf } from '../../../storage/migrations/migrations.ts';
import {
  type AddedComment,
  type AddOutcome,
  byPosition,
  idTaken,
  listed,
  type ListedComment,
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
} from '../metadata-store.ts';

const publicationRow = labPublication
  .omit({ group: true })
  .extend({ release_group: labPublication.shape.group, sha256: z.string(), size: z.number() });
const columns = 'id, version, release_group, published, sha256, size, files, rules';

/** Bytes are found by their SHA-256 alone: it is their place. */
function readPublication(row: unknown): StoredPublication {
  const { release_group: group, size: sizeBytes, ...publication } = publicationRow.parse(row);
  return { ...publication, group, sizeBytes, place: publication.sha256 };
}

/** The file in the data directory. */
export const labDatabaseName = 'lab.db';
const busyTimeoutMs = 5_000;

const flag = z.number().transform((value) => value !== 0);
const sampleRow = hashes.extend({
  size: z.number(),
  name: z.string(),
  mime: z.string().nullable(),
  threat: z.string().nullable(),
  criticity: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  uploader: z.string(),
  uploaded: z.string(),
  restricted: flag,
  virus_total: flag,
  sandbox: flag,
});
const fileRow = sampleRow.pick({ md5: true, sha256: true, size: true, restricted: true });
const tagRow = z.object({ tag: z.string() });
const commentRow = z.object({
  id: z.number(),
  parent: z.number().nullable(),
  author: z.string(),
  content: z.string(),
  created: z.string(),
});
const blobRow = z.object({ sha256: z.string(), size: z.number() });
const linkRow = publicationRow.extend({ is_public: flag, is_encrypted: flag });
const tokenColumns = 'id, name, sha256, rights, created, last_used AS lastUsed';
const tokenRow = z.object({
  id: z.number(),
  name: z.string(),
  sha256: z.string(),
  created: z.string(),
  lastUsed: z.string().nullable(),
  // A right this release does not know opens nothing.
  rights: z.string().transform((text) => text.split(',').flatMap((name) => labRight.safeParse(name).data ?? [])),
});
const digestRow = tokenRow.pick({ sha256: true });
const factRow = z.object({ value: z.number() });
const factOf: Readonly<Record<Stock, string>> = { 'sample-files': 'stocked', 'starter-rules': 'stocked-rules' };

/**
 * The metadata in one SQLite file of the data directory. Several processes may have it open: `token add` writes
 * while a lab serves. Fails with `data-newer`, `data-damaged`, `not-writable` or `disk-full`; nothing is changed then.
 */
export function openSqliteMetadata(directory: string): MetadataStore {
  const path = join(directory, labDatabaseName);
  makePrivateFile(path);
  return overSqlite(path, () => {
    const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    try {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
      migrateLab(database, path);
    } catch (error) {
      database.close();
      throw error;
    }
    return new SqliteMetadataStore(database, path);
  });
}

class SqliteMetadataStore implements MetadataStore {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #commits = new Mutex();
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
  }

  async recordByMd5(md5: string): Promise<{ sample: StoredSample; comments: StoredComment[] } | null> {
    return overSqlite(this.#path, () => this.#record('md5', md5));
  }

  async recordsBySha256(sha256s: readonly string[]): Promise<(StoredRecord | null)[]> {
    return overSqlite(this.#path, () =>
      sha256s.map((sha256) => {
        const found = this.#record('sha256', sha256);
        return found && { sample: { ...found.sample, place: sha256 }, comments: byPosition(found.comments) };
      }),
    );
  }

  async filesByMd5(md5s: readonly string[]): Promise<(StoredFile | null)[]> {
    return overSqlite(this.#path, () => {
      const select = this.#prepared('SELECT md5, sha256, size, restricted FROM samples WHERE md5 = ?');
      return md5s.map((md5) => {
        const found = select.get(md5);
        if (found === undefined) return null;
        const { size, ...file } = fileRow.parse(found);
        return { ...file, sizeBytes: size, place: file.sha256 };
      });
    });
  }

  async addSamples(samples: readonly NewSample[]): Promise<AddOutcome[]> {
    return this.addRecords(samples.map(({ sample, comments }) => ({ sample, comments: listed(comments) })));
  }

  async addRecords(records: readonly StoredRecord[]): Promise<AddOutcome[]> {
    return this.#inATurn(() => records.map((added) => this.#addSample(added)));
  }

  async addComment(sha256: string, { parent, author, content, created }: AddedComment): Promise<number | null> {
    return this.#inATurn(() => {
      const isOfSample = this.#prepared('SELECT 1 FROM comments WHERE id = ? AND sha256 = ?');
      if (parent !== null && isOfSample.get(parent, sha256) === undefined) return null;
      return this.#insertComment(sha256, { parent, author, content, created });
    });
  }

  async publications(): Promise<StoredPublication[]> {
    // By the order in which they were added, whatever the clock said.
    return this.#publications('ORDER BY number DESC');
  }

  async currentPublication(): Promise<StoredPublication | null> {
    const [current] = this.#publications(`ORDER BY release_group = 'Release' DESC, number DESC LIMIT 1`);
    return current ?? null;
  }

  async publication(id: string): Promise<StoredPublication | null> {
    const [found] = this.#publications('WHERE id = ?', id);
    return found ?? null;
  }

  async addPublication(publication: StoredPublication): Promise<'added' | 'version-taken'> {
    const { id, version, group, published, sha256, sizeBytes, files, rules } = publication;
    return overSqlite(this.#path, () => {
      const insert = this.#prepared(
        `INSERT INTO publications (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      );
      const { changes } = insert.run(id, version, group, published, sha256, sizeBytes, files, rules);
      if (changes === 1) return 'added';
      return this.#publications('WHERE version = ?', version).length === 1 ? 'version-taken' : idTaken(id);
    });
  }

  async addLink({ digest, publication, isPublic, isEncrypted, seconds }: NewLink): Promise<void> {
    const now = Date.now();
    this.#atOnce(() => {
      this.#prepared('DELETE FROM links WHERE ends_ms <= ? OR made_ms > ?').run(now, now);
      this.#prepared('INSERT INTO links VALUES (?, ?, ?, ?, ?, ?)').run(
        digest,
        publication,
        isPublic ? 1 : 0,
        isEncrypted ? 1 : 0,
        now,
        now + seconds * 1_000,
      );
    });
  }

  async linkAt(digest: string): Promise<PublicationLink | null> {
    const now = Date.now();
    return overSqlite(this.#path, () => {
      // A clock that was set back must not make a link live longer.
      const found = this.#prepared(
        `SELECT ${columns}, is_public, is_encrypted FROM links JOIN publications ON publications.id = publication
         WHERE digest = ? AND made_ms <= ? AND ends_ms > ?`,
      ).get(digest, now, now);
      if (found === undefined) return null;
      const { is_public: isPublic, is_encrypted: isEncrypted } = linkRow.parse(found);
      return { publication: readPublication(found), isPublic, isEncrypted };
    });
  }

  async unknownAmong(places: readonly string[]): Promise<string[]> {
    return overSqlite(this.#path, () => {
      const select = this.#prepared(
        'SELECT 1 FROM samples WHERE sha256 = ?1 UNION ALL SELECT 1 FROM publications WHERE sha256 = ?1',
      );
      return places.filter((sha256) => select.get(sha256) === undefined);
    });
  }

  async blobsAfter(sha256: string | null, most: number): Promise<StoredBlob[]> {
    return overSqlite(this.#path, () => {
      const rows = this.#prepared(
        `SELECT sha256, size FROM samples WHERE sha256 > ?1
         UNION SELECT sha256, size FROM publications WHERE sha256 > ?1 ORDER BY sha256 LIMIT ?2`,
      ).all(sha256 ?? '', most);
      return rows.map((row) => {
        const { sha256: found, size: sizeBytes } = blobRow.parse(row);
        return { sha256: found, sizeBytes, place: found };
      });
    });
  }

  async stockedRelease(of: Stock): Promise<number> {
    return overSqlite(this.#path, () => {
      const found = this.#prepared('SELECT value FROM facts WHERE name = ?').get(factOf[of]);
      return found === undefined ? 0 : factRow.parse(found).value;
    });
  }

  async recordStocked(of: Stock, release: number): Promise<void> {
    overSqlite(this.#path, () =>
      this.#prepared('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)').run(factOf[of], release),
    );
  }

  async tokens(): Promise<StoredToken[]> {
    return overSqlite(this.#path, () => {
      const rows = this.#prepared(`SELECT ${tokenColumns} FROM tokens ORDER BY id`).all();
      return rows.map((row) => tokenRow.parse(row));
    });
  }

  async tokenByDigest(sha256: string): Promise<StoredToken | null> {
    return overSqlite(this.#path, () => {
      const found = this.#prepared(`SELECT ${tokenColumns} FROM tokens WHERE sha256 = ?`).get(sha256);
      return found === undefined ? null : tokenRow.parse(found);
    });
  }

  async noteTokenUse(id: number, day: string): Promise<void> {
    overSqlite(this.#path, () => this.#prepared('UPDATE tokens SET last_used = ? WHERE id = ?').run(day, id));
  }

  async addToken(token: Omit<StoredToken, 'id' | 'lastUsed'>): Promise<StoredToken> {
    const { name, sha256, rights, created } = token;
    return overSqlite(this.#path, () => {
      const insert = this.#prepared('INSERT INTO tokens (name, sha256, rights, created) VALUES (?, ?, ?, ?)');
      const { lastInsertRowid } = insert.run(name, sha256, rights.join(','), created);
      return { ...token, id: Number(lastInsertRowid), lastUsed: null };
    });
  }

  async removeToken(id: number): Promise<boolean> {
    return this.#atOnce(() => {
      const removed = this.#prepared('DELETE FROM tokens WHERE id = ? RETURNING sha256').get(id);
      if (removed === undefined) return false;
      const name = revokedFact(digestRow.parse(removed).sha256);
      this.#prepared('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)').run(name, Date.now());
      return true;
    });
  }

  async isRevoked(sha256: string): Promise<boolean> {
    return overSqlite(this.#path, () => {
      return this.#prepared('SELECT 1 FROM facts WHERE name = ?').get(revokedFact(sha256)) !== undefined;
    });
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #publications(which: string, ...values: string[]): StoredPublication[] {
    return overSqlite(this.#path, () =>
      this.#prepared(`SELECT ${columns} FROM publications ${which}`)
        .all(...values)
        .map(readPublication),
    );
  }

  #record(by: 'md5' | 'sha256', wanted: string): { sample: StoredSample; comments: StoredComment[] } | null {
    const found = this.#prepared(`SELECT * FROM samples WHERE ${by} = ?`).get(wanted);
    if (found === undefined) return null;
    const { md5, sha1, sha256, size: sizeBytes, virus_total: virusTotal, ...facts } = sampleRow.parse(found);
    const tags = this.#prepared('SELECT tag FROM tags WHERE sha256 = ? ORDER BY position').all(sha256);
    const comments = this.#prepared(
      'SELECT id, parent, author, content, created FROM comments WHERE sha256 = ? ORDER BY id',
    ).all(sha256);
    const sample = { ...facts, virusTotal, hashes: { md5, sha1, sha256 }, sizeBytes };
    return {
      sample: { ...sample, tags: tags.map((row) => tagRow.parse(row).tag) },
      comments: comments.map((row) => commentRow.parse(row)),
    };
  }

  #addSample({ sample, comments }: StoredRecord): AddOutcome {
    const { md5, sha256 } = sample.hashes;
    const taken = this.#prepared('SELECT sha256 FROM samples WHERE md5 = ?').get(md5)?.['sha256'];
    if (taken !== undefined) return taken === sha256 ? 'already-here' : 'md5-taken';
    this.#insertSample(sample, comments);
    return 'added';
  }

  #insertSample({ hashes: { md5, sha1, sha256 }, ...sample }: StoredSample, comments: readonly ListedComment[]): void {
    const insert = this
      .#prepared(`INSERT INTO samples (sha256, md5, sha1, size, name, mime, threat, criticity, uploader, uploaded,
        restricted, virus_total, sandbox)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    insert.run(
      sha256,
      md5,
      sha1,
      sample.sizeBytes,
      sample.name,
      sample.mime,
      sample.threat,
      sample.criticity,
      sample.uploader,
      sample.uploaded,
      sample.restricted ? 1 : 0,
      sample.virusTotal ? 1 : 0,
      sample.sandbox ? 1 : 0,
    );
    const insertTag = this.#prepared('INSERT INTO tags (sha256, position, tag) VALUES (?, ?, ?)');
    for (const [position, tag] of sample.tags.entries()) insertTag.run(sha256, position, tag);
    const numbers: number[] = [];
    for (const { parent: position, ...comment } of comments) {
      const parent = position === null ? null : (numbers[position] ?? null);
      numbers.push(this.#insertComment(sha256, { ...comment, parent }));
    }
  }

  #insertComment(sha256: string, { parent, author, content, created }: AddedComment): number {
    const insert = this.#prepared(
      'INSERT INTO comments (sha256, parent, author, content, created) VALUES (?, ?, ?, ?, ?)',
    );
    return Number(insert.run(sha256, parent, author, content, created).lastInsertRowid);
  }

  /**
   * Each once: a statement holds memory until it is collected, and a hundred clients ask for several with each request.
   */
  #prepared(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  /**
   * A commit waits for the disk: those of a hundred clients would else keep the lab from answering anybody until the
   * last of them is there.
   */
  async #inATurn<T>(work: () => T): Promise<T> {
    await this.#commits.run(() => nextTurn());
    return this.#atOnce(work);
  }

  #atOnce<T>(work: () => T): T {
    return overSqlite(this.#path, () => atOnce(this.#database, work));
  }
}

/** The n-th makes version n; a step that was released is never edited. */
export const labSteps: readonly string[] = [
  `CREATE TABLE samples (
     sha256 TEXT PRIMARY KEY, md5 TEXT NOT NULL UNIQUE, sha1 TEXT NOT NULL, size INTEGER NOT NULL,
     name TEXT NOT NULL, mime TEXT, threat TEXT, criticity INTEGER NOT NULL, uploader TEXT NOT NULL,
       uploaded TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE tags (
     sha256 TEXT NOT NULL REFERENCES samples ON DELETE CASCADE, position INTEGER NOT NULL, tag TEXT NOT NULL,
     PRIMARY KEY (sha256, position)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE comments (
     id INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL REFERENCES samples ON DELETE CASCADE,
     parent INTEGER REFERENCES comments ON DELETE CASCADE, author TEXT NOT NULL, content TEXT NOT NULL,
       created TEXT NOT NULL
   ) STRICT;
   CREATE INDEX comments_of_sample ON comments (sha256, id);
   CREATE TABLE tokens (
     id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, sha256 TEXT NOT NULL UNIQUE, rights TEXT NOT NULL,
       created TEXT NOT NULL
   ) STRICT;
   CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
  'ALTER TABLE samples ADD COLUMN restricted INTEGER NOT NULL DEFAULT 0;',
  `ALTER TABLE samples ADD COLUMN virus_total INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE samples ADD COLUMN sandbox INTEGER NOT NULL DEFAULT 0;`,
  `CREATE TABLE publications (
     number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, version TEXT NOT NULL UNIQUE,
       release_group TEXT NOT NULL,
     published TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, files INTEGER NOT NULL,
       rules INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX publications_of_package ON publications (sha256);`,
  `ALTER TABLE tokens ADD COLUMN last_used TEXT;
   CREATE TABLE links (
     digest TEXT PRIMARY KEY, publication TEXT NOT NULL, is_public INTEGER NOT NULL, is_encrypted INTEGER NOT NULL,
     made_ms INTEGER NOT NULL, ends_ms INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;`,
];

export const labSchemaVersion = labSteps.length;

/** Brings the database to this release's schema. A newer one fails with `data-newer` and stays as it is. */
function migrateLab(database: DatabaseSync, path: string): void {
  migrate(database, labSteps);
  const found = versionOf(database);
  if (found > labSchemaVersion) fail({ kind: 'data-newer', path, found, supported: labSchemaVersion });
}
