/** A time as a service sent it, read once: with a zone it is UTC here, without one it is the server's own. */
export type ReadTime =
  { kind: 'utc'; text: string; iso: string } | { kind: 'server'; text: string } | { kind: 'other'; text: string };

const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})$/i;
const zoneless = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?$/;

/** `YYYY-MM-DD HH:MM:SS` and ISO 8601 are understood (docs/services.md, "getfile"); anything else is kept as it is. */
export function readTime(sent: string): ReadTime {
  const text = sent.trim();
  if (zoned.test(text)) {
    const date = new Date(text.replace(' ', 'T').replace(/\s(?=[+-]|Z$)/i, ''));
    if (!Number.isNaN(date.getTime())) return { kind: 'utc', text: minuteWords(date), iso: date.toISOString() };
  }
  const local = zoneless.exec(text);
  if (local) return { kind: 'server', text: [local[1], local[2]].filter(Boolean).join(' ') };
  return { kind: 'other', text };
}

/** `2026-11-18 14:21Z`. */
export function minuteWords(date: Date): string {
  return `${upTo(date, ':00.000Z')}Z`;
}

/** ISO 8601 without so much of its end. A year beyond 9999 is written with a sign and six digits. */
const upTo = (date: Date, end: string): string =>
  date.toISOString().slice(0, -end.length).replace(/^\+0?/, '').replace('T', ' ');

/** `14:21Z`, with its day before it when that is not today's. */
export function recentWords(iso: string, now: Date = new Date()): string {
  const words = minuteWords(new Date(iso));
  const [day = '', minute = ''] = words.split(' ');
  return minuteWords(now).startsWith(`${day} `) ? minute : words;
}

/** `2026-11-18 14:32:07Z`. */
export function secondWords(date: Date): string {
  return `${upTo(date, '.000Z')}Z`;
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
export function agoWords(iso: string, now: Date = new Date()): string {
  let value = (new Date(iso).getTime() - now.getTime()) / 1000;
  for (const [size, unit] of steps) {
    if (Math.abs(value) < size) return relative.format(Math.round(value), unit);
    value /= size;
  }
  return relative.format(Math.round(value), 'year');
}
