import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { DeskChanges } from '../../shared/domain/bundle.ts';
import type { BundledRecord, BundledRules, BundledSample } from '../../shared/domain/bundled.ts';
import { tlpLevels } from '../../shared/domain/tlp.ts';
import { isStricter, noteStanding } from './bundle-standing.ts';
import { BundleWorkspacePreview } from './bundle-workspace-preview.ts';
import { readJson } from './stored-json.ts';

const sampleRow = z.object({ tlp: z.number().nullable(), inVault: z.number(), damage: z.string().nullable() });
const ownRow = z.object({ tags: z.string(), note: z.string().nullable() });
const sha256Row = z.object({ sha256: z.string() });
const texts = z.array(z.string());

const nothing = (): DeskChanges => ({
  samples: { new: 0, same: 0, newBytes: 0, bytes: 0 },
  tags: { new: 0 },
  notes: { new: 0, same: 0, added: 0 },
  tlps: { stricter: 0, same: 0 },
});

/** What taking a bundle in would change here, in each workspace it may be taken into, counted sample by sample. In a thread of its own, over a connection that reads. */
export class BundlePreview {
  readonly changes = nothing();
  readonly workspaces: readonly BundleWorkspacePreview[];
  readonly #bySha256;
  readonly #byMd5;
  readonly #own;
  readonly #proven;

  constructor(sql: DatabaseSync, workspaceIds: readonly string[]) {
    const select = 'SELECT tlp, in_vault AS inVault, damage FROM sample WHERE';
    this.workspaces = workspaceIds.map((id) => new BundleWorkspacePreview(sql, id));
    this.#bySha256 = sql.prepare(`${select} sha256 = ?`);
    this.#byMd5 = sql.prepare(`${select} md5 = ? LIMIT 1`);
    this.#own = sql.prepare('SELECT (SELECT json_group_array(tag) FROM sample_tag WHERE sha256 = ?1) AS tags, (SELECT note FROM sample_own WHERE sha256 = ?1) AS note');
    this.#proven = sql.prepare('SELECT sha256 FROM sample WHERE md5 = ? AND verified = 1 AND sha256 IS NOT NULL LIMIT 100');
  }

  sample(sample: BundledSample, records: readonly BundledRecord[]): void {
    const row = this.#row(sample);
    this.changes.samples[row === null ? 'new' : 'same'] += 1;
    if (sample.sha256 !== null) this.#ownOf({ ...sample, sha256: sample.sha256 }, row?.tlp ?? null);
    const proven = this.#proven.all(sample.md5).map((found) => sha256Row.parse(found).sha256);
    for (const workspace of this.workspaces) workspace.sample(sample, records, proven);
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
}
