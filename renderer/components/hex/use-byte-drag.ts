import { type PointerEvent, type RefObject, useRef } from 'react';
import { byteUnderPointer } from './byte-under-pointer.ts';

export interface ByteDrag {
  onPointerDown(event: PointerEvent): void;
  onPointerMove(event: PointerEvent): void;
  onPointerUp(): void;
}

const mainButton = 0;

/** A press puts the cursor at a byte, with Shift it selects up to there, and so does dragging. */
export function useByteDrag(
  rows: RefObject<HTMLElement | null>,
  moveTo: (offset: number, extend: boolean) => void,
): ByteDrag {
  const begun = useRef<number | null>(null);
  const stop = (): void => {
    begun.current = null;
  };
  return {
    onPointerDown: (event) => {
      const byte = rows.current && event.button === mainButton ? byteUnderPointer(rows.current, event) : null;
      if (byte === null) return;
      begun.current = byte;
      // Dragging goes on over the edge of the rows.
      event.currentTarget.setPointerCapture?.(event.pointerId);
      moveTo(byte, event.shiftKey);
    },
    onPointerMove: (event) => {
      const byte = rows.current && begun.current !== null ? byteUnderPointer(rows.current, event) : null;
      if (byte === null || byte === begun.current) return;
      begun.current = byte;
      moveTo(byte, true);
    },
    onPointerUp: stop,
  };
}
