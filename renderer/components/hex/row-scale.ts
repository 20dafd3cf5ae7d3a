export const rowHeight = 20;
/** A browser lays out nothing higher than some 17 million pixels, less where the page is zoomed. */
const mostHeight = 4_000_000;

/** All in CSS pixels. */
export interface RowScale {
  /** What is scrolled over. */
  scrollHeight: number;
  /** How far down the first row in sight can be, were the rows as high as they are. */
  mostTop: number;
  /** Each pixel of scrolling is more than one of the rows. */
  isShrunk: boolean;
  /** How far down the rows are for a place of the scroll bar. */
  topOf(scrollTop: number): number;
  scrollTopOf(top: number): number;
}

/**
 * How a scroll bar and rows of any number belong together. Where all the rows would be higher than a browser can make
 * them, the bar is shorter and its ends are theirs: it leads about there, and keys and the wheel lead to each row.
 */
export function rowScale(rows: number, viewHeight: number): RowScale {
  const height = rows * rowHeight;
  const scrollHeight = Math.min(height, mostHeight);
  const mostTop = Math.max(0, height - viewHeight);
  const mostScroll = Math.max(0, scrollHeight - viewHeight);
  const ratio = mostScroll === 0 ? 1 : mostTop / mostScroll;
  const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));
  return {
    scrollHeight,
    mostTop,
    isShrunk: ratio > 1,
    topOf: (scrollTop) => within(Math.round(scrollTop * ratio), mostTop),
    scrollTopOf: (top) => within(top / ratio, mostScroll),
  };
}

/**
 * The top that shows a row: the same one where it is in sight, else one that has it at an edge, or `apart` from the
 * upper one.
 */
export function topShowing(
  row: number,
  { top, viewHeight, apart }: { top: number; viewHeight: number; apart: number | null },
): number {
  const [start, end] = [row * rowHeight, (row + 1) * rowHeight];
  if (start >= top && end <= top + viewHeight) return top;
  if (apart !== null) return Math.max(0, start - apart);
  return start < top ? start : end - viewHeight;
}
