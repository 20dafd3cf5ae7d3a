import { z } from 'zod';
import type { BundledRecord, BundledSample } from '../../../shared/domain/bundle.ts';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { Hashes } from '../../../shared/domain/hash.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { strictestTlp, type TlpLevel } from '../../../shared/domain/tag.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import type { Database } from '../database/database.ts';
import type { Journal, JournalEntry } from '../journal/journal.ts';
import { LibraryDrops } from '../library/library-changes.ts';
import { LibraryIndex } from '../library/library-index.ts';
import { LibraryRecords } from '../library/library-records.ts';
import { LibrarySamples } from '../library/library-samples.ts';
import { LibraryTags } from '../library/library-tags.ts';
import { LibraryTlps } from '../library/library-tlps.ts';
import { LocalAnnotations } from '../library/local-annotations.ts';
import type { SampleRow } from '../library/sample-table.ts';
import { contradictsBytes, isStricter, noteStanding, recordStanding, reportedTlp } from './bundle-standing.ts';

/** A sample of a bundle. */
export interface SampleTakenIn {
  sample: BundledSample;
  records: readonly BundledRecord[];
  /** Made of its bytes, which came into the vault with the transaction; null: none did. */
  stored: (Hashes & { sizeBytes: number }) | null;
}

/** Whose bundle it is, and where its records go. */
export interface TakenFrom {
  workspaceId: string;
  fingerprint: string;
  /** From the bundle; untrusted text. */
  name: string;
  jobId: number;
}

/**
 * `full`: its note had no space for theirs and stayed unchanged; everything else was imported. `contradicted`: its
 * record was of other bytes and was left out. `refused`: its hashes are not of one sample, and nothing of it was
 * imported.
 */
export type TakenAs = 'changed' | 'same' | 'full' | 'contradicted' | 'refused';

const shownDigits = 16;
const knownRow = z.object({ known: z.number() });
const nameRow = z.object({ name: z.string() });
const readAtRow = z.object({ readAt: z.string() });

/**
 * Bundles that were made here and taken in. What is done to samples and their rows of the journal are one transaction.
 */
export class BundleStore {
  readonly #db: Database;
  readonly #journal: Journal;
  readonly #samples: LibrarySamples;
  readonly #records: LibraryRecords;
  readonly #lines: LibraryIndex;
  readonly #tags: LibraryTags;
  readonly #own: LocalAnnotations;
  readonly #tlps: BundleTlps;
  readonly #drops: LibraryDrops;
  readonly #readAt;
  readonly #known;
  readonly #names;
  readonly #learn;

  constructor(db: Database, journal: Journal) {
    this.#db = db;
    this.#journal = journal;
    this.#samples = new LibrarySamples(db);
    this.#records = new LibraryRecords(db);
    this.#lines = new LibraryIndex(db);
    this.#tags = new LibraryTags(db);
    this.#own = new LocalAnnotations(db);
    this.#tlps = new BundleTlps(db, {
      samples: this.#samples,
      records: this.#records,
      recordOf: (workspaceId, md5) => this.#recordOf(workspaceId, md5),
    });
    this.#drops = new LibraryDrops(db);
    this.#readAt = db.query(readAtRow, 'SELECT read_at AS readAt FROM record WHERE workspace_id = ? AND md5 = ?');
    this.#known = db.query(knownRow, 'SELECT 1 AS known FROM known_signer WHERE fingerprint = ?');
    this.#names = db.query(nameRow, 'SELECT name FROM known_signer');
    this.#learn = db.command(
      `INSERT INTO known_signer (fingerprint, name, first_seen) VALUES (?, ?, ?) ON CONFLICT (fingerprint) DO UPDATE
        SET name = excluded.name`,
    );
  }

  /** Whether a bundle that this key signed was taken in before. */
  isKnown(fingerprint: string): boolean {
    return this.#known.get(fingerprint) !== null;
  }

  /**
   * Whether a bundle with this name was imported before, regardless of its signer. Visually similar names count as the
   * same.
   */
  isNameKnown(name: string): boolean {
    const asked = readAlike(name);
    return this.#names.all().some((known) => readAlike(known.name) === asked);
  }

  learn(fingerprint: string, name: string): void {
    this.#learn.run(fingerprint, name.toWellFormed(), currentInstant());
  }

  /** Samples leave in a bundle, by what the library knows them by: a hundred take some milliseconds. */
  recordWritten(hashes: readonly string[], note: Required<Pick<JournalEntry, 'outcome' | 'detail'>>): void {
    this.#journal.appendAll(hashes.map((hash) => ({ workspaceId: null, operation: 'bundle', hash, ...note })));
  }

  /**
   * Merges the samples of a bundle into Vitrine's data; no existing value is lost. A few dozen a call. Joins the
   * caller's transaction. @returns the outcome for each sample
   */
  takeIn(taken: readonly SampleTakenIn[], from: TakenFrom): TakenAs[] {
    return this.#db.transaction(() => {
      const outcomes = taken.map((one) => ({ one, as: this.#one(one, from) }));
      this.#journal.appendAll(
        outcomes.map(({ one: { sample, stored }, as }) => ({
          workspaceId: from.workspaceId,
          operation: 'bundle',
          hash: sample.sha256 ?? sample.md5,
          outcome: journalOutcomes[as],
          detail: { from: from.fingerprint, job: from.jobId, bytes: stored !== null },
        })),
      );
      return outcomes.map(({ as }) => as);
    });
  }

  #one({ sample, records, stored }: SampleTakenIn, from: TakenFrom): TakenAs {
    const now = currentInstant();
    if (contradictsBytes(sample, sample.sha256 === null ? null : this.#samples.withSha256(sample.sha256)))
      return 'refused';
    const before = this.#tlps.before(sample);
    const changed = new Set(this.#place(sample, stored, now));
    const record = this.#record(sample, records, { ...from, now });
    if (record === 'changed') changed.add(sample.md5);
    const own = sample.sha256 === null ? 'same' : this.#ownOf({ ...sample, sha256: sample.sha256 }, from);
    if (own !== 'same') changed.add(sample.md5);
    for (const md5 of this.#tlps.hold(sample, reportedTlp(sample, records), { before, workspaceId: from.workspaceId }))
      changed.add(md5);
    this.#refresh(sample, changed);
    if (record === 'contradicted') return record;
    if (own === 'full') return own;
    return changed.size > 0 ? 'changed' : 'same';
  }

  #refresh({ sha256 }: BundledSample, changed: ReadonlySet<string>): void {
    for (const md5 of changed) for (const row of this.#samples.withMd5(md5)) this.#lines.refresh(row);
    const named = sha256 === null ? null : this.#samples.withSha256(sha256);
    // A service may have named this SHA-256 for another MD5.
    if (changed.size > 0 && named !== null && !changed.has(named.md5)) this.#lines.refresh(named);
  }

  /**
   * Its row. Without bytes that were hashed here it is a claim, as a service's is. @returns the MD5s of which something
   * changed
   */
  #place({ md5, sha1, sha256, sizeBytes }: BundledSample, stored: SampleTakenIn['stored'], now: string): string[] {
    if (stored !== null) {
      this.#drops.done(stored.sha256);
      return this.#samples.proven(stored, { sizeBytes: stored.sizeBytes, inVault: true, now });
    }
    const isThere = sha256 === null ? this.#samples.withMd5(md5).length > 0 : this.#samples.withSha256(sha256) !== null;
    if (isThere) return [];
    this.#samples.claimed({ md5, sha1, sha256, sizeBytes }, now);
    return [md5];
  }

  #record(
    sample: BundledSample,
    theirs: readonly BundledRecord[],
    { workspaceId, now }: TakenFrom & { now: string },
  ): 'changed' | 'same' | 'contradicted' {
    const proven = this.#samples
      .withMd5(sample.md5)
      .flatMap((row) => (row.verified === 1 && row.sha256 !== null ? [row.sha256] : []));
    const standing = recordStanding(this.#recordOf(workspaceId, sample.md5), theirs, sample, proven);
    if (standing?.isOfOtherBytes === true) return 'contradicted';
    const merged = standing?.merged ?? null;
    if (merged === null) return 'same';
    this.#records.put(workspaceId, sample.md5, merged.record, merged.readAt);
    const { sha1, sha256, sizeBytes } = merged.record;
    this.#samples.claimed({ md5: sample.md5, sha1, sha256, sizeBytes }, now);
    return 'changed';
  }

  #recordOf(workspaceId: string, md5: string): BundledRecord | null {
    const record = this.#records.get(workspaceId, md5);
    const readAt = this.#readAt.get(workspaceId, md5)?.readAt;
    return record && readAt !== undefined ? { readAt, record } : null;
  }

  #ownOf({ sha256, tags, note }: BundledSample & { sha256: string }, from: TakenFrom): TakenAs {
    const hasTags = this.#tags.change(sha256, tags, []);
    const noted = note === null || note.text.trim() === '' ? 'same' : this.#note(sha256, note.text, from);
    if (noted === 'full') return noted;
    return hasTags || noted === 'changed' ? 'changed' : 'same';
  }

  #note(sha256: string, theirs: string, { name, fingerprint }: TakenFrom): TakenAs {
    const standing = noteStanding(this.#own.note(sha256)?.text ?? null, theirs);
    if (standing === 'same') return 'same';
    const below =
      standing === 'new'
        ? theirs
        : `From ${visibleLine(name)} (key ${fingerprint.slice(0, shownDigits)}):\n\n${theirs}`;
    const text = this.#own.noteWith(sha256, below);
    if (text === null) return 'full';
    return this.#own.setNote(sha256, text) ? 'changed' : 'same';
  }
}

/** In one case, and without what is not seen: white space, and characters that have neither shape nor width. */
const readAlike = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}]+/gu, '');

const journalOutcomes: Record<TakenAs, string> = {
  changed: 'done',
  same: 'already-here',
  full: 'bundle-note-full',
  contradicted: 'bundle-contradicts',
  refused: 'bundle-contradicts',
};

type Named = Pick<BundledSample, 'md5' | 'sha256'>;

/** A row as it was before anything of a sample was taken in. */
interface RowBefore {
  row: SampleRow;
  level: TlpLevel | null;
}

interface BundleTlpsPorts {
  samples: LibrarySamples;
  records: LibraryRecords;
  /** What a workspace has of an MD5. */
  recordOf(workspaceId: string, md5: string): BundledRecord | null;
}

/**
 * Of how far a sample may go, the strictest that was said holds, here and in the bundle: whatever becomes of its hashes
 * and its records when it is taken in.
 */
class BundleTlps {
  readonly #ports: BundleTlpsPorts;
  readonly #tlps: LibraryTlps;
  readonly #own: LocalAnnotations;

  constructor(db: Database, ports: BundleTlpsPorts) {
    this.#ports = ports;
    this.#tlps = new LibraryTlps(db);
    this.#own = new LocalAnnotations(db);
  }

  /** Before anything of it is taken in. */
  before(sample: Named): RowBefore[] {
    const named = this.#named(sample);
    return this.#around(sample, [sample.md5, named?.md5 ?? sample.md5]).map((row) => ({
      row,
      level: this.#tlps.strictest(row),
    }));
  }

  /**
   * Called after everything else of the sample was imported. `reported`: the TLP from the bundle. @returns the MD5s of
   * changed samples
   */
  hold(
    sample: Named,
    reported: TlpLevel | null,
    { before, workspaceId }: { before: readonly RowBefore[]; workspaceId: string },
  ): string[] {
    const was = strictestTlp(
      before.flatMap(({ row, level }) => (isSame(row, sample) || isAlone(row, sample) ? [level] : [])),
    );
    return this.#around(sample, [sample.md5, ...before.map(({ row }) => row.md5)]).flatMap((row) => {
      const own = before.find((one) => one.row.id === row.id)?.level ?? null;
      const least = strictestTlp([own, isSame(row, sample) ? was : null, mayBe(row, sample) ? reported : null]);
      if (least === null || !isStricter(least, this.#tlps.strictest(row))) return [];
      if (row.sha256 === null) this.#tag(row.md5, least, workspaceId);
      else this.#own.setTlp(row.sha256, least);
      return [row.md5];
    });
  }

  /** It, and all that have one of these MD5s. */
  #around(sample: Named, md5s: readonly string[]): SampleRow[] {
    const rows = [...new Set(md5s)].flatMap((md5) => this.#ports.samples.withMd5(md5));
    const named = this.#named(sample);
    return named === null || rows.some(({ id }) => id === named.id) ? rows : [...rows, named];
  }

  #named({ sha256 }: Named): SampleRow | null {
    return sha256 === null ? null : this.#ports.samples.withSha256(sha256);
  }

  /** A person's data belongs to a SHA-256; without one, only a record can carry the TLP. */
  #tag(md5: string, level: TlpLevel, workspaceId: string): void {
    const { readAt, record } = this.#ports.recordOf(workspaceId, md5) ?? {
      readAt: beforeAny,
      record: { ...nothingSaid, md5 },
    };
    this.#ports.records.put(workspaceId, md5, { ...record, tags: [...record.tags, `tlp:${level}`] }, readAt);
  }
}

const isAlone = (row: SampleRow, { md5 }: Named): boolean => row.md5 === md5 && row.sha256 === null;
const isSame = (row: SampleRow, sample: Named): boolean =>
  sample.sha256 === null ? isAlone(row, sample) : row.sha256 === sample.sha256;
/** Without a SHA-256 here or there, one MD5 may be either. */
const mayBe = (row: SampleRow, sample: Named): boolean =>
  isSame(row, sample) || isAlone(row, sample) || (sample.sha256 === null && row.md5 === sample.md5);

/** Never read from a service: any record that a service returns is newer. */
const beforeAny = '1970-01-01T00:00:00.000Z';
const nothingSaid: SampleRecord = {
  md5: null,
  sha1: null,
  sha256: null,
  name: null,
  sizeBytes: null,
  date: null,
  uploader: null,
  threat: null,
  criticity: null,
  mime: null,
  favorite: null,
  locked: null,
  tags: [],
  urls: [],
  comments: [],
  commentsOmitted: 0,
  listsComments: false,
  virusTotal: { state: null, score: null, link: null },
  sandbox: { state: null, link: null },
  ssdeep: null,
  imphash: null,
  pdbPath: null,
  signer: null,
  warning: null,
  unknown: {},
};
