import { z } from 'zod';
import { type KnownBesides, type KnownRules, scanSide } from '../../shared/domain/scan.ts';
import { criticity } from '../../shared/domain/sample.ts';
import type { Database } from './database.ts';
import { holdsAt } from './mutes-in-force.ts';

const hitRow = z.object({ rule: z.string(), side: scanSide, version: z.string().nullable(), isOlder: z.number() });
type HitRow = z.infer<typeof hitRow>;
const recordRow = z.object({ severity: z.string().nullable(), threat: z.string().nullable() });

const hitsIn = (
  table: string,
  isOlder: 0 | 1,
): string => `SELECT rule.rule, hit.side, hit.version, ${isOlder} AS isOlder
  FROM hit_sample AS sample CROSS JOIN ${table} AS hit ON hit.sample_id = sample.id CROSS JOIN hit_rule AS rule
    ON rule.id = hit.rule_id
  WHERE sample.sha256 = ?1 AND NOT EXISTS (SELECT 1 FROM mute WHERE mute.workspace_id = sample.workspace_id
    AND mute.rule = rule.rule
    AND (mute.sample IS NULL OR mute.sample = ?1) AND ${holdsAt('?2')})`;

/** A record of other bytes with the same MD5 says nothing of these. */
const records = `SELECT body ->> '$.criticity' AS severity, body ->> '$.threat' AS threat FROM record
  WHERE md5 IN (?1, (SELECT md5 FROM sample WHERE sha256 = ?2)) AND ifnull(sha256, ?2) = ?2 AND json_valid(body)
    ORDER BY read_at DESC`;

const mostNamed = 3;
const worstFirst = criticity.options;

/** Reads what is known of a sample besides the hits of one scan. */
export class KnownHits {
  readonly #hits;
  readonly #records;

  constructor(db: Pick<Database, 'query'>) {
    this.#hits = db.query(hitRow, `${hitsIn('sample_hit', 0)} UNION ALL ${hitsIn('older_hit', 1)} ORDER BY 1`);
    this.#records = db.query(recordRow, records);
  }

  /**
   * `shown`: rules that are shown anyway. `md5`: null where only the library may know it. `now`: UTC, ISO 8601, what
   * mutes are held against. null: nothing is known.
   */
  besides(
    shown: Iterable<string>,
    { sha256, md5 }: { sha256: string; md5: string | null },
    now: string,
  ): KnownBesides | null {
    const isShown = new Set(shown);
    const rows = this.#hits.all(sha256, now).filter(({ rule }) => !isShown.has(rule));
    const current = rows.filter(({ isOlder }) => isOlder === 0);
    const isCurrent = new Set(current.map(({ rule }) => rule));
    const hits = knownRules(current);
    const older = knownRules(rows.filter(({ rule }) => !isCurrent.has(rule)));
    const record = worst(this.#records.all(md5, sha256));
    return hits.count + older.count === 0 && record.severity === null && record.threat === null
      ? null
      : { hits, older, ...record };
  }
}

function knownRules(rows: readonly HitRow[]): KnownRules {
  const rules = [...new Set(rows.map(({ rule }) => rule))];
  const [side = null, ...others] = new Set(rows.map((row) => row.side));
  const versions = [...new Set(rows.flatMap(({ version }) => version ?? []))];
  return {
    count: rules.length,
    rules: rules.slice(0, mostNamed),
    side: others.length > 0 ? null : side,
    versions: versions.slice(0, mostNamed),
  };
}

/** The newest of the worst; a severity that is none of the scale says nothing. */
function worst(rows: readonly z.infer<typeof recordRow>[]): Pick<KnownBesides, 'severity' | 'threat'> {
  const read = rows.map(({ severity, threat }) => ({ severity: criticity.safeParse(severity).data ?? null, threat }));
  const graded = worstFirst.flatMap((grade) => read.filter(({ severity }) => severity === grade));
  return graded[0] ?? { severity: null, threat: read.find(({ threat }) => threat !== null)?.threat ?? null };
}
