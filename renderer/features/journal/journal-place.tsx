import { createContext, type ReactNode, useContext, useState } from 'react';
import type { JournalLine, JournalOperation, JournalVerification } from '../../../shared/domain/journal.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { describeFailure } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { text } from './strings.ts';

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
interface JournalPlace {
  search: JournalSearch;
  /** The row that is shown whole; null: none. */
  chosen: JournalLine | null;
  grid: GridMemory;
  /**
   * Number of the row that the list begins with while its newest end is not in sight, so that rows that come do not
   * move it; null: its newest.
   */
  upTo: number | null;
  /** How many times a row was opened from elsewhere: the list restarts there each time. */
  jumps: number;
  /** The result of the last check; null: there was none, or it was dismissed. */
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

export const journalRowHeight = 28;
const rowsAbove = 4;

/** Shows a row of the journal among its neighbours, in the list of all; where it is gone, the one before it. */
export function useShowRow(): (number: number) => Promise<void> {
  const bridge = useBridge();
  const toast = useToast();
  const { openView } = useNavigation();
  const {
    place: { jumps },
    note,
  } = useJournalPlace();
  return async (number) => {
    const answer = await bridge.call('journal.position', { number });
    if (!answer.ok) {
      toast({ meaning: 'bad', text: text.notShown(describeFailure(answer.failure).what), failure: answer.failure });
      return;
    }
    const grid = new GridMemory();
    grid.note({ row: answer.value.offset, offset: Math.max(0, answer.value.offset - rowsAbove) * journalRowHeight });
    grid.wantFocus();
    note({ search: wholeJournal, chosen: null, grid, upTo: null, jumps: jumps + 1 });
    openView('journal');
  };
}
