import { useMemo } from 'react';
import type { LibraryRow } from '../../../shared/domain/library.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useOperation } from '../../bridge/operations.ts';
import type { LibraryPlace } from '../../features/library/library-place.tsx';
import { type MeantSamples, meantSamples } from './actions/meant-samples.ts';
import type { LibraryRows } from './use-library-rows.ts';

const noTerms: [] = [];

export interface MeantNow {
  meant: MeantSamples;
  /** The sample that alone is meant, as it was read last; null where there are several, or none. */
  one: LibraryRow | null;
  /** How large the ticked ones are together; null where that is not known. */
  bytes: number | null;
  /** Why that could not be read. */
  failure: Failure | null;
}

/**
 * What the actions of the library mean now: nothing while another search goes on, since what is ticked was ticked in
 * the list before.
 */
export function useMeant({ selection, current }: LibraryPlace, { found, isAnswered, known }: LibraryRows): MeantNow {
  const [terms, total] = [found?.by.terms ?? noTerms, found?.total ?? 0];
  const isAll = selection.kind === 'all-except';
  const meant = useMemo(() => meantSamples({ terms, total, selection, current }), [terms, total, selection, current]);
  const { data, error } = useOperation(
    'library.totals',
    { queries: [terms] },
    { enabled: isAnswered && isAll && total > 0 },
  );
  if (!isAnswered) return nobody;
  const ofKeys = known.bytesOf(selection.keys);
  const all = data?.totals[0]?.bytes ?? null;
  const [only] = selection.keys;
  const ticked = !isAll && meant.ticked === 1 && only !== undefined ? (known.of(only) ?? null) : null;
  return {
    meant,
    one: meant.ticked === 0 ? (current === null ? null : (known.of(current.hash) ?? current)) : ticked,
    bytes: isAll ? (all === null || ofKeys === null ? null : Math.max(0, all - ofKeys)) : ofKeys,
    failure: isAll ? error : null,
  };
}

const nobody: MeantNow = { meant: { count: 0, ticked: 0, selections: [] }, one: null, bytes: null, failure: null };
