import type { SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import type { ItemFilter, ItemSort, JobItem } from '../../../shared/domain/job.ts';
import type { TriageCounts, TriageSelected } from '../../../shared/domain/triage.ts';
import { lowerLetters } from '../../../shared/domain/visible-text.ts';
import { readingJob } from '../reading/reading-connection.ts';
import type {
  ItemsAnswer,
  ItemsRequest,
  PageRequest,
  ReadingPort,
  TriageRowsAnswer,
  TriageRowsRequest,
  TriageSelectedRequest,
  TriageTickedAnswer,
  TriageTickedRequest,
} from '../reading/reading-thread.ts';
import { itemColumns, itemRow, jobItemOf, rankOf } from './job-rows.ts';

export type { ItemsAnswer, ItemsRequest } from '../reading/reading-thread.ts';

const itemsAPage = 1000;

/** Reads the items of jobs: any order and any filter over half a million of them takes long. */
export class JobReader {
  readonly #thread: ReadingPort;

  constructor(thread: ReadingPort) {
    this.#thread = thread;
  }

  /** Fails with `job-missing`, with `worker-ended`, or as the database does. */
  items(request: ItemsRequest): Promise<ItemsAnswer> {
    return this.#thread.request('items', request);
  }

  /** The rows of a triage, its counts, and what of it is ticked. Fails likewise. */
  triageRows(request: TriageRowsRequest): Promise<TriageRowsAnswer> {
    return this.#thread.request('triageRows', request);
  }

  triageCounts(id: number): Promise<TriageCounts> {
    return this.#thread.request('triageCounts', { id });
  }

  triageSelected(request: TriageSelectedRequest): Promise<TriageSelected> {
    return this.#thread.request('triageSelected', request);
  }

  triageTicked(request: TriageTickedRequest): Promise<TriageTickedAnswer> {
    return this.#thread.request('triageTicked', request);
  }

  /** All items that match, by position, some at a time. An item that changes meanwhile is given as it is by then. */
  async *itemsForExport(id: number, filter: ItemFilter): AsyncGenerator<JobItem[], void, undefined> {
    for (let after = 0; ;) {
      const items = await this.#thread.request('itemsPage', { id, filter, after, limit: itemsAPage });
      if (items.length > 0) yield items;
      if (items.length < itemsAPage) return;
      after = items.at(-1)?.position ?? after;
    }
  }

  /** Closes the thread, and with it every reader over it. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

interface Condition {
  text: string;
  parameters: SQLInputValue[];
}

/** Where an item has no name, that of its sample, as the library has it by now. */
const shownName = `coalesce(job_item.name, (SELECT sample.name FROM sample WHERE sample.sha256 = job_item.sha256),
  (SELECT sample.name FROM sample WHERE sample.md5 = job_item.md5 AND sample.name IS NOT NULL LIMIT 1))`;
const namedColumns = itemColumns.replace(' name,', ` ${shownName} AS name,`);
/** The name last: it is looked up where no hash fits. */
const searched = ['hash', "ifnull(md5, '')", "ifnull(sha256, '')", `lower(ifnull(${shownName}, ''))`];
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
      `SELECT ${namedColumns} FROM job_item WHERE job_id = ? AND position IN (${window})
        ORDER BY ${orderOf(sort, false)}`,
    );
    return { items: parseItems(rows.all(id, ...parameters, limit, offset)), total };
  });
}

/** The next items behind a position, by position. Fails with `job-missing`. */
export function readPage(path: string, { id, filter, after, limit }: PageRequest): JobItem[] {
  const { text, parameters } = matching(id, filter);
  const page = `SELECT ${namedColumns} FROM job_item WHERE ${text} AND position > ? ORDER BY position LIMIT ?`;
  return readingJob(path, id, (sql) => parseItems(sql.prepare(page).all(...parameters, after, limit)));
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

const parseItems = (rows: unknown[]): JobItem[] => rows.map((row) => jobItemOf(itemRow.parse(row)));
