import { useMutation, type UseMutationResult, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { EventName, EventPayload } from '../../shared/events.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import type { Result } from '../../shared/failure.ts';
import { useBridge } from './bridge-context.tsx';
import { asksAService } from './query-client.ts';

interface OperationOptions {
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

interface ActionOptions<Output> {
  /** Actions that name the same one go to the host one after the other, each when the one before was answered. */
  turn?: string;
  /** Called with each answer, also when its component is no longer drawn. */
  onDone?(output: Output): void;
  onFailed?(failure: Failure): void;
}

/** Runs an operation over the bridge on request: `mutate(input)`; `data` is its output, `error` its `Failure`. */
export function useAction<N extends OperationName>(
  name: N,
  options: ActionOptions<OperationOutput<N>> = {},
): UseMutationResult<OperationOutput<N>, Failure, OperationInput<N>> {
  const bridge = useBridge();
  return useWork(name, (input) => valueOf(bridge.call(name, input)), options);
}

/** The same for what takes more than one call: `work` rejects with a `Failure`. */
export function useWork<Input, Output>(
  name: string,
  work: (input: Input) => Promise<Output>,
  { turn, onDone, onFailed }: ActionOptions<Output>,
): UseMutationResult<Output, Failure, Input> {
  return useMutation<Output, Failure, Input>({
    mutationKey: [name],
    mutationFn: work,
    onSuccess: (output) => onDone?.(output),
    onError: (failure) => onFailed?.(failure),
    ...(turn === undefined ? {} : { scope: { id: turn } }),
  });
}

/** Calls the latest `listener` for each event of that name while the component is shown. */
export function useEvent<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): void {
  const bridge = useBridge();
  const receive = useEffectEvent(listener);
  useEffect(() => bridge.subscribe(name, (payload) => receive(payload)), [bridge, name]);
}

/** A `Result` as a query library wants it: the value, or rejected with the `Failure` itself. */
export async function valueOf<T>(reply: Promise<Result<T>>): Promise<T> {
  const result = await reply;
  // The query library hands a rejection on as `error`; a failure is data, and no Error around it would say more.
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors
  return result.ok ? result.value : Promise.reject(result.failure);
}
