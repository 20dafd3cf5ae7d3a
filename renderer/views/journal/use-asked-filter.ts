import { useMemo } from 'react';
import { readBound } from '../../../shared/domain/clock.ts';
import type { JournalFilter } from '../../../shared/domain/journal.ts';
import type { JournalSearch } from '../../features/journal/journal-place.tsx';
import { useRested } from '../../state/pacing.ts';

/** A search begins when the typing rests. */
const typingRestMs = 200;

export interface AskedFilter {
  filter: JournalFilter;
  isSearched: boolean;
}

/** What the host is asked for: a time that cannot be read leaves that side open, which its field says. */
export function useAskedFilter({ find, operations, workspaceId, from, before }: JournalSearch): AskedFilter {
  const [words, begin, end] = [useTyped(find.trim()), useTyped(from), useTyped(before)];
  return useMemo(() => {
    const filter: JournalFilter = {
      operations: [...operations],
      workspaceId,
      find: words,
      from: readBound(begin) ?? null,
      before: readBound(end) ?? null,
    };
    const isSearched =
      filter.operations.length > 0 ||
      workspaceId !== null ||
      words !== '' ||
      filter.from !== null ||
      filter.before !== null;
    return { filter, isSearched };
  }, [operations, workspaceId, words, begin, end]);
}

/** What was typed, once the typing rests; at once where it is taken away, which nobody goes on with. */
function useTyped(text: string): string {
  const rested = useRested(text, typingRestMs);
  return text === '' ? '' : rested;
}
