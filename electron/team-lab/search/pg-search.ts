import { createHash } from 'node:crypto';
import pg from 'pg';
import { z } from 'zod';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import type { StoredSample } from '../../lab/stores/metadata-store.ts';
import type { PgDatabase, Queries, Value } from '../postgres/pg-database.ts';
import { sampleColumns } from '../postgres/pg-metadata-store.ts';
import { sampleKeys } from './search-schema.ts';
import {
  type Bind,
  type ListedColumn,
  listedColumns,
  type ListedValues,
  planOf,
  SearchRefused,
  type Source,
  type Sql,
} from './term-conditions.ts';

export { SearchRefused };

/** Samples of a page, at most. */
export const mostOfPage = 200;
/** A search that finds more is counted no further, as a page is read much sooner: "more than 1,000". */
export const mostCounted = 1_000;
/** Samples that are listed by their numbers: a term or a search that finds more stays a condition. */
const mostNumbered = 1_000;
/** What a search may take, in milliseconds; others of the same lab wait for none of it. */
export interface SearchLimits {
  /** At each of its statements. */
  statementMs: number;
  /** To count. */
  countMs: number;
}
const usualLimits: SearchLimits = { statementMs: 5_000, countMs: 1_000 };
/** Different values of a column that are compared outside of the database. */
const mostListed = 10_000;

const microseconds = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

interface Order {
  /** As an index has it, before `id`. */
  key: string;
  /** The key as text that can be read back. */
  written: string;
  type: 'timestamptz' | 'bigint' | 'text';
  way: 'ASC' | 'DESC';
}

const byTime = {
  key: 'uploaded',
  written: `to_char(uploaded AT TIME ZONE 'UTC', ${microseconds})`,
  type: 'timestamptz',
} as const;
const bySize = { key: 'size', written: 'size::text', type: 'bigint' } as const;
/** In either case of ASCII letters, else by code point, as the library sorts. */
const byName = { key: sampleKeys.name, written: sampleKeys.name, type: 'text' } as const;

/** Samples with one key follow each other by their number, in the same direction. */
const orders = {
  newest: { ...byTime, way: 'DESC' },
  oldest: { ...byTime, way: 'ASC' },
  largest: { ...bySize, way: 'DESC' },
  smallest: { ...bySize, way: 'ASC' },
  name: { ...byName, way: 'ASC' },
  'name-descending': { ...byName, way: 'DESC' },
} as const satisfies Record<string, Order>;
export type SearchOrder = keyof typeof orders;
export const searchOrders = ['newest', 'oldest', 'largest', 'smallest', 'name', 'name-descending'] as const;

export interface SearchRequest {
  /** As it was typed: a cursor is of one text and order, while the ages in its terms move on. */
  text: string;
  terms: readonly QueryTerm[];
  order: SearchOrder;
  /** What `next` was of the page in front, for the same terms and order; null for the first page. */
  after: string | null;
  /** From 1 to `mostOfPage`. */
  limit: number;
}

export interface FoundSamples {
  samples: StoredSample[];
  /** Null: there are no more. Opaque. */
  next: string | null;
  /**
   * How many there are in all when the first page is read, at most `mostCounted`; those of the first page, where it
   * takes too long to count.
   */
  total: number;
  /** There are more than `total`. */
  more: boolean;
}

/**
 * Searches the samples of a team lab. A search is answered from one moment of the database; a page begins behind the
 * last sample of the one in front (a keyset), so that a sample is in one page alone, whatever is added meanwhile.
 *
 * Terms that an index answers (words, tags, hashes, rules, comments) are looked up first, each up to 1,000 samples,
 * unless the statistics show that a word or a tag is common.
 * One that finds no more becomes a list of numbers, of which PostgreSQL knows the exact length when it plans; one that
 * finds more stays a condition, which is cheap to test along the index of the order. Without that the planner must
 * guess how often a word or a part of a name occurs, and reads the whole table for one that does not.
 *
 * @throws SearchRefused for a field that a team lab does not have, for an `after` that is not of this search, and for
 * a search that takes too long; otherwise fails as PgDatabase does
 */
export async function searchSamples(
  database: PgDatabase,
  request: SearchRequest,
  limits: SearchLimits = usualLimits,
): Promise<FoundSamples> {
  const order = orders[request.order];
  const search = createHash('sha256')
    .update(JSON.stringify([request.text, request.order]))
    .digest('base64url')
    .slice(0, 12);
  const cursor = request.after === null ? null : readCursor(request.after, search, order);
  try {
    return await database.transaction(async (queries) => {
      await queries.execute(settings(limits.statementMs));
      const values = await valuesFor(queries, listedColumns(request.terms));
      const terms = new TermSearch(request.terms, values);
      await terms.lookUp(queries);
      const { counted, condition } = await countOf(queries, terms, { cursor, ...limits });
      const rows =
        counted?.total === 0 ? [] : await pageOf(queries, condition, { order, cursor, limit: request.limit });
      const samples = rows.slice(0, request.limit);
      const last = samples.at(-1);
      const hasMore = rows.length > samples.length && last !== undefined;
      const count = counted ?? { total: samples.length, more: hasMore };
      return {
        samples: samples.map(({ sample }) => sample),
        next: hasMore ? writeCursor({ search, count, key: last.key, id: last.id }) : null,
        ...count,
      };
    });
  } catch (error) {
    if (error instanceof StoreUnavailable && isOutOfTime(error.cause))
      throw new SearchRefused('The search took too long. Add a term that finds fewer samples.', { cause: error });
    throw error;
  }
}

/** PostgreSQL 15, appendix A: query_canceled. */
const isOutOfTime = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '57014';

/** No search takes more than one core, or starts a compiler. */
const settings = (statementMs: number): string => `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = ${statementMs}; SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0`;

class Values {
  readonly values: Value[] = [];
  /** Placeholders have their type: nothing is left to be guessed. */
  readonly bind: Bind = (value, type) => `$${this.values.push(value)}::${type}`;
}

/**
 * PostgreSQL expects that a number is compared at the cost of finding a tag among those of a row, and tests what costs
 * the same in the order of the text; in truth it is several times cheaper.
 */
const comparedFields: ReadonlySet<QueryTerm['field']> = new Set(['size', 'seen', 'date', 'severity', 'locked']);
const isCompared = ({ field }: QueryTerm): boolean => comparedFields.has(field);

interface LookedUp extends Source {
  /** The samples, where they are few enough to be listed. */
  found: readonly number[] | null;
}

/** The terms of a search, and what was found for them. */
class TermSearch {
  readonly #terms: readonly QueryTerm[];
  readonly #values: ListedValues;
  /** By the content of the term: what is said twice is looked for once. */
  readonly #plans = new Map<string, ReturnType<typeof planOf>>();
  readonly #lookedUp = new Map<Source, LookedUp>();

  constructor(terms: readonly QueryTerm[], values: ListedValues) {
    this.#terms = terms;
    this.#values = values;
    this.#plan(terms);
  }

  /** Finds the samples of each source, in one statement. */
  async lookUp(queries: Queries): Promise<void> {
    const all = [...this.#plans.values()].flatMap((plan) => (plan.kind === 'sources' ? plan.of : []));
    const sources: Source[] = [];
    for (const source of all) if (!(await isCommon(queries, source))) sources.push(source);
    if (sources.length === 0) return;
    const { values, bind } = new Values();
    const parts = sources.map(
      ({ ids }, index) =>
        `SELECT ${index} AS source, ARRAY(SELECT id FROM (${ids(bind)}) AS found LIMIT ${mostNumbered + 1}) AS ids`,
    );
    // The index is there for each of them: however many a planner expects, the table is not read from its beginning.
    await queries.execute('SET LOCAL enable_seqscan = off');
    const rows = await queries.query({ text: parts.join(' UNION ALL '), row: sourceRow }, values);
    await queries.execute('SET LOCAL enable_seqscan = on');
    for (const { source: index, ids } of rows) {
      const source = sources[index];
      if (source !== undefined)
        this.#lookedUp.set(source, { ...source, found: ids.length > mostNumbered ? null : ids });
    }
  }

  /** A condition over `sample`. */
  condition(bind: Bind): string {
    const terms = this.#terms.toSorted((one, other) => Number(isCompared(other)) - Number(isCompared(one)));
    return [...new Set(terms.map((term) => this.#holds(term, bind)))].join(' AND ') || 'true';
  }

  /** What is unknown of a sample does not hold, and so its contrary does. */
  #holds(term: QueryTerm, bind: Bind): string {
    const holds = term.field === 'any' ? this.#any(term.of, bind) : this.#leaf(term, bind);
    return term.negated ? `(${holds}) IS NOT TRUE` : `(${holds})`;
  }

  /**
   * How many samples there are, at most one more than are counted, where a search of one term was looked up whole:
   * counting would read the same again. Null: they are to be counted.
   */
  knownTotal(): number | null {
    const [term, ...others] = this.#terms;
    if (term === undefined || others.length > 0 || term.negated || term.field === 'any') return null;
    const plan = this.#planOf(term);
    if (plan.kind === 'row' || plan.negated) return null;
    const { ids, common } = this.#found(plan.of);
    const hasMany = common.some((source) => source.isDistinct === true && this.#lookedUp.has(source));
    if (hasMany || ids.length > mostCounted) return mostCounted + 1;
    return common.length === 0 ? ids.length : null;
  }

  /** What is found lies within a range of times. */
  get isWithinTimes(): boolean {
    return this.#terms.some(({ field, negated }) => !negated && (field === 'seen' || field === 'date'));
  }

  #any(of: readonly (readonly QueryTerm[])[], bind: Bind): string {
    const lists = of.map((list) => `(${list.map((term) => this.#holds(term, bind)).join(' AND ')})`);
    return [...new Set(lists)].join(' OR ');
  }

  #leaf(term: Exclude<QueryTerm, { field: 'any' }>, bind: Bind): string {
    const plan = this.#planOf(term);
    if (plan.kind === 'row') return plan.holds(bind);
    const { ids, common } = this.#found(plan.of);
    const conditions = [...(ids.length === 0 ? [] : [isAmong(ids)(bind)]), ...common.map(({ holds }) => holds(bind))];
    const holds = conditions.length === 0 ? 'false' : conditions.join(' OR ');
    return plan.negated ? `(${holds}) IS NOT TRUE` : holds;
  }

  /** Of several sources together: the samples of those that find few, and those that find many. */
  #found(sources: readonly Source[]): { ids: number[]; common: Source[] } {
    const ids = new Set<number>();
    const common: Source[] = [];
    for (const source of sources) {
      const found = this.#lookedUp.get(source)?.found ?? null;
      if (found === null) common.push(source);
      else for (const id of found) ids.add(id);
    }
    return { ids: [...ids], common };
  }

  #plan(terms: readonly QueryTerm[]): void {
    for (const term of terms) {
      if (term.field === 'any') for (const list of term.of) this.#plan(list);
      else this.#planOf(term);
    }
  }

  #planOf(term: Exclude<QueryTerm, { field: 'any' }>): ReturnType<typeof planOf> {
    const said = JSON.stringify({ ...term, negated: false });
    const plan = this.#plans.get(said) ?? planOf(term, this.#values);
    this.#plans.set(said, plan);
    return plan;
  }
}

/**
 * Of a word or a tag that the statistics do not list, a fiftieth of all rows is expected at most; of one that they
 * list, what was counted. What is surely common need not be looked up.
 */
const commonPart = 0.03;

async function isCommon(queries: Queries, { ids, isEstimated }: Source): Promise<boolean> {
  if (isEstimated !== true) return false;
  const expected = async (text: Sql): Promise<number> => {
    const { values, bind } = new Values();
    const [row] = await queries.query({ text: `EXPLAIN (FORMAT JSON) ${text(bind)}`, row: planRow }, values);
    return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
  };
  const rows = await expected(ids);
  return rows > 20 * mostNumbered && rows > commonPart * (await expected(() => 'SELECT FROM sample'));
}

const planRow = z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })) });
const sourceRow = z.object({ source: z.number(), ids: z.array(z.coerce.number()) });
const totalRow = z.object({ total: z.coerce.number(), ids: z.array(z.coerce.number()) });
const valueRow = z.object({ value: z.string() });

/** The different values of columns, by steps along an index: a million rows may have a dozen. */
async function valuesFor(queries: Queries, columns: ReadonlySet<ListedColumn>): Promise<ListedValues> {
  const values: Record<ListedColumn, string[]> = { mime: [], uploader: [] };
  for (const column of columns) {
    const key = sampleKeys[column];
    const text = `WITH RECURSIVE each (value) AS (
        (SELECT ${key} FROM sample WHERE ${key} IS NOT NULL ORDER BY ${key} LIMIT 1)
        UNION ALL
        SELECT (SELECT ${key} FROM sample WHERE ${key} > each.value ORDER BY ${key} LIMIT 1) FROM each
          WHERE each.value IS NOT NULL)
      SELECT value FROM each WHERE value <> '' LIMIT ${mostListed + 1}`;
    const rows = await queries.query({ name: `values-of-${column}`, text, row: valueRow });
    if (rows.length > mostListed)
      throw new SearchRefused(`The team lab has too many values of “${column}:” to search them.`);
    values[column] = rows.map(({ value }) => value);
  }
  return values;
}

type Count = Pick<FoundSamples, 'total' | 'more'>;

/**
 * How many samples are found in all, and the condition for a page of them. Few are found once and then named by their
 * numbers: the first page would read for them what the count has read already. `counted` is null where that would take
 * too long, such as of an OR whose samples are all at the end of the table: a page is found along its own index.
 */
async function countOf(
  queries: Queries,
  terms: TermSearch,
  { cursor, statementMs, countMs }: SearchLimits & { cursor: Cursor | null },
): Promise<{ counted: Count | null; condition: Sql }> {
  const condition: Sql = (bind) => terms.condition(bind);
  if (cursor !== null) return { counted: cursor.count, condition };
  const known = terms.knownTotal();
  if (known !== null) return { counted: countFrom(known), condition };
  const { values, bind } = new Values();
  // Without an order the planner likes to begin with a bitmap of the whole range of times, which can have a million
  // samples; along the index of the order, counting ends at the thousandth that is found.
  const order = terms.isWithinTimes ? `ORDER BY ${byTime.key} DESC, id DESC` : '';
  const found = `SELECT id FROM sample WHERE ${condition(bind)} ${order} LIMIT ${mostCounted + 1}`;
  const text = `SELECT count(*) AS total, coalesce((array_agg(id))[:${mostNumbered}], '{}') AS ids
    FROM (${found}) AS found`;
  await queries.execute(`SAVEPOINT counting; SET LOCAL statement_timeout = ${countMs}`);
  try {
    const [{ total, ids } = { total: 0, ids: [] }] = await queries.query({ text, row: totalRow }, values);
    await queries.execute(`RELEASE SAVEPOINT counting; SET LOCAL statement_timeout = ${statementMs}`);
    return { counted: countFrom(total), condition: total > mostNumbered ? condition : isAmong(ids) };
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    // What was set since then is undone too.
    await queries.execute('ROLLBACK TO SAVEPOINT counting');
    return { counted: null, condition };
  }
}

/** From a count that ended at one more than `mostCounted`. */
const countFrom = (found: number): Count => ({ total: Math.min(found, mostCounted), more: found > mostCounted });

const isAmong =
  (ids: readonly number[]): Sql =>
  (bind) =>
    `sample.id = ANY (${bind(ids.map(String), 'bigint[]')})`;

const foundRow = sampleColumns
  .extend({ id: z.number(), key: z.string() })
  .transform(({ id, key, md5, sha1, sha256, size: sizeBytes, virus_total: virusTotal, ...facts }) => ({
    id,
    key,
    sample: {
      ...facts,
      virusTotal,
      sizeBytes,
      hashes: { md5, sha1, sha256 },
    } satisfies StoredSample,
  }));
type FoundRow = z.output<typeof foundRow>;

interface PagePlace {
  order: Order;
  cursor: Cursor | null;
  limit: number;
}

/** One more than the limit, where there is one more. */
async function pageOf(
  queries: Queries,
  condition: Sql,
  { order: { key, written, type, way }, cursor, limit }: PagePlace,
): Promise<FoundRow[]> {
  const { values, bind } = new Values();
  const behind =
    cursor === null
      ? ''
      : `AND (${key}, id) ${way === 'ASC' ? '>' : '<'} (${bind(cursor.key, type)}, ${bind(cursor.id, 'bigint')})`;
  const text = `SELECT id, ${written} AS key, encode(sha256, 'hex') AS sha256, encode(md5, 'hex') AS md5,
      encode(sha1, 'hex') AS sha1, size, name, mime, threat, criticity, uploader, uploaded, restricted, virus_total,
      sandbox, tags
    FROM sample WHERE ${condition(bind)} ${behind}
    ORDER BY ${key} ${way}, id ${way} LIMIT ${bind(limit + 1, 'bigint')}`;
  return queries.query({ text, row: foundRow }, values);
}

/** Behind which sample a page begins, and what was counted for the first one. */
interface Cursor {
  /** Which search it is of. */
  search: string;
  count: Count;
  key: string;
  id: number;
}

const cursorParts = z.tuple([
  z.string(),
  z.number().int().min(0).max(mostCounted),
  z.boolean(),
  z.string(),
  z.number().int().nonnegative(),
]);

const writeCursor = ({ search, count, key, id }: Cursor): string =>
  Buffer.from(JSON.stringify([search, count.total, count.more, key, id])).toString('base64url');

/** Only what PostgreSQL can read: a cursor comes from a client. */
const keys: Readonly<Record<Order['type'], z.ZodString | z.ZodISODateTime>> = {
  // There is no year 0.
  timestamptz: z.iso.datetime({ precision: 6 }).regex(/^(?!0000)/),
  bigint: z.string().regex(/^\d{1,18}$/),
  text: z.string().regex(/^[^\0]{0,500}$/u),
};

function readCursor(text: string, search: string, { type }: Order): Cursor {
  const parts = cursorParts.safeParse(parsed(Buffer.from(text, 'base64url').toString()));
  if (!parts.success || parts.data[0] !== search || !keys[type].safeParse(parts.data[3]).success)
    throw new SearchRefused('The mark of the page is not of this search. Search again.');
  const [, total, more, key, id] = parts.data;
  return { search, count: { total, more }, key, id };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
