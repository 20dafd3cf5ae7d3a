import { z } from 'zod';
import { historyWeeks } from '../../../shared/domain/publication.ts';
import { severity } from '../../../shared/domain/sample.ts';
import { type KnownBesides, type KnownRules, scanSide } from '../../../shared/domain/scan.ts';
import type { Queries } from '../database/statement.ts';
import type { RuleHistory, RuleHits } from '../reading/reading-thread.ts';
import { holdsAt } from './mute-store.ts';

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

/** A record of other bytes with the same MD5 does not apply to these. */
const records = `SELECT body ->> '$.criticity' AS severity, body ->> '$.threat' AS threat FROM record
  WHERE md5 IN (?1, (SELECT md5 FROM sample WHERE sha256 = ?2)) AND ifnull(sha256, ?2) = ?2 AND json_valid(body)
    ORDER BY read_at DESC`;

const mostNamed = 3;
const worstFirst = severity.options;

/** Reads what is known of a sample besides the hits of one scan. */
export class KnownHits {
  readonly #hits;
  readonly #records;

  constructor(db: Queries) {
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

/** The newest of the worst; a severity outside the scale is ignored. */
function worst(rows: readonly z.infer<typeof recordRow>[]): Pick<KnownBesides, 'severity' | 'threat'> {
  const read = rows.map((row) => ({ severity: severity.safeParse(row.severity).data ?? null, threat: row.threat }));
  const graded = worstFirst.flatMap((grade) => read.filter((row) => row.severity === grade));
  return graded[0] ?? { severity: null, threat: read.find(({ threat }) => threat !== null)?.threat ?? null };
}

const ruleHitsRow = z.object({ key: z.string(), samples: z.number(), lastHit: z.string() });

/** Reads all hits of a workspace: there is no index by rule. For a thread that no one waits for. */
export function readRuleHits(db: Queries, workspaceId: string): RuleHits[] {
  const hits = `SELECT rule.rule AS key, count(DISTINCT hit.sample_id) AS samples, max(hit.last_seen) AS lastHit
    FROM hit_sample AS sample CROSS JOIN sample_hit AS hit ON hit.sample_id = sample.id CROSS JOIN hit_rule AS rule
      ON rule.id = hit.rule_id
    WHERE sample.workspace_id = ? GROUP BY hit.rule_id`;
  return db.query(ruleHitsRow, hits).all(workspaceId);
}

const sampleHitRow = z.object({ sampleId: z.number(), firstHit: z.string(), lastHit: z.string() });
const sampleRow = z.object({ sha256: z.string(), name: z.string().nullable() });
const mostNewest = 5;
const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Goes through the hits of the workspace. */
export function readRuleHistory(
  db: Queries,
  { workspaceId, key, now }: { workspaceId: string; key: string; now: string },
): RuleHistory {
  const hits = db
    .query(
      sampleHitRow,
      `SELECT hit.sample_id AS sampleId, min(hit.first_seen) AS firstHit, max(hit.last_seen) AS lastHit
    FROM hit_rule AS rule CROSS JOIN hit_sample AS sample CROSS JOIN sample_hit AS hit ON hit.sample_id = sample.id
      AND hit.rule_id = rule.id
    WHERE rule.workspace_id = ?1 AND rule.rule = ?2 AND sample.workspace_id = ?1 GROUP BY hit.sample_id
      ORDER BY lastHit DESC, hit.sample_id DESC`,
    )
    .all(workspaceId, key);
  const name = db.query(
    sampleRow,
    `SELECT hit_sample.sha256, sample.name FROM hit_sample LEFT JOIN sample ON sample.sha256 = hit_sample.sha256
      WHERE hit_sample.id = ?`,
  );
  const newest = hits.slice(0, mostNewest).flatMap(({ sampleId, lastHit }) => {
    const sample = name.get(sampleId);
    return sample === null ? [] : [{ ...sample, lastHit }];
  });
  return {
    samples: hits.length,
    lastHit: hits[0]?.lastHit ?? null,
    weeks: weeksOf(
      hits.map(({ firstHit }) => Date.parse(firstHit)),
      Date.parse(now),
    ),
    newest,
  };
}

/** A clock that was put back counts as this week. */
function weeksOf(times: readonly number[], now: number): number[] {
  const weeks = Array.from({ length: historyWeeks }, () => 0);
  for (const time of times) {
    const age = Math.max(0, Math.floor((now - time) / weekMs));
    if (age < historyWeeks) weeks[historyWeeks - 1 - age] = (weeks[historyWeeks - 1 - age] ?? 0) + 1;
  }
  return weeks;
}
