const stamp = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * What comments are ordered by: UTC, ISO 8601 with milliseconds. A time without a zone is the server's local time and
 * taken as it is; null for what is no time.
 */
export function sortTimeOf(created: string | null): string | null {
  const [, date, time, fraction = '', zone = 'Z'] = stamp.exec(created?.trim() ?? '') ?? [];
  if (date === undefined || time === undefined) return null;
  const read = new Date(`${date}T${time}${fraction.slice(0, 4)}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`);
  return Number.isNaN(read.getTime()) ? null : read.toISOString();
}
