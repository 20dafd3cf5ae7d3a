import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { MuteChange, MuteDraft } from '../../../shared/domain/mute.ts';
import type { hitMute } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import type { Journal } from '../journal/journal.ts';

/**
 * A mute as it is stored. `print`: of the rule's text when it was muted or confirmed last; null where there was none.
 */
export interface MuteRow extends MuteDraft {
  id: number;
  /** UTC, ISO 8601. */
  created: string;
  print: string | null;
}

/** A mute before and after it was added or removed; null: there was none, and one of them is there. */
export type MuteRows = { before: MuteRow | null; after: MuteRow } | { before: MuteRow; after: null };

const muteRow = z.object({
  id: z.number(),
  workspaceId: z.string(),
  rule: z.string(),
  sample: z.string().nullable(),
  reason: z.string(),
  expires: z.string().nullable(),
  created: z.string(),
  print: z.string().nullable(),
});
const columns = 'id, workspace_id AS workspaceId, rule, sample, reason, expires, created, print';

/** Rules whose hits are not to be shown as hits, of each workspace. Every change is journalled with it. */
export class MuteStore {
  readonly #db: Database;
  readonly #journal: Journal;
  readonly #all;
  readonly #one;
  readonly #of;
  readonly #put;
  readonly #change;
  readonly #confirm;
  readonly #restore;
  readonly #drop;

  constructor(db: Database, journal: Journal) {
    this.#db = db;
    this.#journal = journal;
    this.#all = db.query(muteRow, `SELECT ${columns} FROM mute WHERE workspace_id = ? ORDER BY id DESC`);
    this.#one = db.query(muteRow, `SELECT ${columns} FROM mute WHERE id = ?`);
    this.#of = db.query(
      muteRow,
      `SELECT ${columns} FROM mute WHERE workspace_id = ? AND rule = ? AND ifnull(sample, '') = ifnull(?, '')`,
    );
    this.#put = db.query(
      muteRow,
      `INSERT INTO mute (workspace_id, rule, sample, reason, expires, created, print) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (workspace_id, rule, ifnull(sample, '')) DO UPDATE
        SET reason = excluded.reason, expires = excluded.expires, print = excluded.print
      RETURNING ${columns}`,
    );
    this.#change = db.query(muteRow, `UPDATE mute SET reason = ?, expires = ? WHERE id = ? RETURNING ${columns}`);
    this.#confirm = db.query(muteRow, `UPDATE mute SET print = ? WHERE id = ? RETURNING ${columns}`);
    this.#restore = db.query(
      muteRow,
      `INSERT INTO mute (id, workspace_id, rule, sample, reason, expires, created, print)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET reason = excluded.reason, expires = excluded.expires, created = excluded.created,
        print = excluded.print RETURNING ${columns}`,
    );
    this.#drop = db.command('DELETE FROM mute WHERE id = ?');
  }

  /** Newest first. */
  list(workspaceId: string): MuteRow[] {
    return this.#all.all(workspaceId);
  }

  get(id: number): MuteRow | null {
    return this.#one.get(id);
  }

  /** The one that the rule has in the same sample. */
  find({ workspaceId, rule, sample }: Pick<MuteDraft, 'workspaceId' | 'rule' | 'sample'>): MuteRow | null {
    return this.#of.get(workspaceId, rule, sample);
  }

  /**
   * The same rule in the same sample has one mute: muted again, it has the new reason, end and print. Names differ by
   * case.
   */
  add({ workspaceId, rule, sample, reason, expires }: MuteDraft, print: string | null): MuteRow {
    return this.#db.transaction(() => {
      const outcome = this.find({ workspaceId, rule, sample }) === null ? 'added' : 'changed';
      const row = this.#put.get(workspaceId, rule, sample, reason, expires, currentInstant(), print);
      if (row === null) throw new TypeError('a mute without a row');
      return this.#noted(row, outcome);
    });
  }

  /** What is not given stays. Fails with `mute-missing`. */
  change(id: number, { reason, expires }: MuteChange): MuteRow {
    return this.#db.transaction(() => {
      const mute = this.get(id) ?? missing(id);
      return this.#noted(
        this.#change.get(reason ?? mute.reason, expires === undefined ? mute.expires : expires, id) ?? missing(id),
        'changed',
      );
    });
  }

  /** The rule as it is now is what is muted. Fails with `mute-missing`. */
  confirm(id: number, print: string | null): MuteRow {
    return this.#db.transaction(() => this.#noted(this.#confirm.get(print, id) ?? missing(id), 'confirmed'));
  }

  /** Fails with `mute-missing`. */
  remove(id: number): void {
    this.#db.transaction(() => {
      const mute = this.get(id) ?? missing(id);
      this.#drop.run(id);
      this.#noted(mute, 'removed');
    });
  }

  /** Leaves all as it was before the step. Fails with `mute-changed` where it is not as it was behind it. */
  takeBack({ before, after }: MuteRows): void {
    const last = after ?? before;
    this.#db.transaction(() => {
      if (!isDeepStrictEqual(this.find(last), after)) fail({ kind: 'mute-changed' });
      if (before === null) return this.remove(last.id);
      const { id, workspaceId, rule, sample, reason, expires, created, print } = before;
      this.#restore.get(id, workspaceId, rule, sample, reason, expires, created, print);
      this.#noted(before, after === null ? 'added' : 'changed');
    });
  }

  #noted(mute: MuteRow, outcome: 'added' | 'changed' | 'confirmed' | 'removed'): MuteRow {
    const { workspaceId, rule, sample, reason, expires } = mute;
    this.#journal.append({ workspaceId, operation: 'mute', hash: sample, outcome, detail: { rule, reason, expires } });
    return mute;
  }
}

const missing = (id: number): never => fail({ kind: 'mute-missing', id });

type HitMute = z.infer<typeof hitMute>;

/** A mute as the table has it. */
export const muteInForceRow = z.object({ rule: z.string(), reason: z.string(), expires: z.string().nullable() });

/** Of a row `mute`: it holds at a time, given as SQL of a UTC ISO 8601 text. */
export const holdsAt = (time: string): string =>
  `(mute.expires IS NULL OR unixepoch(mute.expires, 'subsec') > unixepoch(${time}, 'subsec'))`;

/** Mutes of a workspace that hold in a sample at a time; one of the sample itself comes before that of every sample. */
export const mutesOfSample = `
  SELECT rule, reason, expires FROM mute WHERE workspace_id = ?1 AND (sample IS NULL OR sample = ?2)
    AND ${holdsAt('?3')}
  ORDER BY sample IS NULL`;

/** The first of each rule. */
export function muteByRule(rows: readonly z.infer<typeof muteInForceRow>[]): Map<string, HitMute> {
  const byRule = new Map<string, HitMute>();
  for (const { rule, reason, expires } of rows) if (!byRule.has(rule)) byRule.set(rule, { reason, expires });
  return byRule;
}
