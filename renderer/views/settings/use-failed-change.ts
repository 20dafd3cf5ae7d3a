import { useMutationState } from '@tanstack/react-query';
import { useState } from 'react';
import { readFailure } from '../../../shared/failure-kinds.ts';
import type { Failure } from '../../../shared/failure.ts';

/**
 * Why the last change of a setting was not taken, whichever section made it; null when it was, or when none was made
 * here.
 */
export function useFailedChange(): Failure | null {
  const [since] = useState(() => Date.now());
  const changes = useMutationState({ filters: { mutationKey: ['settings.change'] }, select: ({ state }) => state });
  const last = changes.at(-1);
  return last === undefined || last.submittedAt < since ? null : readFailure(last.error);
}
