import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { everyResult, type ScanSummary } from '../../shared/domain/scan.ts';
import { files, isClean, ScanConditions, sums } from './scan-conditions.ts';
import { rowsOf } from './statement.ts';

const count = z.number();
const filesRow = z.object({
  files: count,
  scanned: count,
  withHits: count,
  clean: count,
  trouble: count,
  differs: count,
  hits: count,
  muted: count,
  added: count,
  lost: count,
});
const rulesRow = z.object({ rules: count, families: count });

/** What came of a job's files, as mutes hold at a time. */
export function readSummary(sql: DatabaseSync, jobId: number, now: string): ScanSummary {
  const { parameters, mutes } = new ScanConditions(sql, { jobId, now, filter: everyResult });
  const sum = (expression: string): string => `ifnull(sum(${expression}), 0)`;
  const [ofFiles] = rowsOf(
    sql,
    filesRow,
    `SELECT count(*) AS files, ${sum(sums.scanned)} AS scanned, ${sum(`${sums.hits} > 0`)} AS withHits,
      ${sum(isClean)} AS clean, ${sum(sums.trouble)} AS trouble,
      ${sum(sums.differs)} AS differs, ${sum(sums.hits)} AS hits, ${sum(sums.muted)} AS muted,
        ${sum(sums.added)} AS added, ${sum(sums.lost)} AS lost
    FROM ${files} WHERE item.job_id = :job`,
    parameters,
  );
  const [ofRules] = rowsOf(
    sql,
    rulesRow,
    `SELECT count(*) AS rules, count(DISTINCT family) AS families FROM scan_rule AS rule
    WHERE job_id = :job AND EXISTS (SELECT 1 FROM scan_hit AS hit WHERE hit.rule_id = rule.id AND hit.change >= 0
      AND ${mutes.isShown})`,
    parameters,
  );
  if (ofFiles === undefined || ofRules === undefined) throw new TypeError('sums without a row');
  return { ...ofFiles, ...ofRules };
}
