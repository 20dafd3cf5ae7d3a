import type { SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import type { ItemFilter, ItemSort, JobItem } from '../../shared/domain/job.ts';
import { lowerLetters } from '../../shared/domain/visible-text.ts';
import { itemColumns, itemRow, jobItemOf, rankOf } from './job-rows.ts';
import { readingJob } from './reading-connection.ts';
import type { ItemsAnswer, ItemsRequest, PageRequest } from './reading-messages.ts';

interface Condition {
  text: string;
  parameters: SQLInputValue[];
}

const searched = ['hash', "ifnull(md5, '')", "ifnull(sha256, '')", "lower(ifnull(name, ''))"];
const totalRow = z.object({ total: z.number() });
const columns = {
  position: 'position',
  hash: 'hash',
  state: 'rank',
  sizeBytes: 'size_bytes',
} as const satisfies Record<ItemSort['column'], string>;

/** One window and the number of all that match, both of one moment. Fails with `job-missing`. */
export function readItems(path: string, { id, filter, sort, offset, limit }: ItemsRequest): ItemsAnswer {
  const { text, parameters } = matching(id, filter);
  return readingJob(path, id, (sql) => {
    const total = totalRow.parse(
      sql.prepare(`SELECT count(*) AS total FROM job_item WHERE ${text}`).get(...parameters),
    ).total;
    // The order is made of positions alone: sorting whole rows takes five times as long.
    const window = `SELECT position FROM job_item WHERE ${text} ORDER BY ${orderOf(sort, filter.find === '')}
      LIMIT ? OFFSET ?`;
    const rows = sql.prepare(
      `SELECT ${itemColumns} FROM job_item WHERE job_id = ? AND position IN (${window})
        ORDER BY ${orderOf(sort, false)}`,
    );
    return { items: itemsOf(rows.all(id, ...parameters, limit, offset)), total };
  });
}

/** The next items behind a position, by position. Fails with `job-missing`. */
export function readPage(path: string, { id, filter, after, limit }: PageRequest): JobItem[] {
  const { text, parameters } = matching(id, filter);
  const page = `SELECT ${itemColumns} FROM job_item WHERE ${text} AND position > ? ORDER BY position LIMIT ?`;
  return readingJob(path, id, (sql) => itemsOf(sql.prepare(page).all(...parameters, after, limit)));
}

/** `find` is a part of any hash of the item, or of its name; it holds nothing that means something to SQL. */
function matching(id: number, { states, find }: ItemFilter): Condition {
  const ranks = [...new Set(states)].map(rankOf);
  const inStates = ranks.length > 0 ? ` AND rank IN (${ranks.map(() => '?').join(', ')})` : '';
  const part = lowerLetters(find.trim());
  const hasPart = part ? ` AND (${searched.map((column) => `instr(${column}, ?) > 0`).join(' OR ')})` : '';
  return {
    text: `job_id = ?${inStates}${hasPart}`,
    parameters: [id, ...ranks, ...(part ? searched.map(() => part) : [])],
  };
}

/**
 * Items that are alike stay in the order in which they were given. An unknown size is last, whichever way sizes go.
 * Without `byIndex`, rows are found first and then sorted: a plus sign keeps SQLite from walking an index for the
 * order.
 */
function orderOf({ column, descending }: ItemSort, byIndex: boolean): string {
  const direction = descending ? 'DESC' : 'ASC';
  const first = `${byIndex ? '' : '+'}${columns[column]} ${direction}`;
  if (column === 'position') return first;
  return `${first}${column === 'sizeBytes' ? ' NULLS LAST' : ''}, ${byIndex ? '' : '+'}position`;
}

const itemsOf = (rows: unknown[]): JobItem[] => rows.map((row) => jobItemOf(itemRow.parse(row)));
