import { visibleLine } from './visible-text.ts';

/**
 * A line of CSV as RFC 4180 has it, with its end; null is an empty cell. Texts come from services and are shown to a
 * person: what is not seen, and what would end a line or a cell where text is pasted, is spelt out (JSON is what is
 * read back as it was).
 */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(',')}\r\n`;

/**
 * How a file of CSV begins: with a byte order mark, without which Excel reads it in the encoding of the country. What
 * programs read (standard output, pipes) and what is pasted has none.
 */
export const csvFileHead = (columns: readonly string[]): string => `\ufeff${csvLine(columns)}`;

/**
 * Where a spreadsheet would begin a formula: at the start of a cell, and in half of the world cells are parted by
 * semicolons.
 */
const formulaStart = /(?<=^|;)(?=[\s"]*[=+\-@＝＋－＠])/g;

function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const guarded = visibleLine(value.toWellFormed()).replace(formulaStart, "'");
  return /[",;]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
