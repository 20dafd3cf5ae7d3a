import { useMemo } from 'react';
import type { LibraryRow } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-term.ts';
import type { LibraryPlace } from '../../app/library/library-place.tsx';
import { useOperation } from '../../bridge/use-operation.ts';
import { type MeantSamples, meantSamples } from './actions/meant-samples.ts';
import type { LibraryRows } from './use-library-rows.ts';

export interface MeantNow {
  meant: MeantSamples;
  /** The sample that alone is meant, as it was read last; null where there are several, or none. */
  one: LibraryRow | null;
  /** How large the ticked ones are together; null where that is not known. */
  bytes: number | null;
}

/** What the actions of the library mean now. */
export function useMeant({ selection, current }: LibraryPlace, { windows, known }: LibraryRows, terms: QueryTerm[]): MeantNow {
  const total = windows.total ?? 0;
  const isAll = selection.kind === 'all-except';
  const meant = useMemo(() => meantSamples({ terms, total, selection, current }), [terms, total, selection, current]);
  const { data } = useOperation('library.totals', { queries: [terms] }, { enabled: isAll && total > 0 });
  const ofKeys = known.bytesOf(selection.keys);
  const all = data?.totals[0]?.bytes ?? null;
  const [only] = selection.keys;
  const ticked = !isAll && meant.ticked === 1 && only !== undefined ? (known.of(only) ?? null) : null;
  return {
    meant,
    one: meant.ticked === 0 ? (current === null ? null : (known.of(current.hash) ?? current)) : ticked,
    bytes: isAll ? (all === null || ofKeys === null ? null : Math.max(0, all - ofKeys)) : ofKeys,
  };
}
