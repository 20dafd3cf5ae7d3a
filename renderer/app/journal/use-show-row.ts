import { useBridge } from '../../bridge/bridge-context.tsx';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { failureWords } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useNavigation } from '../navigation.tsx';
import { useJournalPlace, wholeJournal } from './journal-place.tsx';
import { text } from './text.ts';

export const journalRowHeight = 28;
const rowsAbove = 4;

/** Shows a row of the journal among its neighbours, in the list of all; where it is gone, the one before it. */
export function useShowRow(): (number: number) => Promise<void> {
  const bridge = useBridge();
  const toast = useToast();
  const { openRoom } = useNavigation();
  const {
    place: { jumps },
    note,
  } = useJournalPlace();
  return async (number) => {
    const answer = await bridge.call('journal.position', { number });
    if (!answer.ok) {
      toast({ meaning: 'bad', text: text.notShown(failureWords(answer.failure).what), failure: answer.failure });
      return;
    }
    const grid = new GridMemory();
    grid.note({ row: answer.value.offset, offset: Math.max(0, answer.value.offset - rowsAbove) * journalRowHeight });
    grid.wantFocus();
    note({ search: wholeJournal, chosen: null, grid, upTo: null, jumps: jumps + 1 });
    openRoom('journal');
  };
}
