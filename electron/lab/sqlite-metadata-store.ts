import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { hashes } from '../../shared/domain/hash.ts';
import { labRight } from '../../shared/domain/lab.ts';
import { fail } from '../../shared/failure.ts';
import { Mutex } from '../../shared/mutex.ts';
import { atOnce } from '../storage/at-once.ts';
import { overSqlite } from '../storage/sqlite-error.ts';
import { migrateLab } from './lab-schema.ts';
import type {
  AddedComment,
  MetadataStore,
  NewComment,
  Stock,
  StoredComment,
  StoredFile,
  StoredPublication,
  StoredSample,
  StoredToken,
} from './metadata-store.ts';
import { insertPublication, isPublished, selectPublication, selectPublications } from './sqlite-publications.ts';

const fileName = 'lab.db';
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
const tokenRow = z.object({
  id: z.number(),
  name: z.string(),
  sha256: z.string(),
  created: z.string(),
  // A right this release does not know opens nothing.
  rights: z.string().transform((text) => text.split(',').flatMap((name) => labRight.safeParse(name).data ?? [])),
});
const factRow = z.object({ value: z.number() });
const factOf: Readonly<Record<Stock, string>> = { specimens: 'stocked', 'starter-rules': 'stocked-rules' };

/**
 * The metadata in one SQLite file of the data directory. Several processes may have it open: `token add` writes
 * while a lab serves. Fails with `data-newer`, `data-damaged` or `not-writable`; nothing is changed then.
 */
export function openSqliteMetadata(directory: string): MetadataStore {
  const path = join(directory, fileName);
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

  async sampleByMd5(md5: string): Promise<StoredSample | null> {
    return overSqlite(this.#path, () => {
      const found = this.#prepared('SELECT * FROM samples WHERE md5 = ?').get(md5);
      if (found === undefined) return null;
      const { md5: ownMd5, sha1, sha256, size, virus_total: virusTotal, ...facts } = sampleRow.parse(found);
      const tags = this.#prepared('SELECT tag FROM tags WHERE sha256 = ? ORDER BY position').all(sha256);
      return {
        ...facts,
        virusTotal,
        hashes: { md5: ownMd5, sha1, sha256 },
        sizeBytes: size,
        tags: tags.map((row) => tagRow.parse(row).tag),
      };
    });
  }

  async filesByMd5(md5s: readonly string[]): Promise<(StoredFile | null)[]> {
    return overSqlite(this.#path, () => {
      const select = this.#prepared('SELECT md5, sha256, size, restricted FROM samples WHERE md5 = ?');
      return md5s.map((md5) => {
        const found = select.get(md5);
        if (found === undefined) return null;
        const { size, ...file } = fileRow.parse(found);
        return { ...file, sizeBytes: size };
      });
    });
  }

  async commentsOf(sha256: string): Promise<StoredComment[]> {
    return overSqlite(this.#path, () => {
      const rows = this.#prepared(
        'SELECT id, parent, author, content, created FROM comments WHERE sha256 = ? ORDER BY id',
      ).all(sha256);
      return rows.map((row) => commentRow.parse(row));
    });
  }

  async addSample(sample: StoredSample, comments: NewComment[]): Promise<'added' | 'already-here'> {
    return this.#inATurn(() => {
      const { md5, sha256 } = sample.hashes;
      const taken = this.#prepared('SELECT sha256 FROM samples WHERE md5 = ?').get(md5)?.['sha256'];
      if (taken === sha256) return 'already-here';
      if (taken !== undefined) fail({ kind: 'two-samples-one-md5', md5, sha256s: [String(taken), sha256] });
      this.#insertSample(sample, comments);
      return 'added';
    });
  }

  async addSamples(samples: readonly { sample: StoredSample; comments: NewComment[] }[]): Promise<void> {
    this.#atOnce(() => {
      for (const { sample, comments } of samples) this.#insertSample(sample, comments);
    });
  }

  async addComment(sha256: string, { parent, author, content, created }: AddedComment): Promise<number | null> {
    return this.#inATurn(() => {
      const isOfSample = this.#prepared('SELECT 1 FROM comments WHERE id = ? AND sha256 = ?');
      if (parent !== null && isOfSample.get(parent, sha256) === undefined) return null;
      return this.#insertComment(sha256, { parent, author, content, created });
    });
  }

  async publications(): Promise<StoredPublication[]> {
    return overSqlite(this.#path, () => selectPublications(this.#database));
  }

  async publication(id: string): Promise<StoredPublication | null> {
    return overSqlite(this.#path, () => selectPublication(this.#database, id));
  }

  async addPublication(publication: StoredPublication): Promise<boolean> {
    return overSqlite(this.#path, () => insertPublication(this.#database, publication));
  }

  async isKnown(sha256: string): Promise<boolean> {
    return overSqlite(this.#path, () => {
      const isSample = this.#prepared('SELECT 1 FROM samples WHERE sha256 = ?').get(sha256) !== undefined;
      return isSample || isPublished(this.#database, sha256);
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
      const rows = this.#prepared('SELECT id, name, sha256, rights, created FROM tokens ORDER BY id').all();
      return rows.map((row) => tokenRow.parse(row));
    });
  }

  async addToken(token: Omit<StoredToken, 'id'>): Promise<StoredToken> {
    const { name, sha256, rights, created } = token;
    return overSqlite(this.#path, () => {
      const insert = this.#prepared('INSERT INTO tokens (name, sha256, rights, created) VALUES (?, ?, ?, ?)');
      return { ...token, id: Number(insert.run(name, sha256, rights.join(','), created).lastInsertRowid) };
    });
  }

  async removeToken(id: number): Promise<boolean> {
    return overSqlite(this.#path, () => this.#prepared('DELETE FROM tokens WHERE id = ?').run(id).changes === 1);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #insertSample({ hashes: { md5, sha1, sha256 }, ...sample }: StoredSample, comments: readonly NewComment[]): void {
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
    for (const comment of comments) this.#insertThread(sha256, null, comment);
  }

  #insertThread(sha256: string, parent: number | null, { author, content, created, replies }: NewComment): void {
    const id = this.#insertComment(sha256, { parent, author, content, created });
    for (const reply of replies) this.#insertThread(sha256, id, reply);
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
