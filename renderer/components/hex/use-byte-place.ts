import { useState } from 'react';
import type { Stretch } from './mark-spans.ts';
import { within } from './offsets.ts';

export interface BytePlace {
  cursor: number;
  /** null: nothing is selected. The cursor is at one of its ends. */
  selected: Stretch | null;
  /** `extends`: selects from where the selection began. */
  moveTo(offset: number, extend: boolean): void;
  /** The cursor comes to the first byte. */
  select(start: number, length: number): void;
  selectNothing(): void;
}

/** Where one is in a file of at least one byte, and what is selected. */
export function useBytePlace(sizeBytes: number): BytePlace {
  const [{ cursor, anchor }, setPlace] = useState<{ cursor: number; anchor: number | null }>({
    cursor: 0,
    anchor: null,
  });
  return {
    cursor,
    selected: anchor === null ? null : { start: Math.min(anchor, cursor), end: Math.max(anchor, cursor) + 1 },
    moveTo: (offset, extend) =>
      setPlace((before) => ({
        cursor: within(offset, sizeBytes),
        anchor: extend ? (before.anchor ?? before.cursor) : null,
      })),
    select: (start, length) =>
      setPlace({ cursor: within(start, sizeBytes), anchor: within(start + length - 1, sizeBytes) }),
    selectNothing: () => setPlace((before) => ({ ...before, anchor: null })),
  };
}
