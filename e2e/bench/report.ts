import type { Figures } from './document.ts';
import { missedBy, type Outcome } from './row.ts';

const columns = [20, 7, 7, 7, 14, 9] as const;
const line = (cells: string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(columns[0]) : cell.padStart(columns[at] ?? 0))).join(' ');
const number = (value: number | null, digits: number): string => value?.toFixed(digits) ?? '–';

export const tableHead = `${line(['row', 'ratio', 'aim', 'must', 'resident MiB', 'met'])}  reference (ratio 1)`;

export function tableLine(outcome: Outcome): string {
  const { row } = outcome;
  const { ratio, memory, besides } = figuresOf(outcome);
  const met = missedBy(outcome).length === 0 ? 'yes' : 'NO';
  return (
    `${line([row.name, ratio, number(row.aim, 2), number(row.must, 2), memory, met])}  ` +
    [row.reference, besides].filter((part) => part !== '').join('; ')
  );
}

/** What was measured, as it is shown: with the sign that is true of it. */
export function figuresOf(outcome: Outcome): Figures {
  const { row, ratio, residentMiB } = outcome;
  const memory = `${number(residentMiB, 0)}${limited(residentMiB, row.residentMustMiB)}`;
  return {
    ratio:
      ratio !== null && row.must !== null && ratio > row.must ? `${number(ratio, 2)} > ${row.must}` : number(ratio, 2),
    memory,
    besides: [...standstills(outcome), ...heldTo(outcome)].join('; '),
  };
}

function standstills({ row: { longestMustMs }, longest = [] }: Outcome): string[] {
  return longest.map(
    ({ what, ms, ownMs }) =>
      `${what} ${ms.toFixed(1)}${limited(ms, longestMustMs ?? null)} ms (${ownMs.toFixed(1)} running)`,
  );
}

const heldTo = ({ held = [] }: Outcome): string[] =>
  held.map(({ what, value, must }) => `${what} ${value.toFixed(2)}${limited(value, must)}`);

const limited = (value: number | null, must: number | null): string =>
  must === null ? '' : ` ${value !== null && !(value <= must) ? '>' : '≤'} ${must}`;

/**
 * One object a line. Ratios are fractions of the reference's time, memory is in MiB, `longest` in milliseconds, `held`
 * in the unit it names; null is "not measured" or "no limit".
 */
export function jsonLine({ row, ratio, residentMiB, longest = [], held = [] }: Outcome): string {
  const { name, aim, must, residentMustMiB, longestMustMs = null, reference } = row;
  return JSON.stringify({
    name,
    ratio,
    aim,
    must,
    residentMiB,
    residentMustMiB,
    longest,
    longestMustMs,
    held,
    reference,
  });
}
