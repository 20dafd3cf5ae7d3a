import { assertNever } from '../assert-never.ts';
import { type ComparisonSign, readComparison } from './query-comparison.ts';

/** Whole numbers from `least` to `most`, both of them included; null is open. */
export interface CountRange {
  least: number | null;
  most: number | null;
}

/** Bytes in each unit, its name in lower case: an `i` tells the powers of 1024. */
const unitBytes: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['k', 1e3],
  ['kb', 1e3],
  ['m', 1e6],
  ['mb', 1e6],
  ['g', 1e9],
  ['gb', 1e9],
  ['t', 1e12],
  ['tb', 1e12],
  ['kib', 2 ** 10],
  ['mib', 2 ** 20],
  ['gib', 2 ** 30],
  ['tib', 2 ** 40],
]);

/** `>1MB`, `10k..2MiB`, `1024`; null for what is no size. In bytes; a part of a byte is rounded. */
export const readSizeRange = (text: string): CountRange | null => readRange(text, readSize);

/** `>3`, `1..5`, `0`; null for what is no count. */
export const readCountRange = (text: string): CountRange | null => readRange(text, readCount);

function readRange(text: string, read: (text: string) => number | null): CountRange | null {
  const comparison = readComparison(text);
  if (!comparison) return null;
  if (comparison.kind === 'than') return orNull(than(comparison.sign, read(comparison.operand)));
  const [low, high] = [read(comparison.low), read(comparison.high)];
  return low === null || high === null ? null : { least: Math.min(low, high), most: Math.max(low, high) };
}

function than(sign: ComparisonSign, value: number | null): CountRange | null {
  if (value === null) return null;
  switch (sign) {
    case '>':
      return { least: value + 1, most: null };
    case '>=':
      return { least: value, most: null };
    case '<':
      return { least: null, most: value - 1 };
    case '<=':
      return { least: null, most: value };
    case '=':
      return { least: value, most: value };
    default:
      return assertNever(sign);
  }
}

const orNull = (range: CountRange | null): CountRange | null =>
  range && isCount(range.least ?? 0) && isCount(range.most ?? 0) ? range : null;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

function readSize(text: string): number | null {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text) ?? [];
  const bytes = Math.round(Number(digits) * (unitBytes.get(unit?.toLowerCase() ?? '') ?? Number.NaN));
  return isCount(bytes) ? bytes : null;
}

function readCount(text: string): number | null {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return isCount(value) ? value : null;
}
