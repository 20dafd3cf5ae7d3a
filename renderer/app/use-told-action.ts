import type { UseMutationResult } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure.ts';
import { useBridge } from '../bridge/bridge-context.tsx';
import { useWork } from '../bridge/use-action.ts';
import { valueOf } from '../bridge/value-of.ts';
import { failureWords } from '../components/failure-format.ts';
import { useToast } from '../components/toasts.tsx';
import { useIsHere } from './use-is-here.ts';

export interface ToldAction<Output> {
  /** Says what came of it, wherever one is by then. `isHere`: the dialog is still open, and can say it itself. */
  tell?(output: Output, isHere: boolean): void;
  /** Why nothing came of it, to who has left the dialog; else it stands there. */
  lost(why: string): string;
  /** Left out where what came of it is shown in the dialog. */
  onClose?(output: Output): void;
}

/** What a dialog is for: an answer closes that dialog alone, and is told also where it was left. */
export function useToldAction<N extends OperationName>(
  name: N,
  told: ToldAction<OperationOutput<N>>,
): UseMutationResult<OperationOutput<N>, Failure, OperationInput<N>> {
  const bridge = useBridge();
  return useToldWork(name, (input) => valueOf(bridge.call(name, input)), told);
}

/** The same for what takes more than one call. */
export function useToldWork<Input, Output>(
  name: string,
  work: (input: Input) => Promise<Output>,
  { tell, lost, onClose }: ToldAction<Output>,
): UseMutationResult<Output, Failure, Input> {
  const toast = useToast();
  const isHere = useIsHere();
  return useWork(name, work, {
    onDone: (output) => {
      tell?.(output, isHere());
      if (isHere()) onClose?.(output);
    },
    onFailed: (failure) => {
      if (!isHere()) toast({ meaning: 'bad', text: lost(failureWords(failure).what), failure });
    },
  });
}
