import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { holdsAt } from './mutes-in-force.ts';
import { type Parameters, rowsOf, runNamed } from './statement.ts';

const inForce = `mute.workspace_id = (SELECT workspace_id FROM job WHERE id = :job) AND ${holdsAt(':now')}`;

const tables = `
  CREATE TEMP TABLE muted_rule (rule_id INTEGER PRIMARY KEY);
  CREATE TEMP TABLE muted_hit (key INTEGER PRIMARY KEY, rule_id INTEGER, position INTEGER);
  CREATE TEMP TABLE muted_total (position INTEGER PRIMARY KEY, hits INTEGER, matches INTEGER, added INTEGER,
    lost INTEGER)`;

/** One number for both, which is found faster than two. A job has at most half a million positions. */
const keyOf = (ruleId: string, position: string): string => `(${ruleId} * 1048576 + ${position})`;

const fillRules = `INSERT INTO muted_rule SELECT DISTINCT rule.id FROM mute JOIN scan_rule AS rule ON rule.job_id = :job
  AND rule.rule = mute.rule
  WHERE ${inForce} AND mute.sample IS NULL`;

const fillHits = `INSERT OR IGNORE INTO muted_hit SELECT ${keyOf('rule.id', 'item.position')}, rule.id, item.position
  FROM mute JOIN scan_rule AS rule ON rule.job_id = :job AND rule.rule = mute.rule
  JOIN job_item AS item ON item.job_id = :job AND item.hash = mute.sample
  WHERE ${inForce} AND mute.sample IS NOT NULL AND rule.id NOT IN (SELECT rule_id FROM muted_rule)`;

const fillTotals = `INSERT INTO muted_total
  SELECT position, sum(change >= 0), sum(max(ifnull(local, 0), ifnull(service, 0))), sum(change = 1), sum(change = -1)
    FROM (
    SELECT hit.position, change, local, service FROM muted_rule CROSS JOIN scan_hit AS hit
      ON hit.rule_id = muted_rule.rule_id
    UNION ALL SELECT hit.position, change, local, service FROM muted_hit AS muted CROSS JOIN scan_hit AS hit
      ON hit.rule_id = muted.rule_id AND hit.position = muted.position
  ) GROUP BY position`;

const countRow = z.object({ rules: z.number(), hits: z.number() });

/**
 * Which hits of a job are muted now. Kept in tables of the connection: `muted_rule` of those that are muted in every
 * sample, `muted_hit` of others, and `muted_total` with what they make up of the sums of a file.
 */
export class ScanMutes {
  /** Of a row `rule` of `scan_rule`: it is muted in every sample. */
  readonly isRuleMuted: string;
  /** Of a row `hit` of `scan_hit`, where its rule is not muted in every sample. */
  readonly isHitMuted: string;

  constructor(sql: DatabaseSync, parameters: Parameters) {
    sql.exec(tables);
    for (const fill of [fillRules, fillHits, fillTotals]) runNamed(sql, fill, parameters);
    const [count] = rowsOf(
      sql,
      countRow,
      'SELECT (SELECT count(*) FROM muted_rule) AS rules, (SELECT count(*) FROM muted_hit) AS hits',
    );
    this.isRuleMuted = count?.rules ? '(rule.id IN (SELECT rule_id FROM muted_rule))' : '0';
    this.isHitMuted = count?.hits ? `(${keyOf('hit.rule_id', 'hit.position')} IN (SELECT key FROM muted_hit))` : '0';
  }

  /** Of a hit with its rule. Apart, so that the rule alone can leave out all of its hits. */
  get isShown(): string {
    return `NOT ${this.isRuleMuted} AND NOT ${this.isHitMuted}`;
  }

  /** Of the hits of one rule, how many have a change that is not muted. */
  countShown(condition: string): string {
    return `iif(${this.isRuleMuted}, 0, ifnull(sum(${condition} AND NOT ${this.isHitMuted}), 0))`;
  }

  /** Of the hits of one rule, how many are muted. */
  get countMuted(): string {
    return `iif(${this.isRuleMuted}, sum(hit.change >= 0),
      ${this.isHitMuted === '0' ? '0' : `sum(hit.change >= 0 AND ${this.isHitMuted})`})`;
  }
}
