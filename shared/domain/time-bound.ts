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
