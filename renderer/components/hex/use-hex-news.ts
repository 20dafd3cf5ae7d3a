import { useEffect, useEffectEvent } from 'react';
import type { ByteSpan } from './hex-mark.ts';
import type { HexViewProps } from './hex-view.tsx';
import type { Stretch } from './mark-spans.ts';

export interface HexPlaces {
  cursor: number;
  sight: Stretch;
  isReady: boolean;
  jumpTo(offset: number): void;
}

/** What others have the view show, and what it tells them. */
export function useHexNews(
  { marks, current, goTo, onCursor, onWindow }: HexViewProps,
  { cursor, sight: { start, end }, isReady, jumpTo }: HexPlaces,
): void {
  const mark = marks[current];
  const times = goTo?.times;
  // The same match in another array is no reason to leave where one is.
  const shownMark = mark && `${current} ${mark.offset} ${mark.label}`;
  const showMark = useEffectEvent(() => mark && jumpTo(mark.offset));
  const follow = useEffectEvent(() => goTo && jumpTo(goTo.offset));
  const tellCursor = useEffectEvent((offset: number) => onCursor?.(offset));
  const tellWindow = useEffectEvent((window: ByteSpan) => onWindow?.(window));
  useEffect(() => {
    if (isReady && shownMark !== undefined) showMark();
  }, [isReady, shownMark]);
  useEffect(() => {
    if (isReady && times !== undefined) follow();
  }, [isReady, times]);
  useEffect(() => tellCursor(cursor), [cursor]);
  useEffect(() => {
    if (isReady) tellWindow({ offset: start, length: end - start });
  }, [isReady, start, end]);
}
