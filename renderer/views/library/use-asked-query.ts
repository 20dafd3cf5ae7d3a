import { useEffect, useMemo, useState } from 'react';
import { type QueryProblem, type QueryTerm, readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { LibraryPlace } from '../../features/library/library-place.tsx';
import type { LibraryMoment } from '../../features/library/library-reads.ts';
import { useRested } from '../../state/pacing.ts';

/** A search begins when the typing rests. */
const searchRestMs = 120;
/** Half a word is no mistake yet. */
const problemRestMs = 500;

export interface FoundBy {
  /** As it was written. */
  text: string;
  terms: QueryTerm[];
}

export interface AskedQuery {
  /** What is searched by: the last text that could be read; null while there is none. */
  foundBy: FoundBy | null;
  /** Why what stands in the field cannot be read, once nobody types any more. */
  problem: QueryProblem | null;
}

/** What the library is searched by. A text that cannot be read changes nothing but what is said about it. */
export function useAskedQuery({ query, isTyped }: LibraryPlace, moment: LibraryMoment): AskedQuery {
  const text = useSearchedText(query, isTyped);
  const settled = useRested(query, problemRestMs);
  const read = useMemo(() => readLibraryQuery(text, moment.now), [text, moment]);
  const [readable, setReadable] = useState<string | null>(null);
  if (read.kind === 'terms' && readable !== text) setReadable(text);
  // What was put in anew is no change of what was searched by before.
  if (read.kind === 'problem' && !isTyped && readable !== null) setReadable(null);
  const foundBy = useMemo((): FoundBy | null => {
    const asked = readable === null ? null : readLibraryQuery(readable, moment.now);
    return readable === null || asked?.kind !== 'terms' ? null : { text: readable, terms: asked.terms };
  }, [readable, moment]);
  const isAtRest = !isTyped || settled === query;
  return { foundBy, problem: read.kind === 'problem' && text === query && isAtRest ? read.problem : null };
}

/** What is typed once it rests, what is put in at once: what was typed before that is not searched by any more. */
function useSearchedText(query: string, isTyped: boolean): string {
  const [searched, setSearched] = useState(query);
  if (!isTyped && searched !== query) setSearched(query);
  useEffect(() => {
    const timer = setTimeout(() => setSearched(query), searchRestMs);
    return () => clearTimeout(timer);
  }, [query]);
  return isTyped ? searched : query;
}
