import {
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { rowBytes } from './hex-mark.ts';

const headHeight = 20;
/** A jump places its target a third of the way down. */
const jumpedAt = 1 / 3;
/** A scroll bar keeps fractions of a pixel, and no more than some. */
const sameScroll = 1;

export interface RowScroll {
  /** Attached to the scrolling element. */
  attach(scroller: HTMLDivElement | null): void;
  focus(): void;
  /** Whether its height is known: before that nothing can be shown. */
  isReady: boolean;
  /** CSS pixels, with the head. */
  scrollHeight: number;
  /** Of what is in sight, with the head. */
  sightHeight: number;
  /** The first row of which something is in sight, and how many pixels of it are not. */
  first: number;
  hidden: number;
  /** Rows of which something is in sight. */
  shown: number;
  /** Rows that are wholly in sight, less one. */
  page: number;
  onScroll(): void;
  /** `edge`: as little as need be; `jump`: somewhere in the middle, where it is not in sight yet. */
  show(row: number, how: 'edge' | 'jump'): void;
}

/**
 * Scrolling over rows of one height, any number of them. Only what is in sight is drawn, in a place that does not
 * scroll, so nothing is ever laid out for the others: a list of all rows would be as large as the file.
 */
export function useRowScroll(rows: number): RowScroll {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  /**
   * Where the scroll bar was put, and how far down the rows are: what is asked for twice before it is drawn adds up.
   */
  const placed = useRef({ scroll: 0, top: 0 });
  const [top, setTop] = useState(0);
  const viewHeight = useViewHeight(scroller);
  const scale = rowScale(rows, viewHeight);
  const moveTo = (next: number): void => {
    if (!scroller || viewHeight === 0) return;
    const now = Math.max(0, Math.min(scale.mostTop, Math.round(next)));
    // Not read back: that would lay the page out at once.
    placed.current = { scroll: scale.scrollTopOf(now), top: now };
    scroller.scrollTo({ top: placed.current.scroll });
    setTop(now);
  };
  const onScroll = (): void => {
    if (!scroller || Math.abs(scroller.scrollTop - placed.current.scroll) < sameScroll) return;
    placed.current = { scroll: scroller.scrollTop, top: scale.topOf(scroller.scrollTop) };
    setTop(placed.current.top);
  };
  useWheel(scale.isShrunk ? scroller : null, (pixels) => moveTo(placed.current.top + pixels));
  const shownTop = Math.min(top, scale.mostTop);
  const first = Math.floor(shownTop / rowHeight);
  return {
    attach: setScroller,
    focus: () => scroller?.focus(),
    isReady: viewHeight > 0,
    scrollHeight: scale.scrollHeight + headHeight,
    sightHeight: Math.min(viewHeight, rows * rowHeight) + headHeight,
    first,
    hidden: shownTop - first * rowHeight,
    shown: Math.min(rows - first, Math.ceil(viewHeight / rowHeight) + 1),
    page: Math.max(1, Math.floor(viewHeight / rowHeight) - 1),
    onScroll,
    show: (row, how) => {
      const apart = Math.round((viewHeight * jumpedAt) / rowHeight) * rowHeight;
      moveTo(topShowing(row, { top: placed.current.top, viewHeight, apart: how === 'jump' ? apart : null }));
    },
  };
}

/** Of the rows, without their head, as it changes; 0 until it is known. */
function useViewHeight(scroller: HTMLElement | null): number {
  const subscribe = useCallback(
    (changed: () => void) => {
      if (!scroller || typeof ResizeObserver === 'undefined') return () => {};
      const observer = new ResizeObserver(changed);
      observer.observe(scroller);
      return () => observer.disconnect();
    },
    [scroller],
  );
  return useSyncExternalStore(subscribe, () => (scroller ? Math.max(0, scroller.clientHeight - headHeight) : 0));
}

/** Where a pixel of the scroll bar is many rows, the wheel still moves by exactly its own amount. */
function useWheel(scroller: HTMLElement | null, move: (pixels: number) => void): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    move(event.deltaY * pixelsOf(event, scroller?.clientHeight ?? 0));
  });
  useEffect(() => {
    // React's own listeners may not prevent the scrolling.
    const listener = (event: WheelEvent): void => onWheel(event);
    scroller?.addEventListener('wheel', listener, { passive: false });
    return () => scroller?.removeEventListener('wheel', listener);
  }, [scroller]);
}

function pixelsOf({ deltaMode }: WheelEvent, page: number): number {
  if (deltaMode === WheelEvent.DOM_DELTA_LINE) return rowHeight;
  return deltaMode === WheelEvent.DOM_DELTA_PAGE ? page : 1;
}

export const rowHeight = 20;
/** A browser lays out nothing higher than some 17 million pixels, less where the page is zoomed. */
const mostHeight = 4_000_000;

/** All in CSS pixels. */
interface RowScale {
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

interface ByteDrag {
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
      // Dragging continues beyond the edge of the rows.
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

/** Width of a cell in characters; the same as in the style sheet. */
const cellWidths = { hex: 50, text: rowBytes } as const;

const half = rowBytes / 2;
/** Two digits and a gap, which is one wider in the middle of the row. */
const byteWidth = 3;

/** Which byte of a row is at a character of its digits; a gap belongs to the byte before it. */
export function byteAtDigit(character: number): number {
  const place = Math.floor((character < half * byteWidth ? character : character - 1) / byteWidth);
  return Math.max(0, Math.min(rowBytes - 1, place));
}

/** The byte at a position of the screen, as if the rows continued in all directions; null where no row is drawn. */
function byteUnderPointer(
  rows: HTMLElement,
  { clientX, clientY }: { clientX: number; clientY: number },
): number | null {
  const first = rows.querySelector<HTMLElement>('[data-start]');
  const hex = first?.querySelector('[data-cell=hex]')?.getBoundingClientRect();
  const text = first?.querySelector('[data-cell=text]')?.getBoundingClientRect();
  if (!first || !hex || !text) return null;
  const row = Math.floor((clientY - first.getBoundingClientRect().top) / rowHeight);
  const isInText = clientX >= text.left;
  const place = isInText
    ? characterAt(clientX, text, cellWidths.text)
    : byteAtDigit(characterAt(clientX, hex, cellWidths.hex));
  return Number(first.dataset['start']) + row * rowBytes + Math.max(0, Math.min(rowBytes - 1, place));
}

const characterAt = (x: number, { left, width }: DOMRect, characters: number): number =>
  width === 0 ? 0 : Math.floor(((x - left) / width) * characters);
