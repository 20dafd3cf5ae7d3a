import { csvLine } from '../../shared/domain/csv.ts';
import { defang } from '../../shared/domain/defang.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import type { FittedColumn, MeasuredColumn } from './table-columns.ts';
import type { Style, Terminal } from './terminal.ts';

/**
 * Text that a service or a person sent, on one line of a terminal: nothing in it is hidden, and no address in it can be
 * followed by a slip.
 */
export const harmlessLine = (text: string): string => defang(visibleLine(text));

export type Cell = string | number | null;

/** A column of a list. */
export interface Column<Row> {
  /** In capitals; CSV has it in small letters. */
  head: string;
  /** The same in plain text and CSV. null: unknown, or none. */
  value(row: Row): Cell;
  /** What a table shows in its place. */
  text?(row: Row): string | null;
  align?: 'right';
  /**
   * What is cut where a table is wider than the terminal: `hash` first, then `text`. Other columns are left out before
   * they are cut.
   */
  cut?: 'text' | 'hash';
  /** What a row is recognized by: cut last, and never left out. Without one it is the last that is cut as text. */
  isMain?: true;
  /** Written by Vitrine or by the person: addresses in it stay usable. */
  isOwn?: true;
}

/** Rows that are measured before the first is shown; the widths stay the same for the rest. */
const mostMeasured = 500;
const gap = '  ';
const none = '-';

/**
 * Writes a list: as a table in a terminal, as CSV, or else as one line per row with tabs between its cells. JSON is not
 * written here, because it has more than the columns.
 */
export class Records<Row> {
  readonly #terminal: Terminal;
  readonly #columns: readonly Column<Row>[];
  readonly #styleOf: (row: Row) => Style | null;
  #waiting: Row[] = [];
  #fitted: readonly FittedColumn[] | null = null;
  #hasHead = false;

  constructor(terminal: Terminal, columns: readonly Column<Row>[], styleOf: (row: Row) => Style | null = () => null) {
    this.#terminal = terminal;
    this.#columns = columns;
    this.#styleOf = styleOf;
  }

  async add(row: Row): Promise<void> {
    switch (this.#terminal.layout) {
      case 'csv':
        await this.#csvHead();
        return this.#terminal.bytes(Buffer.from(csvLine(this.#columns.map((column) => csvCell(column, row)))));
      case 'table':
        this.#waiting.push(row);
        if (this.#fitted !== null || this.#waiting.length >= mostMeasured) await this.#showTable();
        return;
      default:
        return this.#terminal.line(this.#columns.map((column) => plainCell(column, row)).join('\t'));
    }
  }

  /** After the last row. A table without rows has no head; CSV always has one. */
  async end(): Promise<void> {
    if (this.#terminal.layout === 'csv') await this.#csvHead();
    else if (this.#waiting.length > 0) await this.#showTable();
  }

  async #csvHead(): Promise<void> {
    if (this.#hasHead) return;
    this.#hasHead = true;
    await this.#terminal.bytes(Buffer.from(csvLine(this.#columns.map(({ head }) => head.toLowerCase()))));
  }

  async #showTable(): Promise<void> {
    const [{ cutTo, padTo, textWidth }, { fittedColumns }] = await Promise.all([
      import('./table-columns.ts'),
      import('./table-columns.ts'),
    ]);
    const waiting = this.#waiting;
    this.#waiting = [];
    const heads = this.#columns.map(({ head }) => head);
    const rows = waiting.map((row) => this.#columns.map((column) => tableCell(column, row)));
    const space = this.#terminal.columns ?? Infinity;
    const isFirst = this.#fitted === null;
    const fitted = (this.#fitted ??= fittedColumns(this.#measured([heads, ...rows], textWidth), space, gap.length));
    // A row that was not measured may have a number that is wider than its column: the end of such a line is cut.
    const line = (cells: readonly string[], isMeasured: boolean): string => {
      const text = fitted
        .map(({ at, width }) => {
          const [{ align = 'left', cut } = {}, cell = ''] = [this.#columns[at], cells[at]];
          return padTo(cut === undefined && !isMeasured ? cell : cutTo(cell, width), width, align);
        })
        .join(gap)
        .trimEnd();
      return isMeasured ? text : cutTo(text, space);
    };
    if (isFirst) await this.#terminal.line(line(heads, true), 'head');
    for (const [at, row] of waiting.entries())
      await this.#terminal.line(line(rows[at] ?? [], isFirst), this.#styleOf(row));
  }

  #measured(lines: readonly (readonly string[])[], textWidth: (text: string) => number): MeasuredColumn[] {
    const marked = this.#columns.findIndex(({ isMain }) => isMain === true);
    const main = marked === -1 ? this.#columns.findLastIndex(({ cut }) => cut === 'text') : marked;
    return this.#columns.map(({ cut }, at) => ({
      width: Math.max(...lines.map((cells) => textWidth(cells[at] ?? ''))),
      cut,
      isMain: at === main,
    }));
  }
}

const shown = <Row>({ isOwn }: Column<Row>, text: string): string =>
  isOwn === true ? visibleLine(text) : harmlessLine(text);

function tableCell<Row>(column: Column<Row>, row: Row): string {
  const value = column.text === undefined ? column.value(row) : column.text(row);
  if (value === null || value === '') return none;
  return typeof value === 'number' ? value.toLocaleString('en') : shown(column, value);
}

function plainCell<Row>(column: Column<Row>, row: Row): string {
  const value = column.value(row);
  return value === null || value === '' ? none : shown(column, String(value));
}

function csvCell<Row>(column: Column<Row>, row: Row): Cell {
  const value = column.value(row);
  return typeof value === 'string' ? shown(column, value) : value;
}

/** What is known of one thing: a fact a line with its label, or a row of CSV. Facts that are unknown are left out. */
export async function showFacts(
  terminal: Terminal,
  facts: readonly (readonly [label: string, value: Cell])[],
  labelWidth: number,
): Promise<void> {
  for (const [label, value] of facts) {
    if (value === null || value === '') continue;
    const text = typeof value === 'number' ? String(value) : harmlessLine(value);
    await terminal.line(terminal.layout === 'table' ? `${label.padEnd(labelWidth)}${text}` : `${label}\t${text}`);
  }
}

const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})$/i;
const zoneless = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)?$/;

/**
 * A time of a service: in UTC where it was sent with a zone, else with the words that the zone is that of the server.
 * What is no time stays.
 */
export function shownTime(sent: string): string {
  const text = sent.trim();
  if (zoned.test(text)) {
    const date = new Date(text.replace(' ', 'T').replace(/\s(?=[+-]|Z$)/i, ''));
    if (!Number.isNaN(date.getTime())) return utcSeconds(date);
  }
  return zoneless.test(text) ? `${text} server time` : text;
}

/** `2026-11-18T14:32:07Z`. */
const utcSeconds = (date: Date): string => date.toISOString().replace(/\.\d{3}Z$/, 'Z');
