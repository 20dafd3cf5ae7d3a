import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { latestFirst, type LibraryRow, type LibrarySort, type SavedView } from '../../../shared/domain/library.ts';
import type { SearchOrder, ServerSearch } from '../../../shared/domain/server-record.ts';
import { noRows, type RowSelection } from '../../components/data-grid/row-selection.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { type LibraryLayout, LibraryLayouts } from '../../memory/layouts.ts';
import type { RequestedQuery } from '../../state/navigation.tsx';

/** What a repository was searched for: one of its fields, or a query of the library. */
export type ServerSearched =
  | { workspaceId: string; by: 'field'; field: ServerSearch['field']; text: string }
  | {
      workspaceId: string;
      by: 'query';
      query: string;
      order: SearchOrder;
      /** Of each page that is shown, what follows which mark; null: the first. */
      afters: readonly (string | null)[];
    };

/** What is looked for at the repository of a workspace, besides the library. */
export interface ServerSearchPlace {
  isOpen: boolean;
  /** As it was typed, and the query of the library that was there; with another one, that is proposed. */
  typed: { beside: string; field: ServerSearch['field']; text: string } | null;
  /** What was searched for last; null: nothing yet. */
  searched: ServerSearched | null;
  /** How many pages of a search by field are shown. */
  pages: number;
  grid: GridMemory;
}

/** Where a person is in the library. */
export interface LibraryPlace {
  /** As it is typed, or as it was put in. */
  query: string;
  /** The person is still typing: the search waits until typing pauses. */
  isTyped: boolean;
  sort: LibrarySort;
  /** The saved view that was opened last; null: none. */
  viewId: number | null;
  /** Ids of the columns in their order; null: as the layout has them. */
  columns: readonly string[] | null;
  /** The query whose list it is. */
  searched: string;
  /** By the hash that a row is known by. */
  selection: RowSelection<string>;
  /** The row that the inspector shows. */
  current: LibraryRow | null;
  /** The query asked for from elsewhere that was taken over last. */
  taken: RequestedQuery | null;
  grid: GridMemory;
  atServer: ServerSearchPlace;
}

/** The library's place: the view and the saved views of the sidebar both read it, and it outlives them. */
class LibraryPlaces {
  #place: LibraryPlace = {
    query: '',
    isTyped: false,
    sort: latestFirst,
    viewId: null,
    columns: null,
    searched: '',
    selection: noRows,
    current: null,
    taken: null,
    grid: new GridMemory(),
    atServer: { isOpen: false, typed: null, searched: null, pages: 1, grid: new GridMemory() },
  };
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly snapshot = (): LibraryPlace => this.#place;

  note(change: Partial<LibraryPlace>): void {
    this.#place = { ...this.#place, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** Puts a query in. */
  show(query: string, change: Partial<LibraryPlace> = {}): void {
    this.note({ query, isTyped: false, ...change });
  }

  showView({ id, query, sort, columns }: SavedView): void {
    this.show(query, { viewId: id, sort, columns });
  }
}

/** The saved view that was opened last, as long as its query is the one that is searched by. */
export function openedView({ viewId, query }: LibraryPlace, views: readonly SavedView[]): SavedView | null {
  return views.find((view) => view.id === viewId && view.query === query) ?? null;
}

interface KeptLibrary {
  places: LibraryPlaces;
  layouts: LibraryLayouts;
}

const LibraryContext = createContext<KeptLibrary | null>(null);

/** Who looks at another view and comes back finds the library as it was left; its arrangement outlives the page. */
export function LibraryPlaceProvider({ children }: { children: ReactNode }) {
  const [kept] = useState((): KeptLibrary => ({ places: new LibraryPlaces(), layouts: new LibraryLayouts() }));
  useEffect(() => void kept.layouts.load(), [kept]);
  return <LibraryContext value={kept}>{children}</LibraryContext>;
}

function useKeptLibrary(): KeptLibrary {
  const kept = useContext(LibraryContext);
  if (kept === null) throw new TypeError('the library outside of LibraryPlaceProvider');
  return kept;
}

export const useLibraryPlaces = (): LibraryPlaces => useKeptLibrary().places;

/** The place, and how to note another one. */
export function useLibraryPlace(): readonly [LibraryPlace, (change: Partial<LibraryPlace>) => void] {
  const places = useLibraryPlaces();
  const place = useSyncExternalStore(places.subscribe, places.snapshot);
  return [place, useCallback((change) => places.note(change), [places])];
}

/** How the person arranged the library, and how to change that. */
export function useLibraryLayout(): readonly [LibraryLayout, (change: Partial<LibraryLayout>) => void] {
  const { layouts } = useKeptLibrary();
  const layout = useSyncExternalStore(layouts.subscribe, layouts.snapshot);
  return [layout, useCallback((change) => void layouts.change(change), [layouts])];
}
