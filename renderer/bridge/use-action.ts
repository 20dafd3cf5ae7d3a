import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure.ts';
import { useBridge } from './bridge-context.tsx';
import { valueOf } from './value-of.ts';

export interface ActionOptions<Output> {
  /** Actions that name the same one go to the host one after the other, each when the one before was answered. */
  turn?: string;
  /** Called with each answer, also where nobody draws it any more. */
  onDone?(output: Output): void;
  onFailed?(failure: Failure): void;
}

/** Does something over the bridge when told to: `mutate(input)`; `data` is its output, `error` its `Failure`. */
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
