const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})$/i;
const zoneless = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)?$/;

/**
 * A time of a service: in UTC where it was sent with a zone, else with the words that the zone is that of the server.
 * What is no time stays.
 */
export function shownTime(sent: string): string {
  const text = sent.trim();
  if (zoned.test(text)) {
    const date = new Date(text.replace(' ', 'T').replace(/\s(?=[+-]|Z$)/i, ''));
    if (!Number.isNaN(date.getTime())) return utcSeconds(date);
  }
  return zoneless.test(text) ? `${text} server time` : text;
}

/** `2026-11-18T14:32:07Z`. */
const utcSeconds = (date: Date): string => date.toISOString().replace(/\.\d{3}Z$/, 'Z');
