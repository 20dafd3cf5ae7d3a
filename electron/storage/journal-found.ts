import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { JournalFilter } from '../../shared/domain/journal.ts';
import { conditionOf } from './journal-conditions.ts';
import { isCountable, safeNumber } from './journal-rows.ts';
import { rowsOf } from './named-rows.ts';

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
export class FoundRows {
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
