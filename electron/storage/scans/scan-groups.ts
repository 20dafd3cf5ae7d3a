import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  everyResult,
  type FamilyGroup,
  type FileGroup,
  type KnownBesides,
  type RuleGroup,
  type ScanGroup,
  type ScanSummary,
} from '../../../shared/domain/scan.ts';
import { eachRow, rowsOf, runNamed } from '../database/statement.ts';
import { failureOf, readJson } from '../database/stored-json.ts';
import type { GroupsAnswer, GroupsRequest } from '../reading/reading-thread.ts';
import type { KnownHits } from './known-hits.ts';
import { files, hasNoHits, ruleSums, ScanConditions, sums } from './scan-conditions.ts';

const totalRow = z.object({ total: z.number() });
const nameRow = z.object({ rule: z.string() });
const md5Row = z.object({ md5: z.string().nullable() });
const names = z.array(z.string());
const counts = z.array(z.number().nullable());

interface GroupsReading {
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

const familyRow = z.object({
  family: z.string().nullable(),
  matches: z.number(),
  added: z.number(),
  lost: z.number(),
  isMuted: z.number(),
  positions: z.string(),
  mutedPositions: z.string(),
});
type FamilyRow = z.infer<typeof familyRow>;

/** A family while its rules are added up. */
interface Family extends Pick<FamilyGroup, 'rules' | 'matches' | 'added' | 'lost'> {
  files: Set<unknown>;
  muted: Set<unknown>;
}

/**
 * Rules by their family, where a file that two rules of it hit counts once. That is found out here and not by the
 * database, which takes three times as long.
 */
function readFamilies(sql: DatabaseSync, conditions: ScanConditions, { offset, limit }: GroupsRequest): GroupsAnswer {
  const { mutes, parameters } = conditions;
  const mutedPositions = `json_group_array(hit.position) FILTER (WHERE hit.change >= 0 AND ${mutes.isHitMuted})`;
  const columns = `rule.family, ${ruleSums(mutes)}, ${mutes.isRuleMuted} AS isMuted,
    json_group_array(hit.position) FILTER (WHERE hit.change >= 0) AS positions,
    ${mutes.isHitMuted === '0' ? "'[]'" : mutedPositions} AS mutedPositions`;
  const families = new Map<string | null, Family>();
  for (const row of eachRow(sql, familyRow, `${conditions.hits(columns)} GROUP BY rule.rule`, parameters))
    add(families, row);
  const groups = [...families].map(([family, { files: hit, muted, ...same }]): FamilyGroup => ({
    ...same,
    by: 'family',
    family,
    files: hit.size,
    muted: muted.size,
  }));
  return { groups: groups.toSorted(mostFilesFirst).slice(offset, offset + limit), total: groups.length };
}

function add(families: Map<string | null, Family>, row: FamilyRow): void {
  const family = families.get(row.family) ?? {
    rules: 0,
    matches: 0,
    added: 0,
    lost: 0,
    files: new Set(),
    muted: new Set(),
  };
  families.set(row.family, family);
  family.rules += 1;
  family.matches += row.matches;
  family.added += row.added;
  family.lost += row.lost;
  const positions = positionsOf(row.positions);
  for (const position of positions) family.files.add(position);
  for (const position of row.isMuted === 1 ? positions : positionsOf(row.mutedPositions)) family.muted.add(position);
}

/** As SQLite has just made them. */
function positionsOf(text: string): readonly unknown[] {
  const positions = readJson(text);
  return Array.isArray(positions) ? positions : [];
}

/** Families of the same size by name, and last the rules that name none. */
function mostFilesFirst(a: FamilyGroup, b: FamilyGroup): number {
  if (a.files !== b.files) return b.files - a.files;
  if (a.family === null || b.family === null) return a.family === null ? 1 : -1;
  return a.family < b.family ? -1 : 1;
}

const count = z.number();
const fileSumsRow = z.object({
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
const ruleSumsRow = z.object({ rules: count, families: count });

/** What came of a job's files, as mutes hold at a time. */
export function readSummary(sql: DatabaseSync, jobId: number, now: string): ScanSummary {
  const { parameters, mutes } = new ScanConditions(sql, { jobId, now, filter: everyResult });
  const sum = (expression: string): string => `ifnull(sum(${expression}), 0)`;
  const [ofFiles] = rowsOf(
    sql,
    fileSumsRow,
    `SELECT count(*) AS files, ${sum(sums.scanned)} AS scanned, ${sum(`${sums.hits} > 0`)} AS withHits,
      ${sum(hasNoHits)} AS clean, ${sum(sums.trouble)} AS trouble,
      ${sum(sums.differs)} AS differs, ${sum(sums.hits)} AS hits, ${sum(sums.muted)} AS muted,
        ${sum(sums.added)} AS added, ${sum(sums.lost)} AS lost
    FROM ${files} WHERE item.job_id = :job`,
    parameters,
  );
  const [ofRules] = rowsOf(
    sql,
    ruleSumsRow,
    `SELECT count(*) AS rules, count(DISTINCT family) AS families FROM scan_rule AS rule
    WHERE job_id = :job AND EXISTS (SELECT 1 FROM scan_hit AS hit WHERE hit.rule_id = rule.id AND hit.change >= 0
      AND ${mutes.isShown})`,
    parameters,
  );
  if (ofFiles === undefined || ofRules === undefined) throw new TypeError('sums without a row');
  return { ...ofFiles, ...ofRules };
}
