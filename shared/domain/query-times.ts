import { assertNever } from '../assert-never.ts';
import { boundedTime } from './clock.ts';
import { type ComparisonSign, readComparison } from './query-comparison.ts';

/** Instants, ISO 8601 in UTC with milliseconds. `from` belongs to it, `until` does not; null is open. */
export interface TimeRange {
  from: string | null;
  until: string | null;
}

/** Milliseconds since 1970. */
interface Span {
  from: number | null;
  until: number | null;
}
/** A day, a month or a year; or the one instant an age leads to. */
interface Moment {
  from: number;
  until: number;
  isAge: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const unitMs: ReadonlyMap<string, number> = new Map([
  ['m', minuteMs],
  ['h', hourMs],
  ['d', dayMs],
  ['w', 7 * dayMs],
  ['mo', 30 * dayMs],
  ['y', 365 * dayMs],
]);
/** Written with four digits: instants are compared as text where they are stored. */
const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * `<7d` and `7d` (less than seven days ago), `>30d` (longer ago), `2026-11-01`, `2026-11`, `2026`, `today`,
 * `yesterday`, these with `>`, `>=`, `<` and `<=`, and ranges of any two, whichever comes first. Days are those of UTC.
 * null for what is no time.
 */
export function readTimeRange(text: string, now: Date): TimeRange | null {
  const nowMs = boundedTime(now.getTime()).getTime();
  const comparison = readComparison(text.toLowerCase());
  if (!comparison) return null;
  if (comparison.kind === 'than') return written(than(comparison.sign, readMoment(comparison.operand, nowMs)));
  const [one, other] = [readMoment(comparison.low, nowMs), readMoment(comparison.high, nowMs)];
  return written(one && other && { from: Math.min(one.from, other.from), until: Math.max(one.until, other.until) });
}

function than(sign: ComparisonSign, moment: Moment | null): Span | null {
  if (!moment) return null;
  return moment.isAge ? ageThan(sign, moment.from) : momentThan(sign, moment);
}

/** The larger an age, the longer ago. */
const ageThan = (sign: ComparisonSign, at: number): Span =>
  sign === '>' || sign === '>=' ? { from: null, until: at } : { from: at, until: null };

function momentThan(sign: ComparisonSign, { from, until }: Moment): Span {
  switch (sign) {
    case '>':
      return { from: until, until: null };
    case '>=':
      return { from, until: null };
    case '<':
      return { from: null, until: from };
    case '<=':
      return { from: null, until };
    case '=':
      return { from, until };
    default:
      return assertNever(sign);
  }
}

function readMoment(text: string, now: number): Moment | null {
  const today = Math.floor(now / dayMs) * dayMs;
  if (text === 'today') return { from: today, until: today + dayMs, isAge: false };
  if (text === 'yesterday') return { from: today - dayMs, until: today, isAge: false };
  return readAge(text, now) ?? readDate(text);
}

function readAge(text: string, now: number): Moment | null {
  const [, digits, unit] = /^(\d{1,9})\s*([a-z]+)$/.exec(text) ?? [];
  const ms = unitMs.get(unit ?? '');
  if (ms === undefined) return null;
  const at = now - Number(digits) * ms;
  return { from: at, until: at, isAge: true };
}

function readDate(text: string): Moment | null {
  if (!/^\d{4}(?:-\d{2}){0,2}$/.test(text)) return null;
  const day = `${text}${'-01-01'.slice(text.length - 4)}`;
  const from = Date.parse(`${day}T00:00:00.000Z`);
  // A day that a month does not have may be taken for one of the next.
  if (Number.isNaN(from) || !new Date(from).toISOString().startsWith(day)) return null;
  return { from, until: nextAfter(from, text.length), isAge: false };
}

function nextAfter(from: number, length: number): number {
  const next = new Date(from);
  if (length === 4) return next.setUTCFullYear(next.getUTCFullYear() + 1);
  if (length === 7) return next.setUTCMonth(next.getUTCMonth() + 1);
  return from + dayMs;
}

function written(span: Span | null): TimeRange | null {
  if (!span || !isWritable(span.from) || !isWritable(span.until)) return null;
  return { from: instant(span.from), until: instant(span.until) };
}

const isWritable = (ms: number | null): boolean => ms === null || (ms >= earliest && ms <= latest);
const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
