import { useCallback, useLayoutEffect, useMemo } from 'react';
import type { LibraryRow, LibrarySort } from '../../../shared/domain/library.ts';
import { noRows, type RowSelection } from '../../components/data-grid/row-selection.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { useToast } from '../../components/toasts.tsx';
import { useLibraryPlace, useLibraryPlaces } from '../../features/library/library-place.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { mostNamed } from './actions/meant-samples.ts';
import { text } from './text.ts';
import type { LibraryRows } from './use-library-rows.ts';

/** The same object as long as nothing of it changes. */
export interface ListPlace {
  /** Another one for each search: a new list is read from its first row. */
  memory: GridMemory;
  search(query: string): void;
  sortBy(sort: LibrarySort): void;
  select(selection: RowSelection<string>): void;
  choose(row: LibraryRow): void;
}

/** Where one is in the list that a query found. */
export function useListPlace({ found, isAnswered, windows }: LibraryRows): ListPlace {
  const hasRows = found !== null && found.total > 0;
  const searched = found?.by.text ?? null;
  const places = useLibraryPlaces();
  const [{ searched: before, grid, current }, note] = useLibraryPlace();
  const toast = useToast();
  useAskedElsewhere();
  const memory = useMemo(
    () => (searched === null || searched === before ? grid : new GridMemory()),
    [searched, before, grid],
  );
  useLayoutEffect(() => {
    // Who opened the list again finds it as it was left; another query's list has nothing of it.
    if (searched === null || searched === before) return;
    const isSeen = windows.drawn?.rows.some(({ hash }) => hash === current?.hash) === true;
    // Who was in the table that goes is in the one that comes: at the same row, or at its first.
    if (hasRows && grid.spot.hadFocus) memory.wantFocus();
    note({ searched, grid: memory, selection: noRows, ...(isSeen ? {} : { current: null }) });
  }, [searched, before, memory, grid, hasRows, windows.drawn, current, note]);
  const select = useCallback(
    (selection: RowSelection<string>): void => {
      // Keys that come while another search goes on were meant for rows that are about to go.
      if (!isAnswered) return;
      if (selection.kind === 'all-except' && selection.keys.size > mostNamed)
        toast({ meaning: 'info', text: text.tooManyLeftOut(mostNamed) });
      else note({ selection });
    },
    [isAnswered, note, toast],
  );
  return useMemo(
    () => ({
      memory,
      select,
      search: (query) => places.show(query),
      sortBy: (sort) => note({ sort }),
      choose: (row) => note({ current: row }),
    }),
    [memory, select, places, note],
  );
}

/** A query that was asked for from elsewhere is taken over once. */
function useAskedElsewhere(): void {
  const { requestedQuery } = useNavigation();
  const places = useLibraryPlaces();
  useLayoutEffect(() => {
    if (requestedQuery !== null && places.snapshot().taken !== requestedQuery)
      places.show(requestedQuery.text, { taken: requestedQuery, viewId: null });
  }, [requestedQuery, places]);
}
