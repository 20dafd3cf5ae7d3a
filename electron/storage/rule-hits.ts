import { z } from 'zod';
import type { Database } from './database.ts';
import type { RuleHits } from './reading-messages.ts';

const hitsRow = z.object({ key: z.string(), samples: z.number(), lastHit: z.string() });

/** All hits of a workspace are read: there is no index by rule. For a thread that nobody waits for. */
export function readRuleHits(db: Pick<Database, 'query'>, workspaceId: string): RuleHits[] {
  const hits = `SELECT rule.rule AS key, count(DISTINCT hit.sample_id) AS samples, max(hit.last_seen) AS lastHit
    FROM hit_sample AS sample CROSS JOIN sample_hit AS hit ON hit.sample_id = sample.id CROSS JOIN hit_rule AS rule ON rule.id = hit.rule_id
    WHERE sample.workspace_id = ? GROUP BY hit.rule_id`;
  return db.query(hitsRow, hits).all(workspaceId);
}
