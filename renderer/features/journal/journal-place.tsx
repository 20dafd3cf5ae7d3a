import { createContext, type ReactNode, useContext, useState } from 'react';
import type { JournalLine, JournalOperation, JournalVerification } from '../../../shared/domain/journal.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';

/** What is looked for, as it was typed and chosen. */
export interface JournalSearch {
  find: string;
  operations: readonly JournalOperation[];
  workspaceId: string | null;
  /** As typed: a day or a minute in UTC, or nothing. */
  from: string;
  before: string;
}

export const wholeJournal: JournalSearch = { find: '', operations: [], workspaceId: null, from: '', before: '' };

/** Where a person is in the journal. */
export interface JournalPlace {
  search: JournalSearch;
  /** The row that is shown whole; null: none. */
  chosen: JournalLine | null;
  grid: GridMemory;
  /**
   * Number of the row that the list begins with while its newest end is not in sight, so that rows that come do not
   * move it; null: its newest.
   */
  upTo: number | null;
  /** How many times a row was shown from elsewhere: each time the list begins there anew. */
  jumps: number;
  /** What came of the last check; null: there was none, or it was put away. */
  verification: JournalVerification | null;
}

interface KeptPlace {
  place: JournalPlace;
  note(change: Partial<JournalPlace>): void;
}

const PlaceContext = createContext<KeptPlace | null>(null);

/**
 * Who opens a sample and comes back finds the journal as it was left; a check that was asked for elsewhere is shown
 * there, too.
 */
export function JournalPlaceProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<JournalPlace>(() => ({
    search: wholeJournal,
    chosen: null,
    grid: new GridMemory(),
    upTo: null,
    jumps: 0,
    verification: null,
  }));
  const [note] = useState(() => (change: Partial<JournalPlace>) => setPlace((before) => ({ ...before, ...change })));
  return <PlaceContext value={{ place, note }}>{children}</PlaceContext>;
}

/** The place, and how to note another one. */
export function useJournalPlace(): KeptPlace {
  const kept = useContext(PlaceContext);
  if (kept === null) throw new TypeError('useJournalPlace outside of JournalPlaceProvider');
  return kept;
}
