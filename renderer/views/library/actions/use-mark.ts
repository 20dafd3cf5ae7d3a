import { useEffect } from 'react';
import type { LibrarySelection, SelectionMark } from '../../../../shared/domain/library.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { useAction } from '../../../bridge/operations.ts';

export interface MeantWhenAsked {
  /** Null until it is known, and for samples that are named. */
  mark: SelectionMark | null;
  /** Whether the question can be answered: it is known what is meant. */
  isKnown: boolean;
  failure: Failure | null;
  /** The person is asked about what is found now. */
  askAgain(): void;
}

/**
 * What a query finds when a question is asked, and stays meant by it: the list behind the question goes on changing.
 */
export function useMark(selections: readonly LibrarySelection[]): MeantWhenAsked {
  const { mutate, data, error } = useAction('library.meant');
  const query = selections.find(({ kind }) => kind === 'query');
  const ask = (): void => {
    if (query !== undefined) mutate({ selection: query });
  };
  useEffect(ask, [mutate, query]);
  return { mark: data ?? null, isKnown: query === undefined || data !== undefined, failure: error, askAgain: ask };
}
