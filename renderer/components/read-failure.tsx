import { useQueryClient } from '@tanstack/react-query';
import type { OperationName } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure.ts';
import { FailureNotice } from './failure-notice.tsx';

export interface ReadFailureProps {
  failure: Failure;
  /** Which operation could not be read. */
  of: OperationName;
  after?: string;
  /** Where there is little room. */
  isSmall?: boolean;
}

/**
 * Why something cannot be shown, in its place. Trying again reads whatever of that operation is on the screen and
 * failed.
 */
export function ReadFailure({ failure, of, after, isSmall = false }: ReadFailureProps) {
  const client = useQueryClient();
  const again = (): void =>
    void client.refetchQueries({ queryKey: [of], type: 'active', predicate: ({ state }) => state.status === 'error' });
  return <FailureNotice failure={failure} after={after} onAgain={again} isSmall={isSmall} />;
}
