import { useQueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../../shared/contract.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useAction } from '../../bridge/use-action.ts';

export interface AskingAgain {
  ask(): void;
  isAsking: boolean;
  /** Why the last asking gave no record; null where another service is meant by now. */
  failure: Failure | null;
}

/** Asks a repository for its record once more. What it says is kept by the library, and shown from there. */
export function useAskAgain(input: OperationInput<'samples.lookup'>): AskingAgain {
  const client = useQueryClient();
  const { mutate, isPending, error, variables } = useAction('samples.lookup');
  const ask = (): void => mutate(input, {
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['library.sample'] });
      void client.invalidateQueries({ queryKey: ['comments.thread'] });
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['samples.history'] }),
  });
  return { ask, isAsking: isPending, failure: variables?.workspaceId === input.workspaceId ? error : null };
}
