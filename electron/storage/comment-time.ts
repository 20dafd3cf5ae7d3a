const stamp = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;
const fourDigitYear = /^(?!0000)\d{4}-/;

/**
 * What comments are ordered by: UTC, ISO 8601 with milliseconds. A time without a zone is the server's local time and
 * taken as it is; null for what is no time, or none of the years 0001 to 9999: others are not written with four digits.
 */
export function sortTimeOf(created: string | null): string | null {
  const [, date, clock, fraction = '', zone = 'Z'] = stamp.exec(created?.trim() ?? '') ?? [];
  if (date === undefined || clock === undefined) return null;
  const read = new Date(
    `${date}T${clock}${fraction.slice(0, 4)}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`,
  );
  const time = Number.isNaN(read.getTime()) ? '' : read.toISOString();
  return fourDigitYear.test(time) ? time : null;
}
