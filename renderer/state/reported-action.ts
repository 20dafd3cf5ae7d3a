import type { UseMutationResult } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import { useBridge } from '../bridge/bridge-context.tsx';
import { useWork, valueOf } from '../bridge/operations.ts';
import { describeFailure } from '../components/failure-format.ts';
import { useToast } from '../components/toasts.tsx';
import { useIsMounted } from './presence.ts';

export interface ReportedAction<Output> {
  /** Says what came of it, wherever one is by then. `isHere`: the dialog is still open, and can say it itself. */
  report?(output: Output, isHere: boolean): void;
  /** Why nothing came of it, to who has left the dialog; else it stands there. */
  failureText(why: string): string;
  /** Left out where what came of it is shown in the dialog. */
  onClose?(output: Output): void;
}

/** What a dialog is for: an answer closes that dialog alone, and is told also where it was left. */
export function useReportedAction<N extends OperationName>(
  name: N,
  told: ReportedAction<OperationOutput<N>>,
): UseMutationResult<OperationOutput<N>, Failure, OperationInput<N>> {
  const bridge = useBridge();
  return useReportedWork(name, (input) => valueOf(bridge.call(name, input)), told);
}

/** The same for what takes more than one call. */
export function useReportedWork<Input, Output>(
  name: string,
  work: (input: Input) => Promise<Output>,
  { report, failureText, onClose }: ReportedAction<Output>,
): UseMutationResult<Output, Failure, Input> {
  const toast = useToast();
  const isHere = useIsMounted();
  return useWork(name, work, {
    onDone: (output) => {
      report?.(output, isHere());
      if (isHere()) onClose?.(output);
    },
    onFailed: (failure) => {
      if (!isHere()) toast({ meaning: 'bad', text: failureText(describeFailure(failure).what), failure });
    },
  });
}
