import { z } from 'zod';
import type { LibraryRow, VaultState } from '../../../shared/domain/library.ts';
import { type LocalSample, type Severity, severity } from '../../../shared/domain/sample.ts';
import { tag, type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import type { Database } from '../database/database.ts';
import type { Command, Query } from '../database/statement.ts';

/** A row of `sample` with its local tags. Loose about hashes: what was stored was checked when it came in. */
export const storedLibraryRow = z.object({
  md5: z.string(),
  sha1: z.string().nullable(),
  sha256: z.string().nullable(),
  name: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  type: z.string().nullable(),
  tags: z.string(),
  ownTags: z.string().nullable(),
  tlp: z.number().nullable(),
  isRecorded: z.number(),
  threat: z.string().nullable(),
  severity: z.number().nullable(),
  hits: z.number(),
  comments: z.number(),
  hasNote: z.number(),
  inVault: z.number(),
  damage: z.enum(['missing', 'altered']).nullable(),
  firstSeen: z.string(),
  lastSeen: z.string(),
});
type StoredLibraryRow = z.infer<typeof storedLibraryRow>;

/** Whether a record speaks of it, in a statement over `sample`. One that names a SHA-256 speaks of that sample only. */
export const isRecorded = `EXISTS (SELECT 1 FROM record WHERE record.md5 = sample.md5
  AND (sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256))`;

/** What `storedLibraryRow` reads, of a table `sample`. */
export const libraryColumns = `sample.md5, sample.sha1, sample.sha256, sample.name, sample.size_bytes AS sizeBytes,
  sample.type, sample.tags,
  (SELECT group_concat(tag ORDER BY tag) FROM sample_tag WHERE sample_tag.sha256 = sample.sha256) AS ownTags,
    sample.tlp, ${isRecorded} AS isRecorded, sample.threat, sample.severity,
  sample.hits, sample.comments, sample.has_note AS hasNote, sample.in_vault AS inVault, sample.damage,
    sample.first_seen AS firstSeen, sample.last_seen AS lastSeen`;

export function libraryRowOf({
  ownTags,
  tags,
  tlp,
  severity: worst,
  isRecorded: recorded,
  hasNote,
  inVault,
  damage,
  ...row
}: StoredLibraryRow): LibraryRow {
  return {
    ...row,
    ...tagsOf(tags, ownTags),
    hash: row.sha256 ?? row.md5,
    tlp: levelOf(tlp),
    severity: worst === null ? null : (severities[worst] ?? null),
    isRecorded: recorded === 1,
    hasNote: hasNote === 1,
    vault: vaultStateOf(inVault, damage),
  };
}

/** Tags have no comma. */
function tagsOf(all: string, own: string | null): Pick<LibraryRow, 'tags' | 'serviceTags'> {
  const tags = (own ?? '').split(',').filter((one) => tag.safeParse(one).success);
  const here = new Set(tags);
  return { tags, serviceTags: all.split(',').filter((one) => one !== '' && !here.has(one)) };
}

/** As `sample.severity` numbers them. */
const severities: readonly Severity[] = severity.options.toReversed();

export const severityNumber = (stated: Severity | null): number | null =>
  stated === null ? null : severities.indexOf(stated);

/** A level that cannot be read may be the strictest there is, and is taken for it. */
export const levelOf = (stored: number | null): TlpLevel | null =>
  stored === null ? null : (tlpLevels[stored] ?? 'red');

const vaultStateOf = (inVault: number, damage: VaultState | null): VaultState =>
  damage ?? (inVault === 1 ? 'held' : 'none');

/** A row of `sample`. Loose about hashes: what was stored was checked when it came in. */
export const sampleRow = z.object({
  id: z.number(),
  md5: z.string(),
  sha1: z.string().nullable(),
  sha256: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  verified: z.number(),
  inVault: z.number(),
  damage: z.string().nullable(),
  firstSeen: z.string(),
  lastSeen: z.string(),
});
export type SampleRow = z.infer<typeof sampleRow>;

export const sampleColumns = `sample.id, sample.md5, sample.sha1, sample.sha256, sample.size_bytes AS sizeBytes,
  sample.verified,
  sample.in_vault AS inVault, sample.damage, sample.first_seen AS firstSeen, sample.last_seen AS lastSeen`;

/** A lost or altered copy counts as no copy: otherwise the sample would not be downloaded again. */
export const localSampleOf = (
  { md5, sha1, sha256, sizeBytes, inVault, damage, firstSeen, lastSeen }: SampleRow,
  tags: string[],
): LocalSample => ({
  md5,
  sha1,
  sha256,
  sizeBytes,
  inVault: inVault === 1 && damage === null,
  firstSeen,
  lastSeen,
  tags,
});

/** A sample whose bytes the vault has. */
export interface SampleInVault {
  /** Rises with the order in which samples came to be known. */
  id: number;
  sha256: string;
  md5: string;
  /** As a service had it last; untrusted text. */
  name: string | null;
  sizeBytes: number;
}

const vaultRow = z.object({
  id: z.number(),
  sha256: z.string(),
  md5: z.string(),
  name: z.string().nullable(),
  sizeBytes: z.number(),
});

/** Altered bytes are there, though they are not what they were; missing ones are not. In a statement over `sample`. */
export const isInVault = "sample.in_vault = 1 AND sample.damage IS NOT 'missing'";
/**
 * What samples have together, in a statement over `sample`. What a service or a bundle claims is bounded, but a million
 * claims are more than a number of JavaScript can be.
 */
export const bytesTogether = `min(total(size_bytes), ${Number.MAX_SAFE_INTEGER})`;
/** Samples that are missing, and their bytes: `library_total` counts them. */
export const missingOfTotal = `SELECT count(*) AS samples, ${bytesTogether} AS bytes
  FROM sample INDEXED BY sample_with_damage
  WHERE damage IS NOT NULL AND damage = 'missing' AND in_vault = 1`;

/** Lists the content of the vault, for a caller that goes through all of it. */
export class LibraryVault {
  readonly #page;
  readonly #expected;
  readonly #numbered;

  constructor(db: Database) {
    const page = (which: string): string => `SELECT id, sha256, md5, name, ifnull(size_bytes, 0) AS sizeBytes
      FROM sample INDEXED BY sample_in_vault
      WHERE ${which} AND id > ? AND sha256 IS NOT NULL ORDER BY id LIMIT ?`;
    this.#page = db.query(vaultRow, page(isInVault));
    this.#numbered = db.query(
      vaultRow,
      `SELECT id, sha256, md5, name, ifnull(size_bytes, 0) AS sizeBytes FROM sample
      WHERE id IN (SELECT value FROM json_each(?)) AND sha256 IS NOT NULL ORDER BY id`,
    );
    this.#expected = db.query(vaultRow, page('in_vault = 1'));
  }

  page(after: number, limit: number): SampleInVault[] {
    return this.#page.all(after, limit);
  }

  /** Samples by these numbers, as far as there are any, whether the vault has them or not. */
  numbered(ids: readonly number[]): SampleInVault[] {
    return this.#numbered.all(JSON.stringify(ids));
  }

  /** The same with those that are missing. */
  expected(after: number, limit: number): SampleInVault[] {
    return this.#expected.all(after, limit);
  }
}

/** In a statement over `sample`. */
export const hitsOfSample = `(SELECT count(DISTINCT rule) FROM hit_sample CROSS JOIN sample_hit
  ON sample_id = hit_sample.id
  CROSS JOIN hit_rule ON hit_rule.id = rule_id WHERE hit_sample.sha256 = sample.sha256)`;
export const commentsOfSample = '(SELECT count(*) FROM comment WHERE comment.md5 = sample.md5)';

const countRow = z.object({ id: z.number(), before: z.number(), now: z.number() });
type Count = z.infer<typeof countRow>;

/**
 * What rows of the library count, for those who write many of it: a row that counts the same is not written. The caller
 * gives the transaction.
 */
export class LibraryCounts {
  readonly #hits;
  readonly #setHits;
  readonly #comments;
  readonly #setComments;

  constructor(db: Database) {
    this.#hits = db.query(countRow, `SELECT id, hits AS before, ${hitsOfSample} AS now FROM sample WHERE sha256 = ?`);
    this.#setHits = db.command('UPDATE sample SET hits = ? WHERE id = ?');
    this.#comments = db.query(
      countRow,
      `SELECT id, comments AS before, ${commentsOfSample} AS now FROM sample WHERE md5 = ?`,
    );
    this.#setComments = db.command('UPDATE sample SET comments = ? WHERE id = ?');
  }

  /** To be called when a rule came to hit the bytes, or hits them no more. */
  hits(sha256: string): void {
    recount(this.#hits, this.#setHits, sha256);
  }

  /** To be called when a comment came or went. */
  comments(md5: string): void {
    recount(this.#comments, this.#setComments, md5);
  }
}

function recount(counts: Query<Count>, set: Command, hash: string): void {
  for (const { id, before, now } of counts.all(hash)) if (before !== now) set.run(now, id);
}
