import type { Stretch } from './stretch.ts';

/** What a run of the bench gives to each row. */
export interface RowSettings {
  quick: boolean;
  /** A folder of the row's own, empty at first and removed afterwards. */
  folder: string;
}

export interface Measured {
  /** Our time through the reference's, the median of several counts; null where only memory is measured. */
  ratio: number | null;
  /** The peak memory of our process, in MiB; null where this system does not report it. */
  residentMiB: number | null;
  /** What must not block, each with its longest stall. */
  longest?: readonly Standstill[];
  held?: readonly Held[];
}

/** One more thing that was measured in the same run, and the most that it may be. */
export interface Held {
  what: string;
  value: number;
  must: number;
}

/** The longest time without a response. */
export interface Standstill extends Stretch {
  what: string;
}

/** One line of the table. A `must` that is missed fails the run; an aim is what we are after. */
export interface Row {
  name: string;
  /** What the ratio 1 means. */
  reference: string;
  /** What keeps it from being better, and how near that is, in sentences. */
  limit: string;
  aim: number | null;
  must: number | null;
  residentMustMiB: number | null;
  /** What each of `longest` is held to, in milliseconds. */
  longestMustMs?: number;
  /**
   * Why it cannot be measured on this machine, in a few words; null or left out where it can. A function where that
   * takes time to find out.
   */
  missing?: string | null | (() => Promise<string | null>);
  /** Left out of `--quick`: it shows nothing with a small file. */
  onlyFull?: true;
  measure(settings: RowSettings): Promise<Measured>;
}

export interface Outcome extends Measured {
  row: Row;
}

/** What was missed, in words; empty when all is well. */
export function missedBy({ row, ratio, residentMiB, longest = [], held = [] }: Outcome): string[] {
  const missed: string[] = [];
  if (row.must !== null && (ratio === null || ratio > row.must))
    missed.push(`ratio ${shown(ratio)}, must be at most ${row.must}`);
  if (row.residentMustMiB !== null && residentMiB !== null && residentMiB > row.residentMustMiB) {
    missed.push(`${shown(residentMiB)} MiB resident, must be at most ${row.residentMustMiB}`);
  }
  const { longestMustMs = Number.POSITIVE_INFINITY } = row;
  for (const { what, ms } of longest)
    if (ms > longestMustMs) missed.push(`${what}: ${shown(ms)} ms at a stretch, must be at most ${longestMustMs}`);
  for (const { what, value, must } of held)
    if (!(value <= must)) missed.push(`${what}: ${shown(value)}, must be at most ${must}`);
  return missed;
}

const shown = (value: number | null): string => value?.toFixed(2) ?? 'not measured';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle];
  if (upper === undefined || lower === undefined) throw new RangeError('no median of nothing');
  return (lower + upper) / 2;
}
