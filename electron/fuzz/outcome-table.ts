import type { FuzzOutcome } from './fuzzing.ts';

const columns = [18, 10, 11, 9] as const;
const line = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(columns[0]) : cell.padStart(columns[at] ?? 0))).join(' ');

export const tableHead = `${line(['target', 'tried', 'slowest ms', 'peak MiB'])}  found`;

/** Of a process that was ended nothing but what it was at is known. */
const figure = (value: number): string => (Number.isFinite(value) ? value.toFixed(0) : '–');

export function outcomeLine({ name, tried, slowestMs, peakMiB, found }: FuzzOutcome): string {
  const what = found === null ? 'nothing' : `${found.why}${found.isKept ? ' (a kept case)' : ' (kept in the corpus)'}`;
  return `${line([name, String(tried), figure(slowestMs), figure(peakMiB)])}  ${what}`;
}
