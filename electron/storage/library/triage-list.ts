import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  triageConflict,
  type TriageConflict,
  type TriageCounts,
  type TriageFilter,
  type TriageRow,
  type TriageSelected,
  type TriageSortBy,
  triageSeverity,
  type TriageSort,
  triageState,
  triageStates,
  type TriageTicks,
} from '../../../shared/domain/triage.ts';
import { lowerLetters } from '../../../shared/domain/visible-text.ts';
import { idsOf, type Parameters, rowsOf } from '../database/statement.ts';
import { failureOf } from '../database/stored-json.ts';
import { readingJob } from '../reading/reading-connection.ts';
import type {
  Answering,
  TriageRowsAnswer,
  TriageRowsRequest,
  TriageSelectedRequest,
} from '../reading/reading-thread.ts';
import { libraryColumns, libraryRowOf, storedLibraryRow } from './sample-table.ts';

/** Of several samples with one MD5 or SHA-1, the one that the library shows: see `LibraryStore.find`. */
const best = 'ORDER BY in_vault DESC, verified DESC, last_seen DESC, id DESC LIMIT 1';
/** A SHA-256 or SHA-1 that a server knew under an MD5 may be known here by that alone. */
const sampleOfItem = `CASE length(item.hash)
  WHEN 64 THEN ifnull((SELECT id FROM sample WHERE sha256 = item.hash),
    (SELECT id FROM sample WHERE md5 = item.md5 AND sha256 IS NULL ${best}))
  WHEN 40 THEN ifnull((SELECT id FROM sample WHERE sha1 = item.hash ${best}),
    (SELECT id FROM sample WHERE md5 = item.md5 AND sha1 IS NULL ${best}))
  ELSE (SELECT id FROM sample WHERE md5 = item.hash ${best}) END`;
const withSample = `LEFT JOIN sample ON sample.id = (${sampleOfItem})`;
const items = `job_item AS item ${withSample} WHERE item.job_id = :id`;

const stateOfItem = `CASE WHEN sample.in_vault = 1 AND sample.damage IS NULL THEN 'vault'
  WHEN item.state = 'done' THEN 'repository' WHEN sample.id IS NOT NULL OR item.state = 'already-here' THEN 'known'
  WHEN item.state IN ('unknown', 'needs-md5', 'forbidden', 'waiting', 'cancelled') THEN item.state ELSE 'failed' END`;
const severityOfItem = `CASE WHEN sample.id IS NOT NULL THEN
  CASE sample.severity WHEN 2 THEN 'bad' WHEN 1 THEN 'unwanted' WHEN 0 THEN 'other' ELSE 'not-set' END END`;
const rankOf = (expression: string, values: readonly string[]): string =>
  `CASE ${expression} ${values.map((value, rank) => `WHEN '${value}' THEN ${rank}`).join(' ')} END`;
const firstSeen = `ifnull((SELECT min(iif(json_valid(body), body ->> '$.date', NULL)) FROM record
  WHERE record.md5 = sample.md5), sample.first_seen)`;

const isScanned = `sample.id IS NOT NULL AND (sample.hits > 0 OR EXISTS (SELECT 1 FROM coverage_space
  CROSS JOIN coverage_sample ON space = coverage_space.id AND sample_id = sample.id))`;

/** Answers what is asked of a triage, and keeps the lists that are being viewed. Fails with `job-missing`. */
export function triageReadings(path: string): Pick<Answering, 'triageRows' | 'triageCounts' | 'triageSelected'> {
  const lists = new Map<string, TriageList>();
  return {
    triageRows: (request) => readingJob(path, request.id, (sql) => readRows(sql, lists, request)),
    triageCounts: ({ id }) => readingJob(path, id, (sql) => readCounts(sql, id)),
    triageSelected: (request) => readingJob(path, request.id, (sql) => readSelected(sql, request)),
  };
}

/** What a moment's list has. */
interface TriageList {
  positions: Float64Array;
  answered: number;
}
const mostLists = 4;
const countRow = z.object({ total: z.number() });

function readRows(sql: DatabaseSync, lists: Map<string, TriageList>, request: TriageRowsRequest): TriageRowsAnswer {
  const { id, filter, sort, only, offset, limit } = request;
  if (only === undefined && isUnfiltered(filter) && sort.by === 'position') {
    const [{ total } = { total: 0 }] = rowsOf(
      sql,
      countRow,
      'SELECT ifnull(max(position), 0) AS total FROM job_item WHERE job_id = :id',
      { id },
    );
    const size = Math.max(0, Math.min(limit, total - offset));
    const positions = Array.from({ length: size }, (_, step) =>
      sort.descending ? total - offset - step : offset + step + 1,
    );
    return { rows: rowsAt(sql, id, positions), total, answered: 0 };
  }
  const { positions, answered } = listFor(sql, lists, request);
  const shown = [...positions.subarray(offset, offset + limit)];
  return { rows: rowsAt(sql, id, shown), total: positions.length, answered };
}

function listFor(
  sql: DatabaseSync,
  lists: Map<string, TriageList>,
  { id, filter, sort, moment, only }: TriageRowsRequest,
): TriageList {
  const key = JSON.stringify([id, filter, sort, moment, only]);
  const list = lists.get(key) ?? {
    positions: Float64Array.from(positionsOf(sql, { id, filter, only }, orderOf(sort))),
    answered: answeredNow(sql, id),
  };
  lists.delete(key);
  lists.set(key, list);
  for (const oldest of lists.keys()) if (lists.size > mostLists) lists.delete(oldest);
  return list;
}

const answeredNow = (sql: DatabaseSync, id: number): number =>
  rowsOf(sql, countRow, `SELECT count(*) AS total FROM ${items} AND (${stateOfItem}) <> 'waiting'`, { id })[0]?.total ??
  0;

interface ItemsOf {
  id: number;
  filter: TriageFilter;
  only?: TriageTicks | undefined;
}

function positionsOf(sql: DatabaseSync, of: ItemsOf, order: string): number[] {
  const { where, parameters } = conditionOf(of);
  return idsOf(sql, `SELECT item.position AS id FROM ${items}${where} ORDER BY ${order}`, parameters);
}

const isUnfiltered = ({ states, severities, find }: TriageFilter): boolean =>
  states.length === 0 && severities.length === 0 && find.trim() === '';

const searched = ['item.hash', 'sample.sha256', 'sample.name', 'sample.threat', 'sample.type', 'sample.tags'];

function conditionOf({ id, filter: { states, severities, find }, only }: ItemsOf): {
  where: string;
  parameters: Parameters;
} {
  const part = lowerLetters(find.trim()).toWellFormed();
  const parts = searched.map((column) => `instr(lower(ifnull(${column}, '')), :find) > 0`);
  return {
    where: [
      states.length === 0 ? '' : ` AND (${stateOfItem}) IN (SELECT value FROM json_each(:states))`,
      severities.length === 0 ? '' : ` AND (${severityOfItem}) IN (SELECT value FROM json_each(:severities))`,
      part === '' ? '' : ` AND (${parts.join(' OR ')})`,
      only === undefined
        ? ''
        : ` AND item.position ${only.isExcept ? 'NOT IN' : 'IN'} (SELECT value FROM json_each(:positions))`,
    ].join(''),
    parameters: {
      id,
      find: part,
      states: JSON.stringify(states),
      severities: JSON.stringify(severities),
      positions: JSON.stringify(only?.positions ?? []),
    },
  };
}

const orders: Record<Exclude<TriageSortBy, 'position'>, string> = {
  hash: 'item.hash',
  name: 'sample.name COLLATE NOCASE',
  state: rankOf(stateOfItem, triageStates),
  severity: `CASE WHEN sample.id IS NOT NULL THEN 2 - ifnull(sample.severity, -1) END`,
  threat: 'sample.threat COLLATE NOCASE',
  type: 'sample.type COLLATE NOCASE',
  size: 'sample.size_bytes',
  firstSeen,
  tags: "nullif(sample.tags, ',') COLLATE NOCASE",
  hits: 'sample.hits',
};

function orderOf({ by, descending }: TriageSort): string {
  const way = descending ? 'DESC' : 'ASC';
  return by === 'position' ? `item.position ${way}` : `${orders[by]} ${way} NULLS LAST, item.position`;
}

const itemRow = z.object({
  position: z.number(),
  hash: z.string(),
  itemState: triageState,
  failure: z.string().nullable(),
  sampleMd5: z.string().nullable(),
  verified: z.number().nullable(),
  firstSeenAt: z.string().nullable(),
  isScanned: z.number(),
});
const rowWithout = itemRow.extend({ sampleMd5: z.null() });
const rowWith = itemRow.extend({ sampleMd5: z.string(), ...storedLibraryRow.shape });
const shownRow = z.union([rowWith, rowWithout]);

function rowsAt(sql: DatabaseSync, id: number, positions: readonly number[]): TriageRow[] {
  const text = `SELECT item.position, item.hash, ${stateOfItem} AS itemState, item.failure,
      sample.md5 AS sampleMd5, sample.verified, ${firstSeen} AS firstSeenAt,
      ${isScanned} AS isScanned, ${libraryColumns}
    FROM json_each(:wanted) AS wanted
    CROSS JOIN job_item AS item ON item.job_id = :id AND item.position = wanted.value ${withSample}
    ORDER BY wanted.key`;
  const rows = rowsOf(sql, shownRow, text, { id, wanted: JSON.stringify(positions) });
  const records = recordsOf(sql, [...new Set(rows.flatMap(({ sampleMd5 }) => sampleMd5 ?? []))]);
  return rows.map((row) => ({
    position: row.position,
    hash: row.hash,
    state: row.itemState,
    failure: failureOf(row.failure),
    firstSeen: row.firstSeenAt,
    isScanned: row.isScanned === 1,
    sample: row.sampleMd5 === null ? null : libraryRowOf(row),
    conflicts: row.sampleMd5 === null ? [] : conflictsOf(row, records.get(row.sampleMd5) ?? []),
  }));
}

const statedRow = z.object({
  workspaceId: z.string(),
  md5: z.string(),
  sha1: z.string().nullable(),
  sha256: z.string().nullable(),
  size: z.number().nullable(),
  severity: z.string().nullable(),
  threat: z.string().nullable(),
});
type Stated = z.infer<typeof statedRow>;

/** What the records of these MD5s state. */
function recordsOf(sql: DatabaseSync, md5s: readonly string[]): Map<string, Stated[]> {
  const body = "iif(json_valid(record.body), record.body, '{}')";
  const text = `SELECT record.workspace_id AS workspaceId, record.md5, ${body} ->> '$.sha1' AS sha1,
      ${body} ->> '$.sha256' AS sha256, ${body} ->> '$.sizeBytes' AS size, ${body} ->> '$.criticity' AS severity,
      ${body} ->> '$.threat' AS threat
    FROM json_each(:md5s) AS wanted CROSS JOIN record ON record.md5 = wanted.value`;
  return Map.groupBy(rowsOf(sql, statedRow, text, { md5s: JSON.stringify(md5s) }), ({ md5 }) => md5);
}

const facts = triageConflict.shape.fact.options;

/** Bytes that were read here are a source of their own; else records may contradict each other. */
function conflictsOf(row: z.infer<typeof rowWith>, records: readonly Stated[]): TriageConflict[] {
  const own: Partial<Record<(typeof facts)[number], string | null>> =
    row.verified === 1
      ? { sha1: row.sha1, sha256: row.sha256, size: row.sizeBytes === null ? null : String(row.sizeBytes) }
      : {};
  return facts.flatMap((fact) => {
    const here = own[fact] ?? null;
    const values = [
      ...(here === null ? [] : [{ value: here, from: null }]),
      ...records.flatMap((record) => {
        const value = record[fact];
        return value === null ? [] : [{ value: String(value), from: record.workspaceId }];
      }),
    ];
    const distinct = new Set(values.map(({ value }) => value.toLowerCase()));
    return distinct.size > 1 ? [{ fact, values }] : [];
  });
}

const countsRow = z.object({ state: triageState, severity: triageSeverity.nullable(), total: z.number() });

function readCounts(sql: DatabaseSync, id: number): TriageCounts {
  const rows = rowsOf(
    sql,
    countsRow,
    `SELECT ${stateOfItem} AS state, ${severityOfItem} AS severity, count(*) AS total FROM ${items} GROUP BY 1, 2`,
    { id },
  );
  const sumOf = (isMeant: (row: z.infer<typeof countsRow>) => boolean): number =>
    rows.filter(isMeant).reduce((sum, { total }) => sum + total, 0);
  const [vault, known, repository] = (['vault', 'known', 'repository'] as const).map((one) =>
    sumOf(({ state }) => state === one),
  );
  return {
    states: {
      vault: vault ?? 0,
      known: known ?? 0,
      repository: repository ?? 0,
      unknown: sumOf(({ state }) => state === 'unknown'),
      'needs-md5': sumOf(({ state }) => state === 'needs-md5'),
      forbidden: sumOf(({ state }) => state === 'forbidden'),
      failed: sumOf(({ state }) => state === 'failed'),
      waiting: sumOf(({ state }) => state === 'waiting'),
      cancelled: sumOf(({ state }) => state === 'cancelled'),
    },
    severities: {
      bad: sumOf(({ severity }) => severity === 'bad'),
      unwanted: sumOf(({ severity }) => severity === 'unwanted'),
      other: sumOf(({ severity }) => severity === 'other'),
      'not-set': sumOf(({ severity }) => severity === 'not-set'),
    },
  };
}

const selectedRow = z.object({
  rows: z.number(),
  inVault: z.number(),
  toDownload: z.number(),
  bytes: z.number(),
  unsized: z.number(),
});

function readSelected(sql: DatabaseSync, request: TriageSelectedRequest): TriageSelected {
  const { where, parameters } = conditionOf(request);
  const text = `SELECT count(*) AS rows, ifnull(sum(state = 'vault'), 0) AS inVault,
      ifnull(sum(canCome), 0) AS toDownload,
      min(total(iif(canCome, size, 0)), ${Number.MAX_SAFE_INTEGER}) AS bytes,
      ifnull(sum(canCome AND size IS NULL), 0) AS unsized
    FROM (SELECT state, size, state IN ('known', 'repository', 'failed', 'waiting', 'cancelled') AND hasMd5 AS canCome
      FROM (SELECT ${stateOfItem} AS state, sample.size_bytes AS size,
          sample.md5 IS NOT NULL OR item.md5 IS NOT NULL OR length(item.hash) = 32 AS hasMd5
        FROM ${items}${where}))`;
  return (
    rowsOf(sql, selectedRow, text, parameters)[0] ?? {
      rows: 0,
      inVault: 0,
      toDownload: 0,
      bytes: 0,
      unsized: 0,
    }
  );
}
