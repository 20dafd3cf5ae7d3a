import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type BundledRecord,
  bundledRecord,
  type BundledRules,
  type BundledSample,
  type LocalChanges,
  type WorkspaceChanges,
} from '../../../shared/domain/bundle.ts';
import { strictestTlp, type TlpLevel } from '../../../shared/domain/tag.ts';
import { readJson } from '../database/stored-json.ts';
import { strictestSaid } from '../library/library-tlps.ts';
import { levelOf } from '../library/sample-table.ts';
import { contradictsBytes, isStricter, noteStanding, recordStanding, reportedTlp } from './bundle-standing.ts';

const sampleRow = z.object({
  md5: z.string(),
  sha1: z.string().nullable(),
  verified: z.number(),
  tlp: z.number().nullable(),
  inVault: z.number(),
  damage: z.string().nullable(),
});
type KnownSample = z.infer<typeof sampleRow>;
const ownRow = z.object({ tags: z.string(), note: z.string().nullable() });
const levelRow = z.object({ level: z.number().nullable() });
const sha256Row = z.object({ sha256: z.string() });
const texts = z.array(z.string());

const nothing = (): LocalChanges => ({
  samples: { new: 0, same: 0, contradicting: 0, newBytes: 0, bytes: 0 },
  tags: { new: 0 },
  notes: { new: 0, same: 0, added: 0 },
  tlps: { stricter: 0, same: 0 },
});

/**
 * What taking a bundle in would change here, in each workspace it may be taken into, counted sample by sample. In a
 * thread of its own, over a connection that reads.
 */
export class BundlePreview {
  readonly changes = nothing();
  readonly workspaces: readonly BundleWorkspacePreview[];
  readonly #bySha256;
  readonly #alone;
  readonly #ofMd5;
  readonly #said;
  readonly #own;
  readonly #proven;

  constructor(sql: DatabaseSync, workspaceIds: readonly string[]) {
    const select = 'SELECT md5, sha1, verified, tlp, in_vault AS inVault, damage FROM sample WHERE';
    this.workspaces = workspaceIds.map((id) => new BundleWorkspacePreview(sql, id));
    this.#bySha256 = sql.prepare(`${select} sha256 = ?`);
    this.#alone = sql.prepare(`${select} md5 = ? AND sha256 IS NULL`);
    this.#ofMd5 = sql.prepare(`${select} md5 = ? LIMIT 100`);
    this.#said = sql.prepare(strictestSaid);
    this.#own = sql.prepare(
      `SELECT (SELECT json_group_array(tag) FROM sample_tag WHERE sha256 = ?1) AS tags,
        (SELECT note FROM sample_own WHERE sha256 = ?1) AS note`,
    );
    this.#proven = sql.prepare(
      'SELECT sha256 FROM sample WHERE md5 = ? AND verified = 1 AND sha256 IS NOT NULL LIMIT 100',
    );
  }

  /** `hasBytes`: they come, and prove which bytes it is before its records are held against it. */
  sample(sample: BundledSample, records: readonly BundledRecord[], hasBytes: boolean): void {
    const known = this.#known(sample);
    // It is refused as it is taken in, and nothing of it comes.
    if (sample.sha256 !== null && contradictsBytes(sample, known[0] ?? null)) {
      this.changes.samples.contradicting += 1;
      return;
    }
    this.changes.samples[known.length === 0 ? 'new' : 'same'] += 1;
    this.#tlpOf(sample, known, { reported: reportedTlp(sample, records), hasBytes });
    if (sample.sha256 !== null) this.#ownOf({ ...sample, sha256: sample.sha256 });
    const proven = this.#proven.all(sample.md5).map((found) => sha256Row.parse(found).sha256);
    const coming = hasBytes && sample.sha256 !== null ? [sample.sha256] : [];
    for (const workspace of this.workspaces) workspace.sample(sample, records, [...proven, ...coming]);
  }

  /** Its bytes are in the bundle. */
  bytes(sample: BundledSample): void {
    const sizeBytes = sample.sizeBytes ?? 0;
    this.changes.samples.bytes += sizeBytes;
    if (!this.isHeld(sample)) this.changes.samples.newBytes += sizeBytes;
  }

  rules(rules: BundledRules): void {
    for (const workspace of this.workspaces) workspace.rules(rules);
  }

  /** Whether each of the workspaces has them. */
  haveRules(sha256: string): boolean {
    return this.workspaces.every((workspace) => workspace.hasRules(sha256));
  }

  /** Whether the vault has the bytes as they should be. */
  isHeld(sample: BundledSample): boolean {
    const [row] = this.#known(sample);
    return row !== undefined && row.inVault === 1 && row.damage === null;
  }

  /**
   * The row with its SHA-256, if there is one, before that with its MD5 and no SHA-256, which would become it. Without
   * a SHA-256: all that it may be.
   */
  #known({ sha256, md5 }: BundledSample): KnownSample[] {
    const found = sha256 === null ? this.#ofMd5.all(md5) : [...this.#bySha256.all(sha256), ...this.#alone.all(md5)];
    return found.map((row) => sampleRow.parse(row));
  }

  /** One that may be several is stricter as soon as one of them is. */
  #tlpOf(
    { sha256, md5 }: BundledSample,
    known: readonly KnownSample[],
    { reported, hasBytes }: { reported: TlpLevel | null; hasBytes: boolean },
  ): void {
    // A row that a service named for another MD5 stays that of the other one until bytes prove it wrong.
    const isOfAnother = known[0] !== undefined && known[0].md5 !== md5 && !hasBytes;
    const said = isOfAnother ? null : levelOf(levelRow.parse(this.#said.get(md5, sha256)).level);
    const here = known.map(({ tlp }) => levelOf(tlp));
    const [first = said, ...others] = here;
    const [least, before] =
      sha256 === null && here.length > 0 ? [reported, here] : [strictestTlp([reported, said, ...others]), [first]];
    const isRaised = least !== null && before.some((level) => isStricter(least, level));
    if (isRaised || reported !== null) this.changes.tlps[isRaised ? 'stricter' : 'same'] += 1;
  }

  #ownOf({ sha256, tags, note }: BundledSample & { sha256: string }): void {
    const own = ownRow.parse(this.#own.get(sha256));
    const known = new Set(texts.parse(readJson(own.tags)));
    this.changes.tags.new += new Set(tags.filter((one) => !known.has(one))).size;
    if (note !== null && note.text.trim() !== '') this.changes.notes[noteStanding(own.note, note.text)] += 1;
  }
}

const recordRow = z.object({ readAt: z.string(), body: z.string() });

/** What taking a bundle into one workspace would change there: its records, their comments, its rules. */
class BundleWorkspacePreview {
  readonly changes: WorkspaceChanges;
  readonly #record;
  readonly #package;

  constructor(sql: DatabaseSync, workspaceId: string) {
    this.changes = {
      workspaceId,
      records: { new: 0, newer: 0, same: 0, older: 0, contradicting: 0 },
      comments: { new: 0, same: 0 },
      rules: null,
    };
    this.#record = sql.prepare('SELECT read_at AS readAt, body FROM record WHERE workspace_id = ? AND md5 = ?');
    this.#package = sql.prepare('SELECT 1 FROM rule_package WHERE workspace_id = ? AND sha256 = ?');
  }

  /** `proven`: SHA-256s of bytes with its MD5 that were hashed here. */
  sample(sample: BundledSample, records: readonly BundledRecord[], proven: readonly string[]): void {
    if (records.length === 0) return;
    const standing = recordStanding(this.#ours(sample.md5), records, sample, proven);
    if (standing === null) return;
    this.changes.records[standing.isOfOtherBytes ? 'contradicting' : standing.record] += 1;
    this.changes.comments.new += standing.comments.new;
    this.changes.comments.same += standing.comments.same;
  }

  rules({ version, sha256 }: BundledRules): void {
    this.changes.rules = { version, state: this.hasRules(sha256) ? 'same' : 'new' };
  }

  hasRules(sha256: string): boolean {
    return this.#package.get(this.changes.workspaceId, sha256) !== undefined;
  }

  #ours(md5: string): BundledRecord | null {
    const found = this.#record.get(this.changes.workspaceId, md5);
    if (found === undefined) return null;
    const { readAt, body } = recordRow.parse(found);
    return bundledRecord.safeParse({ readAt, record: readJson(body) }).data ?? null;
  }
}
