import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  bundledRecord,
  type BundledRecord,
  type BundledRules,
  type BundledSample,
  type WorkspaceChanges,
} from '../../shared/domain/bundle.ts';
import { recordStanding } from './bundle-standing.ts';
import { readJson } from './stored-json.ts';

const recordRow = z.object({ readAt: z.string(), body: z.string() });

/** What taking a bundle into one workspace would change there: its records, their comments, its rules. */
export class BundleWorkspacePreview {
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
