import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { assertNever } from '../../shared/assert-never.ts';
import type { JournalLine } from '../../shared/domain/journal.ts';
import { checkRows } from './journal-check.ts';
import { conditionOf } from './journal-conditions.ts';
import { FoundRows } from './journal-found.ts';
import {
  isCountable,
  readJournalRow,
  type RowsOf,
  selectShownRows,
  storedJournalColumns,
  storedJournalRow,
} from './journal-rows.ts';
import { JournalWorkspaces } from './journal-workspaces.ts';
import { rowsOf } from './named-rows.ts';
import { reading } from './reading-connection.ts';
import type {
  JournalListAnswer,
  JournalListRequest,
  JournalPageRequest,
  JournalQuestion,
  JournalReply,
} from './reading-messages.ts';
import { Query } from './statement.ts';

const offsetRow = z.object({ offset: z.number() });

/** Answers what is asked of the journal, and keeps which rows the list that is looked through has. */
export class JournalAnswers {
  readonly #path: string;
  readonly #found = new FoundRows();
  readonly #workspaces = new JournalWorkspaces();

  /** `path`: the database file. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Fails as the database does. */
  answer(question: JournalQuestion): JournalReply {
    return reading(this.#path, (sql): JournalReply => {
      switch (question.kind) {
        case 'journal-list':
          return { kind: 'journal-list', answer: this.#list(sql, question.request) };
        case 'journal-workspaces':
          return { kind: 'journal-workspaces', workspaces: this.#workspaces.list(sql) };
        case 'journal-position':
          return { kind: 'journal-position', offset: positionOf(sql, question.number) };
        case 'journal-rows':
          return { kind: 'journal-rows', rows: pageOf(sql, question.request) };
        case 'journal-check':
          return {
            kind: 'journal-check',
            step: checkRows(rowsWith(sql, this.#path), question.keys, question.from, question.atMost),
          };
        default:
          return assertNever(question);
      }
    });
  }

  #list(sql: DatabaseSync, { filter, upTo, offset, limit }: JournalListRequest): JournalListAnswer {
    const numbers = this.#found.numbers(sql, filter);
    const total = upTo === undefined ? numbers.length : numbers.findLastIndex((number) => number <= upTo) + 1;
    const end = total - offset;
    const shown = end <= 0 ? [] : numbers.slice(Math.max(0, end - limit), end).toReversed();
    return {
      lines: linesOf(rowsWith(sql, this.#path), shown),
      total,
      newest: numbers[total - 1] ?? null,
      newer: numbers.length - total,
    };
  }
}

/** A row that was found and is gone by now keeps its line. */
function linesOf(db: RowsOf, numbers: readonly number[]): JournalLine[] {
  const stored = selectShownRows(db, 'WHERE journal.number IN (SELECT value FROM json_each(?))').all(
    JSON.stringify(numbers),
  );
  const rows = new Map(stored.map((row) => [row.number, row]));
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

const rowsWith = (sql: DatabaseSync, path: string): RowsOf => ({
  query: (row, text) => new Query(() => sql.prepare(text), row, path),
});
