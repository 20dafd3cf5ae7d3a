import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { LibraryChange } from '../../../shared/domain/library.ts';
import { forgetCommentsOf } from '../comments/comment-lines.ts';
import type { Database } from '../database/database.ts';
import { LibraryIndex } from './library-index.ts';
import { LibraryRecords } from './library-records.ts';
import type { LibrarySamples } from './library-samples.ts';
import { forgetTagsOf, LibraryTags } from './library-tags.ts';
import { SamplePreviews, LocalAnnotations, SampleNames } from './local-annotations.ts';
import { sampleColumns, type SampleRow, sampleRow } from './sample-table.ts';

export interface StoredChange extends LibraryChange {
  /** It is unknown whether the change was made before: a note that ends with the text already has it. */
  again?: boolean | undefined;
}

/** A person's data on samples: tags, a TLP, notes. They belong to bytes. The caller gives the transaction. */
export class LibraryChanges {
  readonly #samples: LibrarySamples;
  readonly #lines: LibraryIndex;
  readonly #tags: LibraryTags;
  readonly #own: LocalAnnotations;

  constructor(db: Database, samples: LibrarySamples) {
    this.#samples = samples;
    this.#lines = new LibraryIndex(db);
    this.#tags = new LibraryTags(db);
    this.#own = new LocalAnnotations(db);
  }

  /**
   * @returns how many samples changed, and how many were left out: they are not known by a SHA-256, or their note has
   * no space
   */
  change(hashes: readonly string[], change: StoredChange): { changed: number; leftOut: number } {
    // One row may be named by two of its hashes: its note would be written twice.
    const rows = new Map<number | string, SampleRow | null>();
    for (const hash of hashes) {
      const row = this.#samples.knownBy(hash);
      rows.set(row?.id ?? hash, row);
    }
    const outcomes = [...rows.values()].map((row) => this.#one(row, change));
    return {
      changed: outcomes.filter((one) => one === 'changed').length,
      leftOut: outcomes.filter((one) => one === 'left-out').length,
    };
  }

  setNote(sha256: string, text: string): void {
    const row = this.#samples.withSha256(sha256);
    if (row !== null && this.#own.setNote(sha256, text)) this.#lines.refreshOwn(row);
  }

  #one(row: SampleRow | null, change: StoredChange): 'changed' | 'same' | 'left-out' {
    const sha256 = row?.sha256 ?? null;
    if (row === null || sha256 === null) return 'left-out';
    if (change.whereTlp !== undefined && this.#own.tlp(sha256) !== change.whereTlp) return 'same';
    return this.#put({ ...row, sha256 }, change);
  }

  #put(
    row: SampleRow & { sha256: string },
    { add, remove, tlp, note = '', again = false }: StoredChange,
  ): 'changed' | 'same' | 'left-out' {
    const { sha256 } = row;
    const isNoted = again && this.#own.endsWith(sha256, note);
    const text = note.trim() === '' || isNoted ? undefined : this.#own.noteWith(sha256, note);
    if (text === null) return 'left-out';
    const hasTags = this.#tags.change(sha256, add, remove);
    const hasTlp = tlp !== undefined && this.#own.setTlp(sha256, tlp);
    const hasNote = text !== undefined && this.#own.setNote(sha256, text);
    if (hasTags) this.#lines.refresh(row);
    else if (hasTlp || hasNote) this.#lines.refreshOwn(row);
    return hasTags || hasTlp || hasNote || isNoted ? 'changed' : 'same';
  }
}

/** Takes samples out of the library. The caller gives the transaction, and writes the journal. */
export class LibraryRemoval {
  readonly #samples: LibrarySamples;
  readonly #records: LibraryRecords;
  readonly #tags: LibraryTags;
  readonly #own: LocalAnnotations;
  readonly #previews: SamplePreviews;
  readonly #names: SampleNames;
  readonly #leaveVault;
  readonly #dropHits;
  readonly #dropHitSamples;
  readonly #drop;

  constructor(db: Database, samples: LibrarySamples) {
    this.#samples = samples;
    this.#records = new LibraryRecords(db);
    this.#tags = new LibraryTags(db);
    this.#own = new LocalAnnotations(db);
    this.#previews = new SamplePreviews(db);
    this.#names = new SampleNames(db);
    this.#leaveVault = db.command('UPDATE sample SET in_vault = 0, damage = NULL WHERE id = ?');
    this.#dropHits = ['sample_hit', 'older_hit'].map((table) =>
      db.command(`DELETE FROM ${table} WHERE sample_id IN (SELECT id FROM hit_sample WHERE sha256 = ?)`),
    );
    this.#dropHitSamples = db.command('DELETE FROM hit_sample WHERE sha256 = ?');
    this.#drop = db.command('DELETE FROM sample WHERE id = ?');
  }

  /** The vault is to hold the bytes no longer; what is known of the sample stays. */
  bytes({ id }: SampleRow): void {
    this.#leaveVault.run(id);
  }

  /**
   * All that is known of the sample, and of its MD5 where no other sample has it. Jobs, uploads, drafts and own
   * comments stay.
   */
  all({ id, md5, sha256 }: SampleRow): void {
    this.#drop.run(id);
    if (this.#samples.withMd5(md5).length === 0) this.#records.forget(md5, currentInstant());
    if (sha256 !== null) this.#bytesKnown(sha256);
  }

  #bytesKnown(sha256: string): void {
    this.#tags.forget(sha256);
    this.#own.forget(sha256);
    this.#previews.forget(sha256);
    this.#names.forget(sha256);
    for (const drop of this.#dropHits) drop.run(sha256);
    this.#dropHitSamples.run(sha256);
  }
}

const dropRow = z.object({ sha256: z.string() });

/**
 * Bytes that were forgotten and that the vault has not removed yet: a crash in between must not make them anybody's
 * again. The caller gives the transaction.
 */
export class LibraryDrops {
  readonly #next;
  readonly #add;
  readonly #done;

  constructor(db: Database) {
    this.#next = db.query(dropRow, 'SELECT sha256 FROM vault_drop ORDER BY sha256 LIMIT ?');
    this.#add = db.command('INSERT OR IGNORE INTO vault_drop (sha256) VALUES (?)');
    this.#done = db.command('DELETE FROM vault_drop WHERE sha256 = ?');
  }

  next(limit: number): string[] {
    return this.#next.all(limit).map(({ sha256 }) => sha256);
  }

  add(sha256: string): void {
    this.#add.run(sha256);
  }

  /** They are gone, or in the vault again. */
  done(sha256: string): void {
    this.#done.run(sha256);
  }
}

const heldRow = z.object({ held: z.number() });

/**
 * Forgets one workspace's data: its records, the comments there and those written for it, and the samples that nothing
 * else holds: neither the vault, nor another workspace's record or hits, nor a person's data on this computer. Runs
 * inside the caller's transaction.
 */
export function forgetRecordsOf(db: Database, workspaceId: string): void {
  const samples = db
    .query(
      sampleRow,
      `SELECT ${sampleColumns} FROM record JOIN sample ON sample.md5 = record.md5 WHERE record.workspace_id = ?1`,
    )
    .all(workspaceId);
  forgetCommentsOf(db, workspaceId);
  forgetTagsOf(db, workspaceId);
  db.command('DELETE FROM record WHERE workspace_id = ?').run(workspaceId);
  const held = db.query(
    heldRow,
    `SELECT 1 AS held WHERE EXISTS (SELECT 1 FROM record WHERE md5 = ?1) OR
      EXISTS (SELECT 1 FROM sample_own WHERE sha256 = ?2)
    OR EXISTS (SELECT 1 FROM sample_tag WHERE sha256 = ?2)
    OR EXISTS (SELECT 1 FROM sample_name WHERE sha256 = ?2) OR
      EXISTS (SELECT 1 FROM hit_sample WHERE sha256 = ?2 AND workspace_id <> ?3)`,
  );
  const isKept = ({ inVault, md5, sha256 }: SampleRow): boolean =>
    inVault === 1 || held.get(md5, sha256, workspaceId) !== null;
  const lines = new LibraryIndex(db);
  for (const row of samples.filter(isKept)) lines.refresh(row);
  dropSamples(
    db,
    samples.filter((row) => !isKept(row)),
  );
}

function dropSamples(db: Database, samples: readonly SampleRow[]): void {
  const drop = db.command('DELETE FROM sample WHERE id = ?');
  const previews = new SamplePreviews(db);
  for (const { id, sha256 } of samples) {
    if (sha256 !== null) previews.forget(sha256);
    drop.run(id);
  }
}
