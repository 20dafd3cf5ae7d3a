import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type JournalFilter,
  type JournalLine,
  journalOperation,
  type JournalWorkspace,
} from '../../../shared/domain/journal.ts';
import { lowerLetters } from '../../../shared/domain/visible-text.ts';
import { workspaceId as workspaceIdShape } from '../../../shared/domain/workspace.ts';
import { type Parameters, type Queries, queriesOver, rowsOf } from '../database/statement.ts';
import { reading } from '../reading/reading-connection.ts';
import type {
  Answering,
  JournalListAnswer,
  JournalListRequest,
  JournalPageRequest,
  ReadingName,
} from '../reading/reading-thread.ts';
import { checkRows } from './journal-check.ts';
import {
  isCountable,
  readJournalRow,
  safeNumber,
  selectShownRows,
  storedJournalColumns,
  storedJournalRow,
} from './journal-rows.ts';

const offsetRow = z.object({ offset: z.number() });

/**
 * Answers what is asked of the journal, and keeps which rows the list that is looked through has. Fails as the database
 * does.
 */
export function journalReadings(path: string): Answering<Extract<ReadingName, `journal${string}`>> {
  const found = new FoundRows();
  const workspaces = new JournalWorkspaces();
  return {
    journalList: (request) =>
      reading(path, (sql) => listOf(queriesOver(sql, path), found.numbers(sql, request.filter), request)),
    journalWorkspaces: () => reading(path, (sql) => workspaces.list(sql)),
    journalPosition: ({ number }) => reading(path, (sql) => positionOf(sql, number)),
    journalRows: (request) => reading(path, (sql) => pageOf(sql, request)),
    journalCheck: ({ keys, from, atMost }) =>
      reading(path, (sql) => checkRows(queriesOver(sql, path), keys, from, atMost)),
  };
}

/** `numbers`: of all rows that match, rising. */
function listOf(
  db: Queries,
  numbers: readonly number[],
  { upTo, offset, limit }: JournalListRequest,
): JournalListAnswer {
  const total = upTo === undefined ? numbers.length : numbers.findLastIndex((number) => number <= upTo) + 1;
  const end = total - offset;
  const shown = end <= 0 ? [] : numbers.slice(Math.max(0, end - limit), end).toReversed();
  return {
    lines: linesOf(db, shown),
    total,
    newest: numbers[total - 1] ?? null,
    newer: numbers.length - total,
  };
}

/** A row that was found and is gone by now keeps its line. */
function linesOf(db: Queries, numbers: readonly number[]): JournalLine[] {
  const found = selectShownRows(db, 'WHERE journal.number IN (SELECT value FROM json_each(?))').all(
    JSON.stringify(numbers),
  );
  const rows = new Map(found.map((row) => [row.number, row]));
  return numbers.map((number) => {
    const row = rows.get(number);
    return { number, row: row === undefined ? null : readJournalRow(row) };
  });
}

function positionOf(sql: DatabaseSync, number: number): number {
  return (
    rowsOf(sql, offsetRow, 'SELECT count(*) AS offset FROM journal WHERE number > :number', { number })[0]?.offset ?? 0
  );
}

const pageOf = (sql: DatabaseSync, { filter, after, limit }: JournalPageRequest) => {
  const { text, parameters } = conditionOf(filter);
  const page = `SELECT ${storedJournalColumns} FROM journal WHERE journal.number > :after AND ${isCountable} AND ${text}
    ORDER BY journal.number LIMIT :limit`;
  return rowsOf(sql, storedJournalRow, page, { ...parameters, after: after ?? Number.MIN_SAFE_INTEGER, limit });
};

interface JournalCondition {
  /** A condition on a row of `journal`. */
  text: string;
  parameters: Parameters;
}

/**
 * Compares rows as they are stored. Changing an operation into an unknown one does not hide its row from a search for
 * operations.
 */
function conditionOf({ operations, workspaceId, find, from, before }: JournalFilter): JournalCondition {
  const part = lowerLetters(find.trim());
  const texts = [
    ...(operations.length > 0
      ? [
          `(operation IN (SELECT value FROM json_each(:operations))
            OR operation NOT IN (SELECT value FROM json_each(:known)))`,
        ]
      : []),
    ...(workspaceId === null ? [] : ['workspace_id = :workspace']),
    ...(part === ''
      ? []
      : [
          `(instr(ifnull(hash, ''), :find) > 0 OR instr(lower(outcome), :find) > 0
            OR instr(replace(lower(outcome), '-', ' '), :find) > 0 OR instr(lower(detail), :written) > 0)`,
        ]),
    ...(from === null ? [] : ['time >= :from']),
    ...(before === null ? [] : ['time < :before']),
  ];
  return {
    text: texts.join(' AND ') || 'TRUE',
    parameters: {
      operations: JSON.stringify(operations),
      known: JSON.stringify(journalOperation.options),
      workspace: workspaceId,
      find: part,
      // As JSON writes it inside of a text.
      written: JSON.stringify(part).slice(1, -1),
      from: from && stored(from),
      before: before && stored(before),
    },
  };
}

/** With milliseconds, as rows have it: they are compared as texts. */
const stored = (time: string): string => new Date(time).toISOString();

const foundRow = z.object({ numbers: z.string(), last: z.number() });
const numberList = z.array(z.number());

interface Found {
  key: string;
  /** Of the rows that are meant, in their order. */
  numbers: number[];
  /** Of the last row that was looked at. */
  last: number;
}

/**
 * Which rows a filter means. The journal only grows: what was found for the filter that was asked last is kept, and
 * rows that came since are looked at alone. Thus going through a million rows costs one search and not one a window.
 */
class FoundRows {
  #kept: Found | null = null;

  /** Numbers in their order, about 8 bytes each. */
  numbers(sql: DatabaseSync, filter: JournalFilter): readonly number[] {
    const key = JSON.stringify(filter);
    const found = this.#kept?.key === key ? this.#kept : { key, numbers: [], last: Number.MIN_SAFE_INTEGER };
    const { text, parameters } = conditionOf(filter);
    // One text of all numbers: a row each would take several times as long. The plus sign keeps SQLite from walking an
    // index of few rows.
    const meant = `SELECT number FROM journal WHERE journal.number > :last AND ${isCountable} AND ${text}
      ORDER BY journal.number`;
    const row = rowsOf(
      sql,
      foundRow,
      `SELECT (SELECT json_group_array(${safeNumber}) FROM (${meant})) AS numbers,
        ifnull((SELECT ${safeNumber} FROM journal WHERE ${isCountable} ORDER BY journal.number DESC LIMIT 1),
        :last) AS last`,
      { ...parameters, last: found.last },
    )[0];
    if (row === undefined) return found.numbers;
    for (const number of numberList.parse(JSON.parse(row.numbers))) found.numbers.push(number);
    found.last = Math.max(found.last, row.last);
    this.#kept = found;
    return found.numbers;
  }
}

/** More than anyone ever has: ids forged in rows cannot make the list endless. */
const mostWorkspaces = 500;
const longestName = 80;
const idRow = z.object({ id: z.string() });
const namedRow = z.object({ id: z.string(), name: z.string(), number: z.number() });
const lastRow = z.object({ last: z.number().nullable() });

/**
 * Which workspaces rows are of, and what each was called last. The journal only grows: rows that came since are looked
 * at alone.
 */
class JournalWorkspaces {
  readonly #names = new Map<string, string | null>();
  #last = Number.MIN_SAFE_INTEGER;

  list(sql: DatabaseSync): JournalWorkspace[] {
    const { last } = rowsOf(sql, lastRow, `SELECT max(number) AS last FROM journal WHERE ${isCountable}`, {})[0] ?? {};
    const since = 'FROM journal WHERE journal.number > :from AND journal.number <= :to';
    const bounds = { from: this.#last, to: last ?? this.#last };
    for (const { id } of rowsOf(
      sql,
      idRow,
      `SELECT DISTINCT workspace_id AS id ${since} AND workspace_id IS NOT NULL LIMIT ${mostWorkspaces}`,
      bounds,
    ))
      this.#note(id, this.#names.get(id) ?? null);
    const named = `SELECT workspace_id AS id, detail ->> 'name' AS name, max(number) AS number ${since}
      AND operation = 'workspace' AND workspace_id IS NOT NULL
      AND json_valid(detail) AND json_type(detail, '$.name') = 'text' GROUP BY workspace_id LIMIT ${mostWorkspaces}`;
    for (const { id, name } of rowsOf(sql, namedRow, named, bounds)) this.#note(id, name.slice(0, longestName));
    this.#last = bounds.to;
    return [...this.#names].map(([id, name]) => ({ id, name }));
  }

  #note(id: string, name: string | null): void {
    if (workspaceIdShape.safeParse(id).success && (this.#names.has(id) || this.#names.size < mostWorkspaces))
      this.#names.set(id, name);
  }
}
