import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { FileGroup, KnownBesides, RuleGroup, ScanGroup } from '../../shared/domain/scan.ts';
import type { KnownHits } from './known-hits.ts';
import type { GroupsAnswer, GroupsRequest } from './reading-thread.ts';
import { files, ruleSums, ScanConditions, sums } from './scan-conditions.ts';
import { readFamilies } from './scan-families.ts';
import { rowsOf, runNamed } from './statement.ts';
import { failureOf, readJson } from './stored-json.ts';

const totalRow = z.object({ total: z.number() });
const nameRow = z.object({ rule: z.string() });
const md5Row = z.object({ md5: z.string().nullable() });
const names = z.array(z.string());
const counts = z.array(z.number().nullable());

export interface GroupsReading {
  request: GroupsRequest;
  /** UTC, ISO 8601. */
  now: string;
  knownHits: KnownHits;
}

/** One window of a job's results, and how many there are in all. */
export function readGroups(sql: DatabaseSync, reading: GroupsReading): GroupsAnswer {
  const { request, now } = reading;
  const { jobId, filter, by } = request;
  const conditions = new ScanConditions(sql, { jobId, now, filter });
  if (by === 'family') return readFamilies(sql, conditions, request);
  const groups = by === 'file' ? fileGroups(sql, conditions, reading) : ruleGroups(sql, conditions, request);
  return { groups, total: rowsOf(sql, totalRow, 'SELECT count(*) AS total FROM found')[0]?.total ?? 0 };
}

const fileRow = z.object({
  position: z.number(),
  name: z.string().nullable(),
  sha256: z.string(),
  sizeBytes: z.number().nullable(),
  state: z.string(),
  failure: z.string().nullable(),
  isNotUnderstood: z.number(),
  isWithoutGlobal: z.number(),
  hits: z.number(),
  rules: z.string(),
  matches: z.number(),
  muted: z.number(),
  added: z.number(),
  lost: z.number(),
  differs: z.number().nullable(),
  looked: z.string(),
});

/** Found by position alone, and read where they are shown. */
function fileGroups(
  sql: DatabaseSync,
  { mutes, meansFile, parameters }: ScanConditions,
  { request: { offset, limit, jobId }, now, knownHits }: GroupsReading,
): ScanGroup[] {
  runNamed(
    sql,
    `CREATE TEMP TABLE found AS SELECT item.position, CASE WHEN ${sums.added} > 0 THEN 0 WHEN ${sums.hits} > 0 THEN 1
      ELSE 2 END AS place
    FROM ${files} WHERE item.job_id = :job AND ${meansFile}`,
    parameters,
  );
  const firstRules = `SELECT rule FROM scan_hit AS hit JOIN scan_rule AS rule ON rule.id = hit.rule_id
    WHERE hit.job_id = :job AND hit.position = item.position AND (hit.change >= 0 OR ${sums.hits} = 0)
      AND ${mutes.isShown} ORDER BY rule LIMIT 3`;
  const rows = rowsOf(
    sql,
    fileRow,
    `SELECT item.position, item.name, item.hash AS sha256, item.size_bytes AS sizeBytes, item.state, item.failure,
      ${sums.isNotUnderstood} AS isNotUnderstood,
      EXISTS (SELECT 1 FROM scan_result WHERE job_id = :job AND position = item.position
        AND without_global IS NOT NULL) AS isWithoutGlobal,
      ${sums.hits} AS hits, (SELECT json_group_array(rule) FROM (${firstRules})) AS rules, ${sums.matches} AS matches,
        ${sums.muted} AS muted,
      ${sums.added} AS added, ${sums.lost} AS lost, ${sums.differs} AS differs,
      (SELECT json_group_array(iif(json_valid(package), package, '{}') ->> '$.rules' ORDER BY side)
        FROM scan_result AS result
        WHERE result.job_id = :job AND result.position = item.position) AS looked
    FROM (SELECT position, place FROM found ORDER BY place, position LIMIT :limit OFFSET :offset) AS shown
    CROSS JOIN ${files} WHERE item.job_id = :job AND item.position = shown.position
      ORDER BY shown.place, shown.position`,
    { ...parameters, limit, offset },
  );
  const seen = sql.prepare(
    `SELECT rule FROM scan_hit AS hit JOIN scan_rule AS rule ON rule.id = hit.rule_id WHERE hit.job_id = ?
      AND hit.position = ?`,
  );
  const md5 = sql.prepare(
    `SELECT ifnull((SELECT md5 FROM scan_file AS file WHERE file.job_id = ?1 AND file.position = ?2), md5) AS md5
      FROM job_item WHERE job_id = ?1 AND position = ?2`,
  );
  return rows.map((row) => {
    if (row.hits > 0) return fileGroupOf(row, null);
    const shown = seen.all(jobId, row.position).map((found) => nameRow.parse(found).rule);
    return fileGroupOf(
      row,
      knownHits.besides(shown, { sha256: row.sha256, ...md5Row.parse(md5.get(jobId, row.position)) }, now),
    );
  });
}

function fileGroupOf(
  { failure, isNotUnderstood, isWithoutGlobal, rules, differs, looked, ...same }: z.infer<typeof fileRow>,
  known: KnownBesides | null,
): FileGroup {
  return {
    ...same,
    looked: counts.safeParse(readJson(looked)).data ?? [],
    known,
    by: 'file',
    failure: failureOf(failure),
    isNotUnderstood: isNotUnderstood === 1,
    isWithoutGlobal: isWithoutGlobal === 1,
    rules: namesOf(rules),
    agreement: differs === null ? null : differs === 1 ? 'differs' : 'same',
  };
}

const ruleRow = z.object({
  rule: z.string(),
  tags: z.string(),
  family: z.string().nullable(),
  files: z.number(),
  matches: z.number(),
  muted: z.number(),
  added: z.number(),
  lost: z.number(),
  service: z.number(),
  local: z.number(),
});

function ruleGroups(sql: DatabaseSync, conditions: ScanConditions, { offset, limit }: GroupsRequest): ScanGroup[] {
  const columns = `rule.rule, rule.tags, rule.family, ${ruleSums(conditions.mutes)}, count(hit.service) AS service,
    count(hit.local) AS local`;
  runNamed(sql, `CREATE TEMP TABLE found AS ${conditions.hits(columns)} GROUP BY rule.rule`, conditions.parameters);
  return rowsOf(sql, ruleRow, 'SELECT * FROM found ORDER BY files DESC, rule LIMIT :limit OFFSET :offset', {
    limit,
    offset,
  }).map(({ tags, ...same }): RuleGroup => ({ ...same, by: 'rule', tags: namesOf(tags) }));
}

const namesOf = (text: string): string[] => names.safeParse(readJson(text)).data ?? [];
