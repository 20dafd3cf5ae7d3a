import { useState } from 'react';
import type { ByteSpan, HexMark } from '../../components/hex/hex-mark.ts';

/** Where one is in the bytes of a sample. */
export interface ShownBytes {
  isOpen: boolean;
  /** The current one of the marks; -1: none. */
  mark: number;
  goTo: { offset: number; times: number } | undefined;
  /** The bytes in sight; null: none are shown. */
  window: ByteSpan | null;
  setWindow(window: ByteSpan): void;
  open(offset: number): void;
  openMark(index: number): void;
  setMark(index: number): void;
  toggle(): void;
  close(): void;
}

export function useShownBytes(marks: readonly HexMark[]): ShownBytes {
  const [isOpen, setOpen] = useState(false);
  const [mark, setMark] = useState(-1);
  const [goTo, setGoTo] = useState<{ offset: number; times: number }>();
  const [window, setWindow] = useState<ByteSpan | null>(null);
  const open = (offset: number): void => {
    setOpen(true);
    // Also when it is where one was already: what is pressed is shown.
    setGoTo((before) => ({ offset, times: (before?.times ?? 0) + 1 }));
  };
  return {
    isOpen,
    mark: Math.min(mark, marks.length - 1),
    goTo,
    window: isOpen ? window : null,
    setWindow,
    open,
    openMark: (index) => {
      setMark(index);
      open(marks[index]?.offset ?? 0);
    },
    setMark,
    toggle: () => setOpen(!isOpen),
    close: () => setOpen(false),
  };
}
