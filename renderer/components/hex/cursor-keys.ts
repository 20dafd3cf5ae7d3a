import { rowBytes } from './offsets.ts';

export interface CursorPlace {
  cursor: number;
  sizeBytes: number;
  /** Rows that a page key passes. */
  page: number;
}

/** The byte that a key leads to; null when the key moves nowhere. `isFar`: with Ctrl. */
export function cursorForKey(key: string, isFar: boolean, { cursor, sizeBytes, page }: CursorPlace): number | null {
  const last = sizeBytes - 1;
  /** Up and down keep the column: no row, no move. */
  const byRows = (rows: number): number => {
    const to = cursor + rows * rowBytes;
    if (to < 0) return cursor % rowBytes;
    return to > last ? lastInColumn(cursor % rowBytes, last) : to;
  };
  const rowStart = cursor - (cursor % rowBytes);
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, cursor - 1);
    case 'ArrowRight':
      return Math.min(last, cursor + 1);
    case 'ArrowUp':
      return byRows(-1);
    case 'ArrowDown':
      return byRows(1);
    case 'PageUp':
      return byRows(-page);
    case 'PageDown':
      return byRows(page);
    case 'Home':
      return isFar ? 0 : rowStart;
    case 'End':
      return isFar ? last : Math.min(last, rowStart + rowBytes - 1);
    default:
      return null;
  }
}

/** Of the last row, or the byte at the very end when that row is too short. */
function lastInColumn(column: number, last: number): number {
  return Math.min(last, last - (last % rowBytes) + column);
}
