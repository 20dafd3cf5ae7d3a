import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import type { ItemFilter, ItemSort } from '../../../shared/domain/job.ts';
import { noRows, type RowSelection } from '../../components/data-grid/row-selection.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';

/** Where a person is in the items of a job. */
export interface PanelPlace {
  filter: ItemFilter;
  sort: ItemSort;
  selection: RowSelection<number>;
  grid: GridMemory;
}

/** As many jobs are remembered. */
const kept = 50;
const PlacesContext = createContext<Map<number, PanelPlace>>(new Map());

/** Who opens a sample and comes back finds the list as it was left. */
export function PanelPlacesProvider({ children }: { children: ReactNode }) {
  const [places] = useState(() => new Map<number, PanelPlace>());
  return <PlacesContext value={places}>{children}</PlacesContext>;
}

/** The place in a job's items, and how to note another one. */
export function usePanelPlace(id: number): [PanelPlace, (place: PanelPlace) => void] {
  const places = useContext(PlacesContext);
  const [place, setPlace] = useState(() => remember(places, id, places.get(id) ?? atBegin()));
  return [place, useCallback((next) => setPlace(remember(places, id, next)), [places, id])];
}

function remember(places: Map<number, PanelPlace>, id: number, place: PanelPlace): PanelPlace {
  places.delete(id);
  places.set(id, place);
  const [oldest] = places.keys();
  if (places.size > kept && oldest !== undefined) places.delete(oldest);
  return place;
}

/** What went wrong is listed first. */
const atBegin = (): PanelPlace => ({
  filter: { states: [], find: '' },
  sort: { column: 'state', descending: false },
  selection: noRows,
  grid: new GridMemory(),
});
