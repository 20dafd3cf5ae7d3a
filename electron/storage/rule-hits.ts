import { z } from 'zod';
import { historyWeeks } from '../../shared/domain/publication.ts';
import type { Database } from './database.ts';
import type { RuleHistory, RuleHits } from './reading-thread.ts';

const hitsRow = z.object({ key: z.string(), samples: z.number(), lastHit: z.string() });

/** All hits of a workspace are read: there is no index by rule. For a thread that nobody waits for. */
export function readRuleHits(db: Pick<Database, 'query'>, workspaceId: string): RuleHits[] {
  const hits = `SELECT rule.rule AS key, count(DISTINCT hit.sample_id) AS samples, max(hit.last_seen) AS lastHit
    FROM hit_sample AS sample CROSS JOIN sample_hit AS hit ON hit.sample_id = sample.id CROSS JOIN hit_rule AS rule
      ON rule.id = hit.rule_id
    WHERE sample.workspace_id = ? GROUP BY hit.rule_id`;
  return db.query(hitsRow, hits).all(workspaceId);
}

const hitRow = z.object({ sampleId: z.number(), firstHit: z.string(), lastHit: z.string() });
const sampleRow = z.object({ sha256: z.string(), name: z.string().nullable() });
const mostNewest = 5;
const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Goes through the hits of the workspace. */
export function readRuleHistory(
  db: Pick<Database, 'query'>,
  { workspaceId, key, now }: { workspaceId: string; key: string; now: string },
): RuleHistory {
  const hits = db
    .query(
      hitRow,
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
