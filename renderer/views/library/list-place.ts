import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { LibraryRow, LibrarySort } from '../../../shared/domain/library.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useOperation } from '../../bridge/operations.ts';
import { noRows, type RowSelection } from '../../components/data-grid/row-selection.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { focusIn } from '../../components/focus-in.ts';
import { useToast } from '../../components/toasts.tsx';
import { type LibraryPlace, useLibraryPlace, useLibraryPlaces } from '../../features/library/library-place.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { type ActionTarget, actionTarget, mostNamed } from '../../features/library/action-target.ts';
import type { LibraryRows } from './library-rows.ts';
import { text } from './strings.ts';

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
  useQueryFromElsewhere();
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
      // Keys pressed during another search were meant for rows that are about to go.
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
function useQueryFromElsewhere(): void {
  const { requestedQuery } = useNavigation();
  const places = useLibraryPlaces();
  useLayoutEffect(() => {
    if (requestedQuery !== null && places.snapshot().taken !== requestedQuery)
      places.show(requestedQuery.text, { taken: requestedQuery, viewId: null });
  }, [requestedQuery, places]);
}

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

const noTerms: [] = [];

interface CurrentTarget {
  target: ActionTarget;
  /** The sample that alone is meant, as it was read last; null where there are several, or none. */
  one: LibraryRow | null;
  /** How large the ticked ones are together; null where that is not known. */
  bytes: number | null;
  /** Why that could not be read. */
  failure: Failure | null;
}

/**
 * The current target of the library's actions: nothing while another search runs, or cannot, since the ticks belong to
 * the list before. `isReadable`: of the query in the field.
 */
export function useActionTarget(
  { selection, current }: LibraryPlace,
  { found, isAnswered, known }: LibraryRows,
  isReadable: boolean,
): CurrentTarget {
  const [terms, total] = [found?.by.terms ?? noTerms, found?.total ?? 0];
  const isAll = selection.kind === 'all-except';
  const target = useMemo(() => actionTarget({ terms, total, selection, current }), [terms, total, selection, current]);
  const { data, error } = useOperation(
    'library.totals',
    { queries: [terms] },
    { enabled: isAnswered && isAll && total > 0 },
  );
  if (!isAnswered || !isReadable) return noTarget;
  const ofKeys = known.bytesOf(selection.keys);
  const all = data?.totals[0]?.bytes ?? null;
  const [only] = selection.keys;
  const ticked = !isAll && target.ticked === 1 && only !== undefined ? (known.of(only) ?? null) : null;
  return {
    target,
    one: target.ticked === 0 ? (current === null ? null : (known.of(current.hash) ?? current)) : ticked,
    bytes: isAll ? (all === null || ofKeys === null ? null : Math.max(0, all - ofKeys)) : ofKeys,
    failure: isAll ? error : null,
  };
}

const noTarget: CurrentTarget = {
  target: { count: 0, ticked: 0, selections: [] },
  one: null,
  bytes: null,
  failure: null,
};
