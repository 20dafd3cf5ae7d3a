import { useQueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../../shared/contract.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useAction } from '../../bridge/use-action.ts';

type Change = OperationInput<'library.change'>['change'];

export interface SampleChange {
  change(change: Partial<Change>): void;
  /** Why the last one was not made. */
  failure: Failure | null;
}

/** Changes what this desk says of a sample. */
export function useSampleChange(sha256: string): SampleChange {
  const client = useQueryClient();
  const { mutate, error } = useAction('library.change');
  const change = (parts: Partial<Change>): void => mutate(
    { selection: { kind: 'named', hashes: [sha256] }, change: { add: [], remove: [], ...parts } },
    { onSuccess: () => void client.invalidateQueries({ queryKey: ['library.sample'] }) },
  );
  return { change, failure: error };
}
