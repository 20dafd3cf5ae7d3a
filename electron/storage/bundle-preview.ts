import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { BundleChanges } from '../../shared/domain/bundle.ts';
import { bundledRecord, type BundledRecord, type BundledRules, type BundledSample } from '../../shared/domain/bundled.ts';
import { tlpLevels } from '../../shared/domain/tlp.ts';
import { isStricter, noteStanding, recordStanding } from './bundle-standing.ts';
import { readJson } from './stored-json.ts';

const sampleRow = z.object({ tlp: z.number().nullable(), inVault: z.number(), damage: z.string().nullable() });
const ownRow = z.object({ tags: z.string(), note: z.string().nullable() });
const recordRow = z.object({ readAt: z.string(), body: z.string() });
const sha256Row = z.object({ sha256: z.string() });
const texts = z.array(z.string());

const nothing = (): BundleChanges => ({
  samples: { new: 0, same: 0, newBytes: 0, bytes: 0 },
  records: { new: 0, newer: 0, same: 0, older: 0 },
  tags: { new: 0 },
  notes: { new: 0, same: 0, added: 0 },
  comments: { new: 0, same: 0 },
  tlps: { stricter: 0, same: 0 },
  rules: null,
});

/** What taking a bundle in would change here, counted sample by sample. In a thread of its own, over a connection that reads. */
export class BundlePreview {
  readonly changes = nothing();
  readonly #workspaceId: string;
  readonly #bySha256;
  readonly #byMd5;
  readonly #own;
  readonly #record;
  readonly #package;
  readonly #proven;

  /** Records, comments and rules are held against those of the workspace. */
  constructor(sql: DatabaseSync, workspaceId: string) {
    const select = 'SELECT tlp, in_vault AS inVault, damage FROM sample WHERE';
    this.#workspaceId = workspaceId;
    this.#bySha256 = sql.prepare(`${select} sha256 = ?`);
    this.#byMd5 = sql.prepare(`${select} md5 = ? LIMIT 1`);
    this.#own = sql.prepare('SELECT (SELECT json_group_array(tag) FROM sample_tag WHERE sha256 = ?1) AS tags, (SELECT note FROM sample_own WHERE sha256 = ?1) AS note');
    this.#record = sql.prepare('SELECT read_at AS readAt, body FROM record WHERE workspace_id = ? AND md5 = ?');
    this.#proven = sql.prepare('SELECT sha256 FROM sample WHERE md5 = ? AND verified = 1 AND sha256 IS NOT NULL LIMIT 100');
    this.#package = sql.prepare('SELECT 1 FROM rule_package WHERE workspace_id = ? AND sha256 = ?');
  }

  sample(sample: BundledSample, records: readonly BundledRecord[]): void {
    const row = this.#row(sample);
    this.changes.samples[row === null ? 'new' : 'same'] += 1;
    if (sample.sha256 !== null) this.#ownOf({ ...sample, sha256: sample.sha256 }, row?.tlp ?? null);
    const standing = recordStanding(this.#ours(sample.md5), records, sample, this.#proven.all(sample.md5).map((found) => sha256Row.parse(found).sha256));
    if (standing === null) return;
    this.changes.records[standing.record] += 1;
    this.changes.comments.new += standing.comments.new;
    this.changes.comments.same += standing.comments.same;
  }

  /** Its bytes are in the bundle. */
  bytes(sample: BundledSample): void {
    const sizeBytes = sample.sizeBytes ?? 0;
    this.changes.samples.bytes += sizeBytes;
    if (!this.isHeld(sample)) this.changes.samples.newBytes += sizeBytes;
  }

  rules({ version, sha256 }: BundledRules): void {
    this.changes.rules = { version, state: this.hasRules(sha256) ? 'same' : 'new' };
  }

  hasRules(sha256: string): boolean {
    return this.#package.get(this.#workspaceId, sha256) !== undefined;
  }

  /** Whether the vault has the bytes as they should be. */
  isHeld(sample: BundledSample): boolean {
    const row = this.#row(sample);
    return row !== null && row.inVault === 1 && row.damage === null;
  }

  #row({ sha256, md5 }: BundledSample): z.infer<typeof sampleRow> | null {
    const found = sha256 === null ? this.#byMd5.get(md5) : this.#bySha256.get(sha256);
    return found === undefined ? null : sampleRow.parse(found);
  }

  #ownOf({ sha256, tags, note, tlp }: BundledSample & { sha256: string }, level: number | null): void {
    const own = ownRow.parse(this.#own.get(sha256));
    const known = new Set(texts.parse(readJson(own.tags)));
    this.changes.tags.new += new Set(tags.filter((one) => !known.has(one))).size;
    if (note !== null && note.text.trim() !== '') this.changes.notes[noteStanding(own.note, note.text)] += 1;
    const ours = level === null ? null : (tlpLevels[level] ?? 'red');
    if (tlp !== null) this.changes.tlps[isStricter(tlp, ours) ? 'stricter' : 'same'] += 1;
  }

  #ours(md5: string): BundledRecord | null {
    const found = this.#record.get(this.#workspaceId, md5);
    if (found === undefined) return null;
    const { readAt, body } = recordRow.parse(found);
    return bundledRecord.safeParse({ readAt, record: readJson(body) }).data ?? null;
  }
}
