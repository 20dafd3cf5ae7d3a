import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { ScanFilter } from '../../../shared/domain/scan.ts';
import { lowerLetters } from '../../../shared/domain/visible-text.ts';
import { type Parameters, rowsOf, runNamed } from '../database/statement.ts';
import { holdsAt } from './mute-store.ts';

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
class ScanMutes {
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

type Show = ScanFilter['show'];

/** Files of a job with their sums and what of these is muted: every expression of `sums` is over these rows. */
export const files = `job_item AS item LEFT JOIN scan_total AS total ON total.job_id = item.job_id
  AND total.position = item.position
  LEFT JOIN muted_total AS muted ON muted.position = item.position`;

const bothScanned = "(total.local = 'scanned' AND total.service = 'scanned')";
const isTrouble = (side: string): string => `ifnull(total.${side} IN ('failed', 'not-understood'), 0)`;

/** Of a file, muted hits left out. */
export const sums = {
  hits: '(ifnull(total.hits, 0) - ifnull(muted.hits, 0))',
  matches: '(ifnull(total.matches, 0) - ifnull(muted.matches, 0))',
  added: '(ifnull(total.added, 0) - ifnull(muted.added, 0))',
  lost: '(ifnull(total.lost, 0) - ifnull(muted.lost, 0))',
  muted: 'ifnull(muted.hits, 0)',
  isNotUnderstood: "ifnull(total.local = 'not-understood' OR total.service = 'not-understood', 0)",
  /** null where only one side looked. */
  differs: `iif(${bothScanned}, total.one_sided > 0, NULL)`,
  scanned: "(item.state = 'done' OR ifnull(total.local = 'scanned', 0) OR ifnull(total.service = 'scanned', 0))",
  trouble: `(item.state NOT IN ('waiting', 'done', 'already-here', 'cancelled')
    OR (item.state <> 'waiting' AND (${isTrouble('local')} OR ${isTrouble('service')})))`,
} as const;

export const hasNoHits = `(item.state = 'done' AND ifnull(total.local, 'scanned') = 'scanned'
  AND ifnull(total.service, 'scanned') = 'scanned' AND ${sums.hits} = 0)`;

const shownFiles: Record<Show, string> = {
  all: '1',
  hits: `${sums.hits} > 0`,
  clean: hasNoHits,
  trouble: sums.trouble,
  differs: `ifnull(${sums.differs}, 0)`,
  added: `${sums.added} > 0`,
  lost: `${sums.lost} > 0`,
  muted: `${sums.muted} > 0`,
};

/** In a file that both sides scanned. */
const oneSided = 'hit.change >= 0 AND (hit.local IS NULL) <> (hit.service IS NULL)';

const anyRow = z.object({ any: z.number() });
const ofFoundRule = 'rule.id IN (SELECT rule_id FROM found_rule)';
const findRules = `INSERT INTO found_rule SELECT id FROM scan_rule AS rule WHERE job_id = :job
  AND (instr(lower(rule), :part) OR instr(lower(ifnull(family, '')), :part)
  OR EXISTS (SELECT 1 FROM json_each(iif(json_valid(rule.tags), rule.tags, '[]')) AS tag
    WHERE instr(lower(tag.value), :part)))`;
const findFiles = `INSERT INTO found_file SELECT position FROM job_item WHERE job_id = :job
  AND (instr(hash, :part) OR instr(lower(ifnull(name, '')), :part))`;

/** Of the hits of one rule. */
export const ruleSums = (
  mutes: ScanMutes,
): string => `sum(hit.change >= 0) AS files, sum(max(ifnull(hit.local, 0), ifnull(hit.service, 0))) AS matches,
  ${mutes.countMuted} AS muted, ${mutes.countShown('hit.change = 1')} AS added,
  ${mutes.countShown('hit.change = -1')} AS lost`;

/**
 * Which files and which hits of a job a filter means. A hit is a row `hit` of `scan_hit` with its row `rule` of
 * `scan_rule`. All conditions hold for one and the same hit: of the files with a new hit that a rule hit, those where
 * that hit is the new one.
 */
export class ScanConditions {
  readonly parameters: Parameters;
  readonly mutes: ScanMutes;
  /** Over `files`. */
  readonly meansFile: string;
  /** Over a hit; a file that is not meant may have one that is. */
  readonly meansHit: string;

  constructor(sql: DatabaseSync, { jobId, now, filter }: { jobId: number; now: string; filter: ScanFilter }) {
    const part = lowerLetters(filter.find.trim());
    this.parameters = { job: jobId, now, part, rule: filter.rule, family: filter.family };
    this.mutes = new ScanMutes(sql, this.parameters);
    const found = part === '' ? '' : ` AND ${this.#find(sql)}`;
    const named = [
      filter.rule === null ? '' : ' AND rule.rule = :rule',
      filter.family === null ? '' : ' AND rule.family = :family',
    ].join('');
    const shown = this.#shownHits(filter.show);
    this.meansHit = `${shown}${named}${found}${inShownFiles(filter.show)}`;
    this.meansFile = `${shownFiles[filter.show]}${whichFiles(shown, named, part !== '')}`;
  }

  /** Hits with their rules; `text` may name more conditions. */
  hits(columns: string, text = ''): string {
    return `SELECT ${columns} FROM scan_rule AS rule CROSS JOIN scan_hit AS hit ON hit.rule_id = rule.id
      WHERE rule.job_id = :job AND ${this.meansHit}${text}`;
  }

  /** @returns the condition over a hit */
  #find(sql: DatabaseSync): string {
    sql.exec(
      `CREATE TEMP TABLE found_rule (rule_id INTEGER PRIMARY KEY); CREATE TEMP TABLE found_file
        (position INTEGER PRIMARY KEY)`,
    );
    for (const fill of [findRules, findFiles]) runNamed(sql, fill, this.parameters);
    const [anyFile] = rowsOf(sql, anyRow, 'SELECT EXISTS (SELECT 1 FROM found_file) AS any');
    return anyFile?.any ? `(${ofFoundRule} OR hit.position IN (SELECT position FROM found_file))` : ofFoundRule;
  }

  #shownHits(show: Show): string {
    const { isShown, isRuleMuted, isHitMuted } = this.mutes;
    if (show === 'hits') return `hit.change >= 0 AND ${isShown}`;
    if (show === 'added' || show === 'lost') return `hit.change = ${show === 'added' ? 1 : -1} AND ${isShown}`;
    if (show === 'muted') return `hit.change >= 0 AND (${isRuleMuted} OR ${isHitMuted})`;
    return show === 'differs' ? oneSided : '1';
  }
}

const inShownFiles = (show: Show): string =>
  show === 'clean' || show === 'trouble' || show === 'differs'
    ? ` AND hit.position IN (SELECT item.position FROM ${files} WHERE item.job_id = :job AND ${shownFiles[show]})`
    : '';

/** What a rule, a family or a text that is looked for leaves of the files that are shown. */
function whichFiles(shown: string, named: string, isFound: boolean): string {
  const withHit = (text: string): string =>
    `item.position IN (SELECT hit.position FROM scan_rule AS rule CROSS JOIN scan_hit AS hit ON hit.rule_id = rule.id
      WHERE rule.job_id = :job AND ${shown}${named}${text})`;
  const withNamed = named === '' ? '' : ` AND ${withHit('')}`;
  if (!isFound) return withNamed;
  return ` AND (item.position IN (SELECT position FROM found_file)${withNamed} OR ${withHit(` AND ${ofFoundRule}`)})`;
}
