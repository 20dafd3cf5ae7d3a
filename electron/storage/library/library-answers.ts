import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import type { RecordField } from '../../../shared/domain/query-fields.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { vaultSample } from '../../../shared/domain/scan.ts';
import { tlpLevel } from '../../../shared/domain/tag.ts';
import { lowerLetters } from '../../../shared/domain/visible-text.ts';
import { searchExpression } from '../database/search-expression.ts';
import { idsOf, type Parameters, rowsOf } from '../database/statement.ts';
import { readJson } from '../database/stored-json.ts';
import { reading } from '../reading/reading-connection.ts';
import type {
  Answering,
  FactsAnswer,
  HashesAnswer,
  ReadingName,
  SelectionRequest,
  SuggestRequest,
  VaultAnswer,
  VaultRequest,
} from '../reading/reading-thread.ts';
import { KeptLists, readList, readTotal } from './library-list.ts';
import { withTerms, workspaceNames } from './library-query.ts';
import { tagsBeginningWith } from './library-tags.ts';
import { isInVault, libraryColumns, libraryRowOf, missingOfTotal, storedLibraryRow } from './sample-table.ts';

/** Answers what is asked of the library, and keeps the lists that are being viewed. Fails as the database does. */
export function libraryReadings(path: string): Answering<Extract<ReadingName, `library${string}`>> {
  const lists = new KeptLists();
  return {
    libraryList: (request) => reading(path, (sql) => readList(sql, lists, request)),
    libraryTotal: ({ terms }) => reading(path, (sql) => readTotal(sql, terms)),
    libraryFacts: (request) => reading(path, (sql) => readFacts(sql, lists, request)),
    libraryHashes: (request) => reading(path, (sql) => readHashes(sql, lists, request)),
    libraryChoices: (request) => reading(path, (sql) => suggestions(sql, request)),
  };
}

const spaceRow = z.object({ id: z.string() });
const hashRow = z.object({ hash: z.string() });
const factsRow = storedLibraryRow.extend({ ruleNames: z.string(), ownTlp: tlpLevel.nullable().catch(null) });
const names = z.array(z.string());

/** Whatever workspace saw a hit, without reading all that was seen: its samples lie in the order of workspaces. */
const spaces = `WITH RECURSIVE space (id) AS (
  SELECT min(workspace_id) FROM hit_sample
  UNION ALL SELECT (SELECT min(workspace_id) FROM hit_sample WHERE workspace_id > space.id) FROM space
    WHERE space.id IS NOT NULL)
SELECT id FROM space WHERE id IS NOT NULL`;
const rules = `SELECT DISTINCT rule FROM json_each(:spaces) AS space
  CROSS JOIN hit_sample ON hit_sample.workspace_id = space.value AND hit_sample.sha256 = sample.sha256
  CROSS JOIN sample_hit ON sample_hit.sample_id = hit_sample.id CROSS JOIN hit_rule ON hit_rule.id = sample_hit.rule_id
    ORDER BY rule`;
const wanted = 'json_each(:ids) AS wanted CROSS JOIN sample ON sample.id = wanted.value ORDER BY wanted.key';

/** What a selection's samples are, a page at a time; one that was forgotten since is left out. */
function readFacts(sql: DatabaseSync, lists: KeptLists, request: SelectionRequest): FactsAnswer {
  const { ids, next } = selectionPage(sql, lists, request);
  const parameters = {
    ids: JSON.stringify(ids),
    spaces: JSON.stringify(rowsOf(sql, spaceRow, spaces).map(({ id }) => id)),
  };
  const text = `SELECT ${libraryColumns}, (SELECT tlp FROM sample_own
    WHERE sample_own.sha256 = sample.sha256) AS ownTlp,
    (SELECT json_group_array(rule) FROM (${rules})) AS ruleNames FROM ${wanted}`;
  return { samples: rowsOf(sql, factsRow, text, parameters).map(factsOf), next };
}

/** What a selection's rows are known by, a page at a time. */
function readHashes(sql: DatabaseSync, lists: KeptLists, request: SelectionRequest): HashesAnswer {
  const { ids, next } = selectionPage(sql, lists, request);
  const rows = rowsOf(sql, hashRow, `SELECT ifnull(sample.sha256, sample.md5) AS hash FROM ${wanted}`, {
    ids: JSON.stringify(ids),
  });
  return { hashes: rows.map(({ hash }) => hash), next };
}

function factsOf({ ruleNames, ownTlp, ...stored }: z.infer<typeof factsRow>): SampleFacts {
  const {
    sha256,
    sha1,
    md5,
    name,
    sizeBytes,
    type,
    tlp,
    isRecorded,
    threat,
    tags,
    serviceTags,
    firstSeen,
    lastSeen,
    vault,
  } = libraryRowOf(stored);
  const inVault = vault === 'held';
  return {
    sha256,
    sha1,
    md5,
    name,
    sizeBytes,
    type,
    tlp,
    isRecorded,
    ownTlp,
    threat,
    tags,
    serviceTags,
    hits: names.parse(readJson(ruleNames)),
    firstSeen,
    lastSeen,
    inVault,
    hasBytes: vault !== 'none',
  };
}

/** `next`: behind which number there are more; null: there are none. */
interface SelectionPage {
  ids: number[];
  next: number | null;
}

/**
 * The numbers of the next samples behind one, rising. What a query finds is found with the first page: what is done to
 * samples on the way does not change which come. A hash means one sample, as it does for the library's store.
 */
function selectionPage(
  sql: DatabaseSync,
  lists: KeptLists,
  { selection, after, limit }: SelectionRequest,
): SelectionPage {
  const all = selection.kind === 'named' ? named(sql, selection.hashes) : queried(sql, lists, selection, after);
  const from = firstBehind(all, after);
  const page = [...all.subarray(from, from + limit)];
  return { ids: page, next: from + limit < all.length ? (page.at(-1) ?? null) : null };
}

const named = (sql: DatabaseSync, hashes: readonly string[]): Float64Array =>
  idsWhere(sql, hasHash, { hashes: JSON.stringify(hashes) });

function queried(
  sql: DatabaseSync,
  lists: KeptLists,
  { terms, except }: Extract<LibrarySelection, { kind: 'query' }>,
  after: number,
): Float64Array {
  const key = JSON.stringify(['selection', terms, except]);
  const kept = after === 0 ? null : lists.get(key);
  if (kept) return kept.ids;
  const found = withTerms(sql, terms, ({ where, parameters }) =>
    except.length === 0
      ? idsWhere(sql, where, parameters)
      : idsWhere(sql, `${where} AND NOT (${hasHash})`, { ...parameters, hashes: JSON.stringify(except) }),
  );
  return lists.keep(key, { ids: found, total: found.length }).ids;
}

/**
 * Of several with one MD5 the row that has no SHA-256: it goes by that MD5. Else the one that is shown when several
 * share a hash.
 */
const best = 'ORDER BY sha256 IS NOT NULL, in_vault DESC, verified DESC, last_seen DESC, id DESC LIMIT 1';
const idOfHash = `CASE length(value) WHEN 64 THEN (SELECT id FROM sample WHERE sha256 = value)
  WHEN 40 THEN (SELECT id FROM sample WHERE sha1 = value ${best})
    ELSE (SELECT id FROM sample WHERE md5 = value ${best}) END`;
const hasHash = `sample.id IN (SELECT id FROM (SELECT ${idOfHash} AS id FROM json_each(:hashes)) WHERE id IS NOT NULL)`;

const idsWhere = (sql: DatabaseSync, where: string, parameters: Parameters): Float64Array =>
  Float64Array.from(idsOf(sql, `SELECT sample.id FROM sample WHERE ${where} ORDER BY sample.id`, parameters));

function firstBehind(rising: Float64Array, after: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

const mostSuggested = 20;
/** A library of any size answers at once: what it had lately is what is looked for. */
const samplesLooked = 50_000;
const choiceRow = z.object({ choice: z.string() });

/**
 * At most twenty: tags that begin so, or whose value does, the most used first; rules with it in their names, the
 * shortest first; types and threats that begin so, the most frequent first among the 50,000 samples seen last.
 */
function suggestions(sql: DatabaseSync, { kind, beginning }: SuggestRequest): string[] {
  switch (kind) {
    case 'tag':
      return tagsBeginningWith(sql, beginning);
    case 'rule':
      return choices(
        sql,
        `SELECT DISTINCT rule AS choice FROM hit_rule WHERE instr(lower(rule), :sought) > 0
          ORDER BY length(rule), rule`,
        beginning,
      );
    case 'type':
    case 'threat':
      return choices(sql, ofLatest(kind), beginning);
    case 'source':
      return choices(
        sql,
        `SELECT name AS choice FROM (${workspaceNames}) WHERE substr(lower(name), 1, length(:sought)) = :sought
          ORDER BY name`,
        beginning,
      );
    default:
      return statedBeginningWith(sql, kind, beginning);
  }
}

const statedLooked = 200;
const samplesCounted = 1000;

/** Of so many values, and so many samples of each: of the rest it is not known which are used most. */
const statedBeginningWith = (sql: DatabaseSync, field: RecordField, beginning: string): string[] =>
  rowsOf(
    sql,
    choiceRow,
    `SELECT value AS choice FROM (SELECT id, value FROM known_value
      WHERE field = :field AND value >= :sought AND value < :sought || :last
        AND substr(value, 1, length(:sought)) = :sought LIMIT ${statedLooked})
    ORDER BY (SELECT count(*) FROM (SELECT 1 FROM sample_value WHERE value_id = id LIMIT ${samplesCounted})) DESC, value
      LIMIT ${mostSuggested}`,
    { field, sought: lowerLetters(beginning).toWellFormed(), last: '\u{10FFFF}' },
  ).map(({ choice }) => choice);

const ofLatest = (column: 'type' | 'threat'): string =>
  `SELECT ${column} AS choice FROM (SELECT ${column} FROM sample INDEXED BY sample_by_last_seen
    ORDER BY last_seen DESC, id DESC LIMIT ${samplesLooked})
  WHERE substr(lower(${column}), 1, length(:sought)) = :sought GROUP BY ${column} ORDER BY count(*) DESC, ${column}`;

const choices = (sql: DatabaseSync, text: string, beginning: string): string[] =>
  rowsOf(sql, choiceRow, `${text} LIMIT ${mostSuggested}`, { sought: lowerLetters(beginning).toWellFormed() }).map(
    ({ choice }) => choice,
  );

const totalRow = z.object({ total: z.number() });
const columns =
  'sample.sha256, sample.md5, sample.name, ifnull(sample.size_bytes, 0) AS sizeBytes, sample.last_seen AS lastSeen';
const order = 'ORDER BY sample.last_seen DESC, sample.id DESC LIMIT :limit OFFSET :offset';
const every = `FROM sample INDEXED BY sample_in_vault_by_time WHERE ${isInVault}`;
const found = `FROM sample_text CROSS JOIN sample ON sample.id = sample_text.rowid WHERE sample_text MATCH :words
  AND ${isInVault}`;

/** Samples whose bytes the vault has, seen last first. A text without a word finds nothing. */
export function readVault(sql: DatabaseSync, { find, offset, limit }: VaultRequest): VaultAnswer {
  const words = searchExpression(find);
  if (words === null && find.trim() !== '') return { samples: [], total: 0 };
  const which = words === null ? every : found;
  const total =
    words === null
      ? `SELECT in_vault - (SELECT samples FROM (${missingOfTotal})) AS total FROM library_total`
      : `SELECT count(*) AS total ${which}`;
  return {
    samples: rowsOf(sql, vaultSample, `SELECT ${columns} ${which} ${order}`, { words, limit, offset }),
    total: rowsOf(sql, totalRow, total, { words })[0]?.total ?? 0,
  };
}
