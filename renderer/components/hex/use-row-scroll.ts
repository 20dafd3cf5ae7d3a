import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { rowHeight, rowScale, topShowing } from './row-scale.ts';

const headHeight = 20;
/** What was jumped to stands a third of the way down. */
const jumpedAt = 1 / 3;
/** A scroll bar keeps fractions of a pixel, and no more than some. */
const sameScroll = 1;

export interface RowScroll {
  /** Goes on what scrolls. */
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

/** Where a pixel of the scroll bar is many rows, the wheel still moves by as much as it says. */
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
