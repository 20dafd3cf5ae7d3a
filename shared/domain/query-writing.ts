/** A value as it is read again: in quotes where it would be read for something else without them. */
export const writtenValue = (value: string): string =>
  /[\s"]|[*:]$|^$/.test(value) ? `"${value.replace(/[\\"]/g, '\\$&')}"` : value;
