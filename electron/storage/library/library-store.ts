import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { type Hashes, hashKindOf } from '../../../shared/domain/hash.ts';
import type { JournalRow } from '../../../shared/domain/journal.ts';
import type { LibrarySample, SamplePreview } from '../../../shared/domain/library.ts';
import type { LocalSample, SampleRecord } from '../../../shared/domain/sample.ts';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import type { Database } from '../database/database.ts';
import type { Journal } from '../journal/journal.ts';
import { LibraryChanges, LibraryDrops, LibraryRemoval, type StoredChange } from './library-changes.ts';
import { LibraryIndex } from './library-index.ts';
import {
  additionEntry,
  type AdditionNote,
  type Detail,
  downloadEntry,
  type DownloadNote,
  exportEntry,
  forgetEntry,
  type HuntNote,
  lookupEntry,
  type LookupNote,
  type NotedRecord,
  restoredEntry,
  scanEntry,
  type ScanOutcomeNote,
  uploadEntry,
  type UploadNote,
} from './library-notes.ts';
import { type KnownRecord, LibraryRecords, type RecordedFacts } from './library-records.ts';
import { LibrarySamples } from './library-samples.ts';
import { LibraryTags } from './library-tags.ts';
import { LibraryTlps, watchTlps } from './library-tlps.ts';
import { LocalAnnotations, SampleNames, SamplePreviews } from './local-annotations.ts';
import {
  libraryColumns,
  libraryRowOf,
  LibraryVault,
  localSampleOf,
  missingOfTotal,
  type SampleInVault,
  type SampleRow,
  storedLibraryRow,
} from './sample-table.ts';

export type {
  AdditionNote,
  DownloadNote,
  HuntNote,
  LookupNote,
  NotedRecord,
  ScanOutcomeNote,
  UploadNote,
} from './library-notes.ts';
export type { SampleInVault } from './sample-table.ts';

/** How many samples are not as they were, and how many could not be changed. */
export interface ChangeCount {
  changed: number;
  leftOut: number;
}

export interface LibraryCount {
  samples: number;
  inVault: number;
  vaultBytes: number;
}

const historyRows = 100;
const countRow = z.object({ samples: z.number(), inVault: z.number(), vaultBytes: z.number() });

/**
 * What Vitrine knows of samples. Each change and its journal row are one transaction, written here and not by the
 * caller. Hashes are lower case. A sample is known by its SHA-256, or by its MD5 until one is known.
 */
export class LibraryStore {
  readonly #db: Database;
  readonly #journal: Journal;
  readonly #samples: LibrarySamples;
  readonly #records: LibraryRecords;
  readonly #lines: LibraryIndex;
  readonly #changes: LibraryChanges;
  readonly #removal: LibraryRemoval;
  readonly #drops: LibraryDrops;
  readonly #own: LocalAnnotations;
  readonly #previews: SamplePreviews;
  readonly #tags: LibraryTags;
  readonly #tlps: LibraryTlps;
  readonly #vault: LibraryVault;
  readonly #names: SampleNames;
  /** Those whose comments are being written. */
  readonly #listing = new Set<{ workspaceId: string; md5: string }>();
  readonly #count;
  readonly #row;
  readonly #damage;

  constructor(db: Database, journal: Journal) {
    this.#db = db;
    this.#journal = journal;
    this.#samples = new LibrarySamples(db);
    this.#records = new LibraryRecords(db);
    this.#lines = new LibraryIndex(db);
    this.#changes = new LibraryChanges(db, this.#samples);
    this.#removal = new LibraryRemoval(db, this.#samples);
    this.#drops = new LibraryDrops(db);
    this.#own = new LocalAnnotations(db);
    this.#previews = new SamplePreviews(db);
    this.#tags = new LibraryTags(db);
    this.#tlps = new LibraryTlps(db);
    this.#vault = new LibraryVault(db);
    this.#names = new SampleNames(db);
    this.#count = db.query(
      countRow,
      `SELECT library_total.samples, in_vault - missing.samples AS inVault, vault_bytes - missing.bytes AS vaultBytes
        FROM library_total, (${missingOfTotal}) AS missing`,
    );
    this.#row = db.query(storedLibraryRow, `SELECT ${libraryColumns} FROM sample WHERE id = ?`);
    this.#damage = db.command('UPDATE sample SET damage = ? WHERE sha256 = ?');
    watchTlps(db);
  }

  /**
   * Safe from a power cut when `synced` resolves. @returns what is known of the sample now; null when the look-up
   * failed and nothing was known before
   */
  recordLookup(note: LookupNote): LocalSample | null {
    const { workspaceId, md5, record } = note;
    return this.#db.transaction(() => {
      if (record) this.#learn(workspaceId, md5, record);
      this.#journal.append(lookupEntry(note));
      return this.find(md5);
    }, 'soon');
  }

  /**
   * Resolves when all that was recorded before the call is safe from a power cut. @throws FailureError as a write does
   */
  synced(): Promise<void> {
    return this.#db.synced();
  }

  recordDownload(note: DownloadNote): void {
    this.recordDownloads([note]);
  }

  /** Several in one step, for which the journal is moved on once. */
  recordDownloads(notes: readonly DownloadNote[]): void {
    this.#db.transaction(() => {
      for (const { hashes, sizeBytes } of notes) {
        if (hashes) this.#prove(hashes, { sizeBytes: sizeBytes ?? 0, inVault: true });
      }
      this.#journal.appendAll(notes.map(downloadEntry));
    });
  }

  /**
   * Local files that the vault holds now, each under its name, and those that could not be added. Several in one step.
   */
  recordAdditions(notes: readonly AdditionNote[]): void {
    this.#db.transaction(() => {
      const added = currentInstant();
      for (const { hashes, sizeBytes, name, path } of notes) {
        if (hashes === null) continue;
        this.#names.add(hashes.sha256, { name, path, added });
        this.#prove(hashes, { sizeBytes: sizeBytes ?? 0, inVault: true });
      }
      this.#journal.appendAll(notes.map(additionEntry));
    });
  }

  /** Several in one step. The vault holds what it held before. */
  recordUploads(notes: readonly UploadNote[]): void {
    this.#db.transaction(() => {
      for (const { hashes, sizeBytes } of notes)
        if (hashes) this.#prove(hashes, { sizeBytes: sizeBytes ?? 0, inVault: false });
      this.#journal.appendAll(notes.map(uploadEntry));
    });
  }

  /** Several in one step. The vault holds what it held before. */
  recordScans(notes: readonly ScanOutcomeNote[]): void {
    this.#db.transaction(() => {
      for (const { hashes, sizeBytes } of notes)
        if (hashes) this.#prove(hashes, { sizeBytes: sizeBytes ?? 0, inVault: false });
      this.#journal.appendAll(notes.map(scanEntry));
    });
  }

  recordHunt(note: HuntNote): void {
    this.#journal.append(scanEntry({ ...note, sha256: null }));
  }

  /**
   * Writes the comments of a record, where they are so many that `recordLookup` and `noteRecord` left them: in steps of
   * some milliseconds, each a transaction, between which the caller lets its thread go.
   */
  *commentsInSteps({ workspaceId, md5, record }: NotedRecord): Generator<void, void, undefined> {
    const steps = this.#records.listInSteps(workspaceId, md5, record.comments, currentInstant());
    const listing = { workspaceId, md5 };
    this.#listing.add(listing);
    try {
      while (this.#db.transaction(() => steps.next().done !== true, 'soon')) yield;
    } finally {
      this.#listing.delete(listing);
    }
  }

  /**
   * Records whose comments are only partly written, with no one writing them: the program ended, or the disk was full.
   */
  halfListed(): { workspaceId: string; md5: string }[] {
    const goingOn = [...this.#listing];
    return this.#records
      .beingListed()
      .filter((half) => !goingOn.some(({ workspaceId, md5 }) => workspaceId === half.workspaceId && md5 === half.md5));
  }

  /** A record that was come by, not looked up by the person: it is kept, and not journalled. */
  noteRecord({ workspaceId, md5, record }: NotedRecord): void {
    this.#db.transaction(() => this.#learn(workspaceId, md5, record), 'soon');
  }

  /** Without a hash: what left is a list. */
  recordExport({ sha256, outcome, detail = {} }: { sha256: string | null; outcome: string; detail?: Detail }): void {
    this.#journal.append(exportEntry(sha256, outcome, detail));
  }

  /** The same of several, in one transaction: a hundred take some milliseconds. */
  recordExports(sha256s: readonly string[], note: { outcome: string; detail: Detail }): void {
    this.#db.transaction(() => {
      for (const sha256 of sha256s) this.recordExport({ sha256, ...note });
    });
  }

  /** By any hash. Of several samples with one MD5 or SHA-1, the one in the vault, then the one seen last. */
  find(hash: string): LocalSample | null {
    const row = this.#samples.withHash(hash)[0];
    return row ? this.#sampleOf(row) : null;
  }

  /** The MD5 that a repository can be asked with; of several with one SHA-1, that of the one `find` gives. */
  md5Of(hash: string): string | null {
    return hashKindOf(hash) === 'md5' ? hash : (this.#samples.withHash(hash)[0]?.md5 ?? null);
  }

  /** Only those computed here from bytes: what a service claims is no second sample. */
  sha256sOfMd5(md5: string): string[] {
    return this.#samples.withMd5(md5).flatMap(({ sha256, verified }) => (verified && sha256 ? [sha256] : []));
  }

  /** The name a service gave last, else that of the local file that was added last; untrusted text. */
  nameOf(hash: string): string | null {
    const row = this.#samples.withHash(hash)[0];
    return row ? (this.#records.nameOf(row) ?? this.#names.latest(row.sha256)) : null;
  }

  /** The latest record this workspace gave of an MD5, as it can be shown without the service. */
  record(workspaceId: string, md5: string): SampleRecord | null {
    return this.#records.get(workspaceId, md5);
  }

  /**
   * The SHA-256 and the name in the latest record this workspace gave of an MD5; null without one. At once, however
   * long its thread is.
   */
  recorded(workspaceId: string, md5: string): RecordedFacts | null {
    return this.#records.recorded(workspaceId, md5);
  }

  count(): LibraryCount {
    return this.#count.get() ?? { samples: 0, inVault: 0, vaultBytes: 0 };
  }

  /**
   * Gives samples tags of this computer, and takes them away; a sample that the library has not is left out. Some
   * hundred samples a call take some milliseconds. @returns how many samples are not as they were
   */
  tagSamples(sha256s: readonly string[], add: readonly string[], remove: readonly string[]): number {
    return this.changeSamples(sha256s, { add: [...add], remove: [...remove] }).changed;
  }

  /**
   * The same of tags, the local TLP and notes; fifty samples a call take some milliseconds, unless they have many
   * comments or long notes. Left out are those that are not known by a SHA-256, or whose note has no space for more.
   * `alongside` runs in the same transaction.
   */
  changeSamples(
    hashes: readonly string[],
    change: StoredChange,
    alongside: (done: ChangeCount) => void = nothing,
  ): ChangeCount {
    return this.#db.transaction(() => {
      const done = this.#changes.change(hashes, change);
      alongside(done);
      return done;
    }, 'soon');
  }

  /**
   * '' removes it. A note stays with the bytes, whatever row of the library these have; without a row there is none.
   */
  setNote(sha256: string, text: string): void {
    this.#db.transaction(() => this.#changes.setNote(sha256, text), 'soon');
  }

  /** All that is known of the row that goes by this hash. */
  sample(hash: string): LibrarySample | null {
    const known = this.#samples.knownBy(hash);
    const row = known && this.#row.get(known.id);
    if (known === null || row === null) return null;
    return {
      row: libraryRowOf(row),
      note: this.#own.note(known.sha256),
      tlps: this.#tlps.said(known),
      names: this.#names.of(known.sha256),
      records: this.#records.reported(known),
      sameMd5: this.#samples.besides(known),
    };
  }

  /**
   * Forgets the bytes of samples, or all their data, each with a row of the journal; jobs, uploads, drafts and own
   * comments stay. Fifty a call take some milliseconds. `alongside` runs in the same transaction, and receives the
   * number of samples that had data to forget.
   *
   * @returns the SHA-256s whose bytes the vault is to drop; `dropped` must be called once it has
   */
  forget(hashes: readonly string[], what: 'bytes' | 'all', alongside: (forgotten: number) => void = nothing): string[] {
    return this.#db.transaction(() => {
      const rows = new Map(hashes.flatMap((hash) => this.#samples.knownBy(hash) ?? []).map((row) => [row.id, row]));
      const meant = [...rows.values()].filter(({ inVault }) => what === 'all' || inVault === 1);
      for (const row of meant) this.#removal[what](row);
      this.#journal.appendAll(meant.map((row) => forgetEntry(row, what)));
      const bytesOf = meant.flatMap(({ sha256, inVault }) => (inVault === 1 && sha256 !== null ? [sha256] : []));
      for (const sha256 of bytesOf) this.#drops.add(sha256);
      alongside(meant.length);
      return bytesOf;
    });
  }

  /**
   * Forgets at most so many comments that services listed of a sample, where no other has its MD5: so many that
   * `forget` would take long with them are forgotten before it. @returns whether there may be more
   */
  forgetComments(hash: string, limit: number): boolean {
    return this.#db.transaction(() => {
      const md5 = this.#samples.knownBy(hash)?.md5;
      return md5 !== undefined && this.#samples.withMd5(md5).length === 1 && this.#records.forgetComments(md5, limit);
    }, 'soon');
  }

  /** Bytes that were forgotten and are still to be dropped, also by a run of the program before this one. */
  bytesToDrop(limit: number): string[] {
    return this.#drops.next(limit);
  }

  dropped(sha256s: readonly string[]): void {
    this.#db.transaction(() => {
      for (const sha256 of sha256s) this.#drops.done(sha256);
    }, 'soon');
  }

  /** Changes that `work` makes one by one, in one transaction: each of its own would take far longer. */
  together<T>(work: () => T): T {
    return this.#db.transaction(work, 'soon');
  }

  /** What a check found of bytes that should be in the vault; null: they are as they should be. */
  setDamage(sha256: string, damage: 'missing' | 'altered' | null): void {
    this.#db.transaction(() => this.#damage.run(damage, sha256), 'soon');
  }

  /**
   * Records bytes that the vault holds, and that were read whole. They override the library's earlier data, and the
   * journal has a row for each.
   */
  foundInVault(found: readonly { hashes: Hashes; sizeBytes: number }[]): void {
    this.#db.transaction(() => {
      for (const { hashes, sizeBytes } of found) this.#prove(hashes, { sizeBytes, inVault: true });
      this.#journal.appendAll(found.map(({ hashes }) => restoredEntry(hashes)));
    });
  }

  /** Previews of bytes, where they were made before. */
  previewsOf(sha256s: readonly string[]): SamplePreview[] {
    return this.#previews.of(sha256s);
  }

  keepPreviews(previews: readonly SamplePreview[]): void {
    this.#db.transaction(() => {
      for (const look of previews) this.#previews.keep(look);
    }, 'soon');
  }

  /** The strictest TLP of these bytes in any record, tag, upload or scan; null when there is none. */
  tlpOf(sample: { md5: string | null; sha256: string }): TlpLevel | null {
    return this.#tlps.strictest(sample);
  }

  /** Samples whose bytes the vault has, altered ones too, behind an id, by id; the first have `after` 0. */
  vaultPage(after: number, limit: number): SampleInVault[] {
    return this.#vault.page(after, limit);
  }

  /** Samples by these numbers, by number, as far as there are any; the vault need not have them. */
  numbered(ids: readonly number[]): SampleInVault[] {
    return this.#vault.numbered(ids);
  }

  /** The same with those that are missing: what a check goes through. */
  expectedPage(after: number, limit: number): SampleInVault[] {
    return this.#vault.expected(after, limit);
  }

  /** Whether the vault is to have these bytes, be they missing or altered. */
  isExpectedInVault(sha256: string): boolean {
    return this.#samples.withSha256(sha256)?.inVault === 1;
  }

  /** What was done here with a sample, by all its hashes, newest first, at most a hundred rows. */
  history(hash: string): JournalRow[] {
    const rows = this.#samples.withHash(hash);
    const known = rows.flatMap(({ md5, sha1, sha256 }) => [md5, sha1, sha256]).filter((one) => one !== null);
    return this.#journal.forHash([...new Set([hash, ...known])], historyRows);
  }

  #learn(workspaceId: string, md5: string, record: SampleRecord): void {
    const time = currentInstant();
    this.#records.putBriefly(workspaceId, md5, record, time);
    this.#samples.claimed({ md5, sha1: record.sha1, sha256: record.sha256, sizeBytes: record.sizeBytes }, time);
    this.#refresh(md5, { workspaceId, record });
  }

  #prove(hashes: Hashes, facts: { sizeBytes: number; inVault: boolean }): void {
    if (facts.inVault) this.#drops.done(hashes.sha256);
    for (const changed of this.#samples.proven(hashes, { ...facts, now: currentInstant() })) this.#refresh(changed);
  }

  #refresh(md5: string, known: KnownRecord | null = null): void {
    for (const row of this.#samples.withMd5(md5)) this.#lines.refresh(row, known);
  }

  #sampleOf(row: SampleRow): LocalSample {
    return localSampleOf(row, this.#tags.of(row.sha256));
  }
}

const nothing = (): void => {};
