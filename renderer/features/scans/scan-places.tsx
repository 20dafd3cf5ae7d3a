import { createContext, type ReactNode, useCallback, useContext, useState, useSyncExternalStore } from 'react';
import {
  everyResult,
  type FamilyGroup,
  type RuleGroup,
  type ScanFilter,
  type ScanGroup,
} from '../../../shared/domain/scan.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';

export type GroupBy = ScanGroup['by'];
/** Rows that represent many files. */
export type FilesGroup = RuleGroup | FamilyGroup;
/** The files of one rule or of one family alone. */
export type Narrowing = { by: 'rule'; name: string } | { by: 'family'; name: string };

/** Where a person is in the results of a scan or a hunt. */
export interface ScanPlace {
  by: GroupBy;
  find: string;
  show: ScanFilter['show'];
  narrowing: Narrowing | null;
  /** The file that is shown; null: none yet. */
  position: number | null;
  /** It stays the one that is shown when others come before it: the person chose it, or it has hits. */
  isSettled: boolean;
  /** By which filter the files were listed when it was chosen, or seen to be among them. */
  listedBy: ScanFilter;
  /** The rule whose matches are shown; if it did not hit the file, or is null, the first that did is shown. */
  rule: string | null;
  /** The current match, by its place among those of the rule. */
  match: number;
  /** The position of the list of rules or of families. */
  group: FilesGroup | null;
  memories: Readonly<Record<GroupBy, GridMemory>>;
}

/** As many jobs are remembered. */
const kept = 50;

/**
 * Where a person is in the results of each job. The head of the view and its panes both read it, and it outlives them.
 */
export class ScanPlaces {
  readonly #places = new Map<number, ScanPlace>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  of(jobId: number): ScanPlace {
    const known = this.#places.get(jobId);
    if (known !== undefined) return known;
    const place = atBegin();
    this.#keep(jobId, place);
    return place;
  }

  note(jobId: number, change: Partial<ScanPlace>): void {
    this.#keep(jobId, { ...this.of(jobId), ...change });
    for (const listener of this.#listeners) listener();
  }

  #keep(jobId: number, place: ScanPlace): void {
    this.#places.delete(jobId);
    this.#places.set(jobId, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > kept && oldest !== undefined) this.#places.delete(oldest);
  }
}

const atBegin = (): ScanPlace => ({
  by: 'file',
  find: '',
  show: 'all',
  narrowing: null,
  position: null,
  isSettled: false,
  listedBy: everyResult,
  rule: null,
  match: 0,
  group: null,
  memories: { file: new GridMemory(), rule: new GridMemory(), family: new GridMemory() },
});

const PlacesContext = createContext<ScanPlaces | null>(null);

/** Who looks at another view and comes back finds the results as they were left. */
export function ScanPlacesProvider({ children }: { children: ReactNode }) {
  const [places] = useState(() => new ScanPlaces());
  return <PlacesContext value={places}>{children}</PlacesContext>;
}

export function useScanPlaces(): ScanPlaces {
  const places = useContext(PlacesContext);
  if (places === null) throw new TypeError('useScanPlaces outside of ScanPlacesProvider');
  return places;
}

export type NotePlace = (change: Partial<ScanPlace>) => void;

/** The place in a job's results, and how to note another one. */
export function useScanPlace(jobId: number): readonly [ScanPlace, NotePlace] {
  const places = useScanPlaces();
  const place = useSyncExternalStore(places.subscribe, () => places.of(jobId));
  return [place, useCallback((change) => places.note(jobId, change), [places, jobId])];
}

export const isSameFilter = (one: ScanFilter, other: ScanFilter): boolean =>
  one.find === other.find && one.show === other.show && one.rule === other.rule && one.family === other.family;

/** What is listed: a narrowing means files alone. `find` as it is asked. */
export function filterOf(
  { by, show, narrowing }: Pick<ScanPlace, 'by' | 'show' | 'narrowing'>,
  find: string,
): ScanFilter {
  const narrowed = by === 'file' ? narrowing : null;
  return {
    find: find.trim(),
    show,
    rule: narrowed?.by === 'rule' ? narrowed.name : null,
    family: narrowed?.by === 'family' ? narrowed.name : null,
  };
}
