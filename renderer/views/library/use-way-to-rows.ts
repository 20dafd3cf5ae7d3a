import { type RefObject, useEffect, useRef } from 'react';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import { focusIn } from '../../components/focus-in.ts';
import { useLibraryPlaces } from '../../features/library/library-place.tsx';
import type { LibraryRows } from './use-library-rows.ts';
import type { ListPlace } from './use-list-place.ts';

/**
 * The way from the query to the first row it finds: what is typed is searched by at once, and its answer is waited for.
 */
export function useWayToRows(
  view: RefObject<HTMLElement | null>,
  query: string,
  { found, isAnswered }: LibraryRows,
  { memory }: ListPlace,
): () => void {
  const places = useLibraryPlaces();
  const awaited = useRef<string | null>(null);
  useEffect(() => {
    // Who types on, or left the field, does not want to be led away.
    if (awaited.current !== query || document.activeElement?.matches('[data-query]') !== true) awaited.current = null;
    if (awaited.current === null || !isAnswered || found?.by.text !== query) return;
    awaited.current = null;
    // The table of what was found may be without its rows yet.
    if (!focusIn(view.current, '[role=grid] [data-index][tabindex="0"]') && found.total > 0) memory.wantFocus();
  });
  return () => {
    const isShown = isAnswered && found?.by.text === query;
    if (isShown || readLibraryQuery(query, new Date()).kind === 'problem') {
      focusIn(view.current, '[role=grid] [tabindex="0"]');
      return;
    }
    awaited.current = query;
    places.show(query);
  };
}
