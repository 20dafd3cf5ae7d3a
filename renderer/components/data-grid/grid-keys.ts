export interface GridPlace {
  /** From 0; -1 is the row of column heads. */
  row: number;
  count: number;
  /** Rows that are seen at once. */
  page: number;
  /** Whether J and K move, too. */
  letters: boolean;
}

/** The row that a key leads to; null when the key moves nowhere. Up from the first row leads to the column heads. */
export function rowForKey(key: string, { row, count, page, letters }: GridPlace): number | null {
  if (count === 0) return null;
  const within = (to: number): number => Math.max(0, Math.min(count - 1, to));
  switch (key) {
    case 'ArrowDown':
      return within(row + 1);
    case 'ArrowUp':
      return row <= 0 ? -1 : row - 1;
    case 'PageDown':
      return within(row + page);
    case 'PageUp':
      return within(row - page);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return letters ? rowForLetter(key, row, within) : null;
  }
}

function rowForLetter(key: string, row: number, within: (to: number) => number): number | null {
  if (key.toLowerCase() === 'j') return within(row + 1);
  return key.toLowerCase() === 'k' ? within(row - 1) : null;
}
