import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { FamilyGroup } from '../../shared/domain/scan.ts';
import type { GroupsAnswer, GroupsRequest } from './reading-thread.ts';
import { ruleSums, type ScanConditions } from './scan-conditions.ts';
import { eachRow } from './statement.ts';
import { readJson } from './stored-json.ts';

const ruleRow = z.object({
  family: z.string().nullable(),
  matches: z.number(),
  added: z.number(),
  lost: z.number(),
  isMuted: z.number(),
  positions: z.string(),
  mutedPositions: z.string(),
});
type RuleRow = z.infer<typeof ruleRow>;

/** A family while its rules are added up. */
interface Family extends Pick<FamilyGroup, 'rules' | 'matches' | 'added' | 'lost'> {
  files: Set<unknown>;
  muted: Set<unknown>;
}

/**
 * Rules by their family, where a file that two rules of it hit counts once. That is found out here and not by the
 * database, which takes three times as long.
 */
export function readFamilies(
  sql: DatabaseSync,
  conditions: ScanConditions,
  { offset, limit }: GroupsRequest,
): GroupsAnswer {
  const { mutes, parameters } = conditions;
  const mutedPositions = `json_group_array(hit.position) FILTER (WHERE hit.change >= 0 AND ${mutes.isHitMuted})`;
  const columns = `rule.family, ${ruleSums(mutes)}, ${mutes.isRuleMuted} AS isMuted,
    json_group_array(hit.position) FILTER (WHERE hit.change >= 0) AS positions,
    ${mutes.isHitMuted === '0' ? "'[]'" : mutedPositions} AS mutedPositions`;
  const families = new Map<string | null, Family>();
  for (const row of eachRow(sql, ruleRow, `${conditions.hits(columns)} GROUP BY rule.rule`, parameters))
    add(families, row);
  const groups = [...families].map(([family, { files, muted, ...same }]): FamilyGroup => ({
    ...same,
    by: 'family',
    family,
    files: files.size,
    muted: muted.size,
  }));
  return { groups: groups.toSorted(mostFilesFirst).slice(offset, offset + limit), total: groups.length };
}

function add(families: Map<string | null, Family>, row: RuleRow): void {
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
