import type { TimeDisplay } from '../../shared/domain/settings.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';

const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const;
const numbers = new Intl.NumberFormat('en');

export function formatNumber(value: number): string {
  return numbers.format(value);
}

const compactNumbers = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 });

/** Four characters at most for what a narrow column counts: `999`, `1.2K`. */
export function formatCount(value: number): string {
  return value < 1000 ? String(value) : compactNumbers.format(value);
}

/** A short size: `1.15 MiB`, at most three digits before the next unit (`KiB` and so on). Input in bytes. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${formatNumber(Math.round(bytes))} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let value = bytes;
  let unit: (typeof units)[number] = 'KiB';
  for (unit of units) {
    value /= 1024;
    if (value < 1000) break;
  }
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
}

/** The exact count with the short size behind it: `1,208,320 bytes (1.15 MiB)`. */
export function formatExactSize(bytes: number): string {
  return bytes < 1024 ? formatSize(bytes) : `${formatNumber(bytes)} bytes (${formatSize(bytes)})`;
}

/** A duration that cannot be known exactly: `less than a minute`, `about 6 min`, `about 2 h 10 min`. */
export function formatEstimate(seconds: number): string {
  if (seconds < 45) return 'less than a minute';
  const minutes = Math.max(1, Math.round(seconds / 60));
  const rest = minutes % 60;
  return minutes < 60
    ? `about ${minutes} min`
    : `about ${formatNumber(Math.floor(minutes / 60))} h${rest === 0 ? '' : ` ${rest} min`}`;
}

/** Minutes and seconds, or hours: `0:44`, `12:03`, `2:01:09`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** English of the components that every view uses. */
export const words = {
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied',
  copyDetails: 'Copy details',
  tryAgain: 'Try again',
  serverTime: 'server time',
  close: 'Close',
  undo: 'Undo',
  notifications: 'Notifications',
  hashUses: { given: 'looked up by this hash', asked: 'sent to the repository' },
  notKnownYet: 'not known yet',
  noText: 'no text',
  noTlp: 'No TLP',
  serviceTag: 'Repository tag',
  repositoryTags: 'repository',
  localTags: 'local, never sent',
  entropy: (least: string, most: string) =>
    least === most ? `entropy ${least} of 8` : `entropy ${least} to ${most} of 8`,
  unnamedAuthor: 'unknown author',
  noTime: 'unknown time',
  replyTo: (name: string) => `to ${name}`,
  entries: (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`),
  empty: 'empty',
  tooDeep: 'nested too deeply to show',
  more: (count: number) => `show ${count.toLocaleString('en')} more`,
  wholeText: (count: number) => `Show all ${count.toLocaleString('en')} characters`,
  received: (received: string, total: string | null) => (total === null ? received : `${received} of ${total}`),
  rate: (size: string) => `${size}/s`,
  left: (time: string) => `${time} left`,
} as const;

/** A time as a service sent it, read once: with a zone it is a moment, without one it is the server's own. */
type ReadTime =
  { kind: 'utc'; text: string; iso: string } | { kind: 'server'; text: string } | { kind: 'other'; text: string };

const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})$/i;
const zoneless = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?$/;

/** `YYYY-MM-DD HH:MM:SS` and ISO 8601 are understood (docs/services.md, "getfile"); anything else is kept as it is. */
export function readTime(sent: string): ReadTime {
  const text = sent.trim();
  if (zoned.test(text)) {
    const date = new Date(text.replace(' ', 'T').replace(/\s(?=[+-]|Z$)/i, ''));
    if (!Number.isNaN(date.getTime())) return { kind: 'utc', text: formatMinute(date), iso: date.toISOString() };
  }
  const local = zoneless.exec(text);
  if (local) return { kind: 'server', text: [local[1], local[2]].filter(Boolean).join(' ') };
  return { kind: 'other', text };
}

/** What times of the page are shown in, other than UTC; null: UTC. */
let localClock: Intl.DateTimeFormat | null = null;

const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** `zone`: an IANA name; undefined: that of this computer. A clock is expensive to make. */
function clockOf(zone: string | undefined): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...(zone === undefined ? {} : { timeZone: zone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  clocks.set(zone, clock);
  return clock;
}

/** The times of the page from now on. `zone`: an IANA name; the zone of this computer without one. */
export function showTimesIn(times: TimeDisplay, zone?: string): void {
  localClock = times === 'utc' ? null : clockOf(zone);
}

/** Width for a column of times, in pixels: those with an offset, such as `+02:00`, are longer than those with a Z. */
export const timeWidth = (inUtc: number): number => (localClock === null ? inUtc : inUtc + 40);

/** `2026-11-18 14:21Z`, or `2026-11-18 15:21+01:00` where local times are shown. */
export function formatMinute(date: Date): string {
  return formatLocal(date, localClock, 'minute') ?? `${upTo(date, ':00.000Z')}Z`;
}

/** A time as an example of how times are shown. */
export const formatMinuteIn = (date: Date, times: TimeDisplay): string =>
  formatLocal(date, times === 'utc' ? null : clockOf(undefined), 'minute') ?? `${upTo(date, ':00.000Z')}Z`;

/** The same time in the zone that is not shown, for a tool tip; null where they are the same. */
export function formatOtherZone(date: Date, zone?: string): string | null {
  if (localClock !== null) return `${upTo(date, ':00.000Z')}Z`;
  const local = formatLocal(date, clockOf(zone), 'minute');
  return local === null || local.endsWith('+00:00') ? null : local;
}

/** null: UTC is shown, also for years that a clock does not write with four digits. */
function formatLocal(date: Date, clock: Intl.DateTimeFormat | null, to: 'minute' | 'second'): string | null {
  const year = date.getUTCFullYear();
  if (clock === null || year < 1 || year > 9998) return null;
  const parts = new Map(clock.formatToParts(date).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const time = [part('hour'), part('minute'), ...(to === 'second' ? [part('second')] : [])].join(':');
  const day = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  return `${day} ${time}${part('timeZoneName').replace('GMT', '') || '+00:00'}`;
}

/** ISO 8601 without so much of its end. A year beyond 9999 is written with a sign and six digits. */
const upTo = (date: Date, end: string): string =>
  date.toISOString().slice(0, -end.length).replace(/^\+0?/, '').replace('T', ' ');

/** `14:21Z` or `15:21+01:00`, with its day before it when that is not today's. */
export function formatRecent(iso: string, now: Date = new Date()): string {
  const minutes = formatMinute(new Date(iso));
  const [day = '', minute = ''] = minutes.split(' ');
  return formatMinute(now).startsWith(`${day} `) ? minute : minutes;
}

/** `2026-11-18 14:32:07Z`, or with the offset where local times are shown. */
export function formatSecond(date: Date): string {
  return formatLocal(date, localClock, 'second') ?? `${upTo(date, '.000Z')}Z`;
}

const steps = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "3 hours ago", for a tool tip. */
export function formatAgo(iso: string, now: Date = new Date()): string {
  let value = (new Date(iso).getTime() - now.getTime()) / 1000;
  for (const [size, unit] of steps) {
    if (Math.abs(value) < size) return relative.format(Math.round(value), unit);
    value /= size;
  }
  return relative.format(Math.round(value), 'year');
}

/** Cuts a long name in its middle, so that its beginning and its ending stay readable. Length in characters. */
export function cutMiddle(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  const tail = Math.max(8, Math.floor(longest / 3));
  return `${characters.slice(0, longest - tail - 1).join('')}…${characters.slice(-tail).join('')}`;
}

/** Has letters of a script that runs from right to left. */
export const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The name of a sample or a file as part of a sentence: cut in its middle, its hidden marks spelt out. Letters that run
 * from right to left do not reach out of it: it is between the marks of an isolate that runs from left to right, so
 * that its ending stays at the right.
 */
export function nameInSentence(name: string, longest = 40): string {
  const shown = visibleLine(cutMiddle(name, longest));
  return rightToLeft.test(shown) ? `\u2066${shown}\u2069` : shown;
}
