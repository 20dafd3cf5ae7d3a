/** So that today, tomorrow and yesterday, and a year ago, are written with four digits, too. */
const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-30T23:59:59.999Z');

/**
 * A time of a clock, in milliseconds since 1970, within limits. Instants are compared as text where they are stored,
 * and read as ISO 8601, which has years of four digits: a clock that is set to any other is taken as the first, or the
 * last, that can be written.
 */
export const boundedTime = (ms: number): Date => new Date(Math.min(Math.max(ms, earliest), latest));

/** The time by the clock of this computer. */
export const currentTime = (): Date => boundedTime(Date.now());

/** The same in UTC, ISO 8601 with milliseconds. */
export const currentInstant = (): string => currentTime().toISOString();

/** An instant to the minute, for people: `2026-11-18 14:21`. */
export const minuteOf = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

const typed = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(\.\d{1,3})?)?\s?Z?$/i;

/** A day, a minute or a second in UTC, as an instant; null: nothing was typed; undefined: this is none. */
export function readBound(text: string): string | null | undefined {
  if (text.trim() === '') return null;
  const [, day, minute = '00:00', second = ':00', part = '.000'] = typed.exec(text.trim()) ?? [];
  const date = new Date(`${day ?? ''}T${minute}${second}${part}Z`);
  // Of a day that no month has, a later one would be made.
  return day !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
    ? date.toISOString()
    : undefined;
}

const sentDay = /^(\d{4}-\d{2}-\d{2})(?:[T ](.*))?$/s;
const zoneAtEnd = /\d\s*(?:z|[+-]\d{2}:?\d{2})$/i;

/**
 * The day of a time as a service sent it: `2026-11-09`, in UTC or, where it names no zone, in the server's own. null:
 * it has none.
 */
export function dayOf(sent: string): string | null {
  const text = sent.trim();
  const [, day, clock = ''] = sentDay.exec(text) ?? [];
  if (day === undefined || instantOf(day)?.startsWith(day) !== true) return null;
  if (!zoneAtEnd.test(clock)) return day;
  const instant = instantOf(text.replace(' ', 'T').replace(/\s(?=[+-]|z$)/i, ''));
  return instant === null ? day : instant.slice(0, day.length);
}

function instantOf(text: string): string | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : boundedTime(time).toISOString();
}
