import type { UseMutationResult } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import { useBridge } from '../bridge/bridge-context.tsx';
import { useWork, valueOf } from '../bridge/operations.ts';
import { describeFailure } from '../components/failure-format.ts';
import { useToast } from '../components/toasts.tsx';
import { useIsMounted } from './presence.ts';

export interface ReportedAction<Output> {
  /** Reports the result, in any view. `isHere`: the dialog is still open, and can show it itself. */
  report?(output: Output, isHere: boolean): void;
  /** The failure, for a person who has left the dialog; else the dialog shows it. */
  failureText(why: string): string;
  /** Left out where what came of it is shown in the dialog. */
  onClose?(output: Output): void;
}

/** The action of a dialog: an answer closes that dialog alone, and is reported also after the dialog was left. */
export function useReportedAction<N extends OperationName>(
  name: N,
  reported: ReportedAction<OperationOutput<N>>,
): UseMutationResult<OperationOutput<N>, Failure, OperationInput<N>> {
  const bridge = useBridge();
  return useReportedWork(name, (input) => valueOf(bridge.call(name, input)), reported);
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
