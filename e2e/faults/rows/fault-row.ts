import type { SeenCell } from '../matrix/cell.ts';
import type { DueFailure } from './due-failures.ts';

/** A fault that is more than one wrong reply of one action: it has a service, and an expected result, of its own. */
export interface FaultRow {
  /** As in the table. */
  words: string;
  /** What a person has done. */
  action: string;
  /** What must be seen of it, the sentence that a person reads included. */
  due: SeenCell;
}

/** What was seen of one row, or why there is nothing to see, and what is not as it must be. */
export interface RanRow<R extends FaultRow = FaultRow> {
  row: R;
  seen: SeenCell | null;
  wrong: string[];
}

export const due = (ends: string, failed: DueFailure | null, requests: string, kept = 'nothing'): SeenCell => ({
  ends,
  failure: failed?.failure ?? null,
  requests,
  kept,
  sentence: failed?.sentence ?? '',
});

/** Rows that make no more than one another's host busy. */
const rowsAtOnce = 12;

/** Runs rows side by side. A row that fails is reported as wrong. */
export async function runRows<R extends FaultRow>(
  rows: readonly R[],
  run: (row: R) => Promise<SeenCell>,
  report: (ran: RanRow<R>) => void,
): Promise<RanRow<R>[]> {
  const ran = new Map<R, RanRow<R>>();
  const queue = [...rows];
  const work = async (): Promise<void> => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      const one = await judged(row, run);
      ran.set(row, one);
      report(one);
    }
  };
  await Promise.all(Array.from({ length: rowsAtOnce }, work));
  return rows.flatMap((row) => ran.get(row) ?? []);
}

async function judged<R extends FaultRow>(row: R, run: (row: R) => Promise<SeenCell>): Promise<RanRow<R>> {
  try {
    const seen = await run(row);
    const columns = ['ends', 'failure', 'sentence', 'requests', 'kept'] as const;
    const wrong = columns
      .filter((column) => seen[column] !== row.due[column])
      .map((column) => `${column}: "${seen[column]}", expected "${row.due[column]}"`);
    return { row, seen, wrong };
  } catch (error) {
    return { row, seen: null, wrong: [error instanceof Error ? error.message : String(error)] };
  }
}
