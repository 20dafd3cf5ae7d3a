import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  downloadedStates,
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
  TriageTickedAnswer,
  TriageTickedRequest,
} from '../reading/reading-thread.ts';
import { KeptLists } from './library-list.ts';
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

const answeredStates = "'done', 'already-here', 'unknown', 'needs-md5', 'forbidden'";
const failedItem = `item.state NOT IN (${answeredStates}, 'waiting', 'cancelled')`;
const stateOfItem = `CASE WHEN sample.in_vault = 1 AND sample.damage IS NULL THEN 'vault'
  WHEN item.state = 'done' THEN 'repository' WHEN ${failedItem} THEN 'failed'
  WHEN sample.id IS NOT NULL OR item.state = 'already-here' THEN 'known' ELSE item.state END`;
const severityOfItem = `CASE WHEN sample.id IS NOT NULL THEN
  CASE sample.severity WHEN 2 THEN 'bad' WHEN 1 THEN 'unwanted' WHEN 0 THEN 'other' ELSE 'not-set' END END`;
const rankOf = (expression: string, values: readonly string[]): string =>
  `CASE ${expression} ${values.map((value, rank) => `WHEN '${value}' THEN ${rank}`).join(' ')} END`;
const firstSeen = `ifnull((SELECT min(iif(json_valid(body), body ->> '$.date', NULL)) FROM record
  WHERE record.md5 = sample.md5), sample.first_seen)`;

const isScanned = `sample.id IS NOT NULL AND (sample.hits > 0 OR EXISTS (SELECT 1 FROM coverage_space
  CROSS JOIN coverage_sample ON space = coverage_space.id AND sample_id = sample.id))`;

/** Answers what is asked of a triage, and keeps the lists that are being viewed. Fails with `job-missing`. */
export function triageReadings(
  path: string,
): Pick<Answering, 'triageRows' | 'triageCounts' | 'triageSelected' | 'triageTicked'> {
  const lists = new KeptLists<TriageList>();
  return {
    triageRows: (request) => readingJob(path, request.id, (sql) => readRows(sql, lists, request)),
    triageCounts: ({ id }) => readingJob(path, id, (sql) => readCounts(sql, id)),
    triageSelected: (request) => readingJob(path, request.id, (sql) => readSelected(sql, request)),
    triageTicked: (request) => readingJob(path, request.id, (sql) => readTicked(sql, lists, request)),
  };
}

/** What a moment's list has: positions in their order, and whether it would be another one by now. */
interface TriageList {
  ids: Float64Array;
  answered: number;
  isStale: boolean;
  /** When that was found, and how long it took: milliseconds of a steady clock. */
  checkedAt: number;
  tookMs: number;
}
/** Of the time in which rows are looked at, at most so much goes into finding out whether their order is stale. */
const checkedShare = 0.1;
const countRow = z.object({ total: z.number() });

function readRows(sql: DatabaseSync, lists: KeptLists<TriageList>, request: TriageRowsRequest): TriageRowsAnswer {
  const { id, sort, offset, limit } = request;
  if (isWhole(request)) {
    const total = lastPosition(sql, id);
    const size = Math.max(0, Math.min(limit, total - offset));
    const positions = Array.from({ length: size }, (_, step) =>
      sort.descending ? total - offset - step : offset + step + 1,
    );
    return { rows: rowsAt(sql, id, positions), total, answered: 0, isStale: false };
  }
  const list = listFor(sql, lists, request);
  if (sort.by !== 'position') check(sql, list, request);
  const { ids, answered, isStale } = list;
  return { rows: rowsAt(sql, id, [...ids.subarray(offset, offset + limit)]), total: ids.length, answered, isStale };
}

/** All of the text: it needs no list. */
const isWhole = ({ filter, sort }: Pick<TriageRowsRequest, 'filter' | 'sort'>): boolean =>
  isUnfiltered(filter) && sort.by === 'position';

const lastPosition = (sql: DatabaseSync, id: number): number =>
  rowsOf(sql, countRow, 'SELECT ifnull(max(position), 0) AS total FROM job_item WHERE job_id = :id', { id })[0]
    ?.total ?? 0;

function listFor(
  sql: DatabaseSync,
  lists: KeptLists<TriageList>,
  { id, filter, sort, moment }: TriageRowsRequest,
): TriageList {
  const key = JSON.stringify([id, filter, sort, moment]);
  const kept = lists.get(key);
  if (kept !== null) return kept;
  const begun = performance.now();
  const ids = Float64Array.from(positionsOf(sql, { id, filter }, orderOf(sort)));
  const checkedAt = performance.now();
  return lists.keep(key, {
    ids,
    answered: answeredNow(sql, id),
    isStale: false,
    checkedAt,
    tookMs: checkedAt - begun,
  });
}

/** Where answers came since, that is known without a look at the order. */
function check(sql: DatabaseSync, list: TriageList, { id, filter, sort }: TriageRowsRequest): void {
  const begun = performance.now();
  if (list.isStale || (begun - list.checkedAt) * checkedShare < list.tookMs || answeredNow(sql, id) !== list.answered)
    return;
  const now = positionsOf(sql, { id, filter }, orderOf(sort));
  list.isStale = now.length !== list.ids.length || now.some((position, at) => position !== list.ids[at]);
  list.checkedAt = performance.now();
  list.tookMs = list.checkedAt - begun;
}

const answeredNow = (sql: DatabaseSync, id: number): number =>
  rowsOf(
    sql,
    countRow,
    `SELECT ifnull(sum(items), 0) AS total FROM job_count WHERE job_id = :id AND state IN (${answeredStates})`,
    { id },
  )[0]?.total ?? 0;

interface ItemsOf {
  id: number;
  filter: TriageFilter;
  only?: TriageTicks;
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

const countsRow = z.object({
  state: triageState,
  severity: triageSeverity.nullable(),
  total: z.number(),
  waiting: z.number(),
  failed: z.number(),
  cancelled: z.number(),
});

function readCounts(sql: DatabaseSync, id: number): TriageCounts {
  const rows = rowsOf(
    sql,
    countsRow,
    `SELECT ${stateOfItem} AS state, ${severityOfItem} AS severity, count(*) AS total,
      sum(item.state = 'waiting') AS waiting, sum(${failedItem}) AS failed,
      sum(item.state = 'cancelled') AS cancelled FROM ${items} GROUP BY 1, 2`,
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
    requests: {
      waiting: rows.reduce((sum, { waiting }) => sum + waiting, 0),
      failed: rows.reduce((sum, { failed }) => sum + failed, 0),
      cancelled: rows.reduce((sum, { cancelled }) => sum + cancelled, 0),
    },
  };
}

const selectedRow = z.object({
  rows: z.number(),
  samples: z.number(),
  known: z.number(),
  inVault: z.number(),
  toDownload: z.number(),
  bytes: z.number(),
  unsized: z.number(),
});

const md5OfItem = 'coalesce(sample.md5, item.md5, iif(length(item.hash) = 32, item.hash, NULL))';
const downloaded = downloadedStates.map((state) => `'${state}'`).join(', ');

/**
 * A report may list several hashes of one sample: they are counted once, and so is an MD5 that is to be downloaded. Of
 * one sample all rows have the same MD5.
 */
function readSelected(sql: DatabaseSync, request: TriageSelectedRequest): TriageSelected {
  const { where, parameters } = conditionOf(request);
  const text = `WITH hash AS (SELECT ${stateOfItem} AS state, sample.id AS sample, sample.size_bytes AS size,
      ${md5OfItem} AS md5 FROM ${items}${where}),
    one AS MATERIALIZED (SELECT sample, iif(state IN (${downloaded}), md5, NULL) AS md5, max(size) AS size,
      state = 'vault' AS isHeld, count(*) AS rows FROM hash GROUP BY 1, 2),
    download AS (SELECT max(size) AS size FROM one WHERE md5 IS NOT NULL GROUP BY md5)
    SELECT sum(rows) AS rows, sum(iif(sample IS NULL AND md5 IS NULL, rows, 1)) AS samples, count(sample) AS known,
      sum(isHeld) AS inVault, (SELECT count(*) FROM download) AS toDownload,
      (SELECT min(total(size), ${Number.MAX_SAFE_INTEGER}) FROM download) AS bytes,
      (SELECT count(*) FROM download WHERE size IS NULL) AS unsized
    FROM one HAVING count(*) > 0`;
  return (
    rowsOf(sql, selectedRow, text, parameters)[0] ?? {
      rows: 0,
      samples: 0,
      known: 0,
      inVault: 0,
      toDownload: 0,
      bytes: 0,
      unsized: 0,
    }
  );
}

const tickedRow = z.object({ hash: z.string(), sample: z.string().nullable(), toDownload: z.string().nullable() });

/** Of the list that the person sees: what it does not have is not meant, whatever it would have by now. */
function readTicked(sql: DatabaseSync, lists: KeptLists<TriageList>, request: TriageTickedRequest): TriageTickedAnswer {
  const { id, sort, only, offset, limit } = request;
  const keys = new Set(only.positions);
  const listed = isWhole(request)
    ? Array.from({ length: lastPosition(sql, id) }, (_, at) => at + 1)
    : [...listFor(sql, lists, request).ids];
  if (isWhole(request) && sort.descending) listed.reverse();
  const ticked = listed.filter((position) => keys.has(position) !== only.isExcept);
  const text = `SELECT item.hash, ifnull(sample.sha256, sample.md5) AS sample,
      iif((${stateOfItem}) IN (${downloaded}), ${md5OfItem}, NULL) AS toDownload
    FROM json_each(:wanted) AS wanted
    CROSS JOIN job_item AS item ON item.job_id = :id AND item.position = wanted.value ${withSample}
    ORDER BY wanted.key`;
  const wanted = JSON.stringify(ticked.slice(offset, offset + limit));
  return { rows: rowsOf(sql, tickedRow, text, { id, wanted }), total: ticked.length };
}
