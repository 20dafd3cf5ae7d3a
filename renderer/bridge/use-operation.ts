import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure.ts';
import { useBridge } from './bridge-context.tsx';
import { asksAService } from './query-client.ts';
import { valueOf } from './value-of.ts';

export interface OperationOptions {
  /** False: nothing is asked yet. */
  enabled?: boolean;
  /** Milliseconds for which an answer is not asked for again. */
  staleTime?: number;
}

/** Reads over the bridge: `data` is the operation's output, `error` its `Failure`. Remembered under `[name, input]`. */
export function useOperation<N extends OperationName>(
  name: N,
  input: OperationInput<N>,
  options: OperationOptions = {},
): UseQueryResult<OperationOutput<N>, Failure> {
  const bridge = useBridge();
  return useQuery<OperationOutput<N>, Failure>({
    queryKey: [name, input],
    queryFn: () => valueOf(bridge.call(name, input)),
    staleTime: asksAService(name) ? Number.POSITIVE_INFINITY : 0,
    ...options,
  });
}
