/** What is known of a column when a table is fitted. */
export interface MeasuredColumn {
  /** Of its widest cell. */
  width: number;
  /** How it may be shortened; undefined: only where nothing else helps. */
  cut: 'text' | 'hash' | undefined;
  isMain: boolean;
}

/** A column that is shown. */
export interface FittedColumn {
  /** Its place among the given ones. */
  at: number;
  width: number;
}

/** Hashes are cut to the first of these, then to the second. */
const hashWidths = [12, 8] as const;
const leastText = 10;
const leastMain = 16;
/** Where only the first and the main column are left, and do not fit. */
const leastOfAny = [8, 4, 1] as const;

/**
 * Fits columns into `room`, with `gap` between them: hashes are cut first, then texts, the widest first, and the main
 * one last. Where that is not enough, columns are left out from the right, but not the first and the main one.
 */
export function fittedColumns(columns: readonly MeasuredColumn[], space: number, gap: number): FittedColumn[] {
  const kept = columns.map((column, at) => ({ ...column, at }));
  const fits = (widths: readonly number[]): boolean => total(widths, gap) <= space;
  while (!fits(kept.map(leastOf))) {
    const last = kept.findLastIndex(({ at, isMain }) => at > 0 && !isMain);
    if (last === -1) break;
    kept.splice(last, 1);
  }
  const cutAs = (kind: 'text' | 'hash', least: number) => (column: MeasuredColumn) =>
    column.cut === kind && !column.isMain ? least : Infinity;
  const steps: ((column: MeasuredColumn) => number)[] = [
    ...hashWidths.map((width) => cutAs('hash', width)),
    cutAs('text', leastText),
    ({ isMain }) => (isMain ? leastText : Infinity),
    ...leastOfAny.map((least) => () => least),
  ];
  const widths = kept.map(({ width }) => width);
  for (const leastAt of steps) shrink(widths, kept.map(leastAt), total(widths, gap) - space);
  return kept.map(({ at }, index) => ({ at, width: widths[index] ?? 0 }));
}

const total = (widths: readonly number[], gap: number): number =>
  widths.reduce((sum, width) => sum + width, gap * Math.max(0, widths.length - 1));

/** How narrow a column can be before another one is left out for it. */
function leastOf({ width, cut, isMain }: MeasuredColumn): number {
  if (isMain) return Math.min(width, leastMain);
  return cut === undefined ? width : Math.min(width, cut === 'hash' ? hashWidths[1] : leastText);
}

/** Takes `over` from the widths, from the widest first, which becomes as narrow as the next one. */
function shrink(widths: number[], least: readonly number[], over: number): void {
  for (let left = over; left > 0;) {
    const [first, second] = widths
      .map((width, at) => ({ width, at, least: least[at] ?? Infinity }))
      .filter((one) => one.width > one.least)
      .toSorted((a, b) => b.width - a.width);
    if (first === undefined) return;
    const to = Math.max(first.least, first.width - left, Math.min(second?.width ?? 0, first.width - 1));
    left -= first.width - to;
    widths[first.at] = to;
  }
}

/** Letters that East Asian fonts and terminals draw two columns wide. */
const wideLetters = [
  String.raw`\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3`,
  String.raw`\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6`,
  String.raw`\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}`,
].join('');
/** These letters, and emoji. */
const wide = new RegExp(String.raw`[${wideLetters}\p{Emoji_Presentation}]|\p{Emoji}\ufe0f`, 'u');
const blank = /^[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u;
const ascii = /^[\x20-\x7e]*$/;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ellipsis = '…';

/** How many columns of a terminal a text on one line takes. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += columnsOf(segment);
  return width;
}

const columnsOf = (segment: string): number => (blank.test(segment) ? 0 : wide.test(segment) ? 2 : 1);

/** Cut to a width, with an ellipsis in the place of the rest. No letter is cut apart. */
export function cutTo(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width < 1) return '';
  let [kept, taken] = ['', 0];
  for (const { segment } of segmenter.segment(text)) {
    taken += columnsOf(segment);
    if (taken > width - 1) break;
    kept += segment;
  }
  return `${kept}${ellipsis}`;
}

export function padTo(text: string, width: number, align: 'left' | 'right'): string {
  const missing = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'left' ? `${text}${missing}` : `${missing}${text}`;
}
