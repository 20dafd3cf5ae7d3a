import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Comment } from '../../shared/domain/sample.ts';
import layout from '../styles/layout.module.css';
import { CommentItem, keyOf, type ThreadProps } from './comment-item.tsx';

/** CSS pixels: of one with two lines of text, until it is drawn. */
const usualHeight = 84;
/** As between those of a short thread. */
const gap = 12;
const around = 6;

/** The comments in sight and a few around them, as the thread is scrolled. */
export function LongThread<C extends Comment>({ entries, marked, place, ...look }: ThreadProps<C>) {
  const list = useRef<HTMLOListElement>(null);
  const [focused, setFocused] = useState(-1);
  // Nothing memoised is given what it returns but `measureElement`, which stays the same.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    count: entries.length,
    getScrollElement: () => list.current?.closest<HTMLElement>('[data-thread]') ?? null,
    getItemKey: useCallback(
      (index: number) => {
        const entry = entries[index];
        return entry === undefined ? index : keyOf(entry, index);
      },
      [entries],
    ),
    estimateSize: () => usualHeight,
    gap,
    overscan: around,
    // What is brought into sight stands off the edge, as in a short thread. Above the first of them there is room
    // already.
    scrollPaddingEnd: 2 * gap,
    // They come with the next paint: drawing them at each event of a scroll would make a frame late.
    useFlushSync: false,
    // What has the focus stays drawn wherever the thread is scrolled to: the focus would be lost with it.
    rangeExtractor: useCallback(
      (range: Range) => withIndex(defaultRangeExtractor(range), focused < range.count ? focused : -1),
      [focused],
    ),
  });
  const show = useEffectEvent(() => virtual.scrollToIndex(place, { align: 'auto' }));
  const isThere = place >= 0;
  useEffect(() => {
    if (isThere) show();
  }, [marked, isThere]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- notes where the focus is
    <ol
      ref={list}
      className={layout.relative}
      style={{ height: virtual.getTotalSize() }}
      onFocus={(event) => setFocused(indexOf(event))}
      onBlur={() => setFocused(-1)}
    >
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const entry = entries[index];
        return (
          entry !== undefined && (
            <CommentItem
              key={String(key)}
              entry={entry}
              isMarked={index === place}
              place={{ index, count: entries.length, top: start, measure: virtual.measureElement }}
              {...look}
            />
          )
        );
      })}
    </ol>
  );
}

/** Of the comment that the focus came to; -1: what opened above one has it. */
function indexOf({ target }: FocusEvent<HTMLElement>): number {
  return Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1);
}

function withIndex(indexes: number[], index: number): number[] {
  return index < 0 || indexes.includes(index) ? indexes : [...indexes, index].toSorted((a, b) => a - b);
}
