import { useRef, useState } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useNoteJob } from '../jobs.tsx';
import { useNavigation } from '../navigation.tsx';

export type ScanStart = 'scans.start' | 'hunts.start';

export interface StartedScan<N extends ScanStart> {
  /** Shows the job as soon as there is one; `begun` is called before. While one is on its way another one is not asked for. */
  start(input: OperationInput<N>, begun?: () => void): void;
  isStarting: boolean;
  /** Why the last one did not begin. */
  failure: Failure | null;
}

/** Begins a scan or a hunt, and leads to it. */
export function useStartScan<N extends ScanStart>(name: N): StartedScan<N> {
  const bridge = useBridge();
  const noteJob = useNoteJob();
  const { openScan } = useNavigation();
  const isBusy = useRef(false);
  const [isStarting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const start = async (input: OperationInput<N>, begun?: () => void): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setStarting(true);
    setFailure(null);
    const answer = await bridge.call<ScanStart>(name, input);
    isBusy.current = false;
    setStarting(false);
    if (!answer.ok) return setFailure(answer.failure);
    begun?.();
    noteJob(answer.value);
    openScan(answer.value.id);
  };
  return { start: (input, begun) => void start(input, begun), isStarting, failure };
}
