import { useState, useSyncExternalStore } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useNoteJob } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { type PlaceNow, usePlace } from '../../state/presence.ts';
import { HeldStart, type ScanStart, type StartState, useScanStore } from './scan-store.tsx';

interface StartedScan<N extends ScanStart> extends StartState {
  /**
   * Shows the job as soon as there is one; `begun` is called before. While one is on its way another one is not asked
   * for.
   */
  start(input: OperationInput<N>, begun?: () => void): void;
}

/**
 * Begins a scan or a hunt, and opens it, unless the person has left meanwhile: then a notification reports the job, or
 * why there is none.
 */
export function useStartScan<N extends ScanStart>(name: N): StartedScan<N> {
  const [own] = useState(() => new HeldStart());
  const place = usePlace();
  return useStart(name, own, place);
}

/** The start of the scan view of a workspace: a person who leaves the view and returns finds it unchanged. */
export function useViewStartScan<N extends ScanStart>(name: N, workspaceId: string): StartedScan<N> {
  const { starts, place } = useScanStore();
  return useStart(name, starts.of(name, workspaceId), place);
}

function useStart<N extends ScanStart>(name: N, held: HeldStart, place: PlaceNow): StartedScan<N> {
  const bridge = useBridge();
  const { openScan } = useNavigation();
  const noteJob = useNoteJob();
  const reportFailure = useStartFailureToast(name);
  const state = useSyncExternalStore(held.subscribe, held.state);
  const start = async (input: OperationInput<N>, begun?: () => void): Promise<void> => {
    if (!held.begin()) return;
    const begunAt = place();
    const answer = await bridge.call<ScanStart>(name, input);
    const isStillThere = begunAt !== null && place() === begunAt;
    held.end(answer.ok ? null : answer.failure);
    if (!answer.ok) return void (isStillThere || reportFailure(answer.failure));
    begun?.();
    noteJob(answer.value);
    if (isStillThere) openScan(answer.value.id);
  };
  return { ...state, start: (input, begun) => void start(input, begun) };
}

function useStartFailureToast(name: ScanStart): (failure: Failure) => void {
  const toast = useToast();
  return (failure) => toast({ meaning: 'bad', text: text.notBegun[name](describeFailure(failure).what), failure });
}

/** English of starting a scan or a hunt from any view. */
const text = {
  notBegun: {
    'scans.start': (why: string) => `Scan not started: ${why}`,
    'hunts.start': (why: string) => `Hunt not started: ${why}`,
  },
} as const;

export interface SampleScan {
  /** Scans a sample of the vault on this computer, and leads to what comes of it. */
  start(workspaceId: string, sha256: string): void;
  isStarting: boolean;
  /** Why the scan of this sample did not begin; null where another one was asked for. */
  failureOf(sha256: string | null): Failure | null;
}

/** The scan of the sample that is shown: started in the head of the view; a failure is shown below it. */
export function useSampleScan(): SampleScan {
  const { start, isStarting, failure } = useStartScan('scans.start');
  const [asked, ask] = useState<string | null>(null);
  return {
    start: (workspaceId, sha256) => {
      ask(sha256);
      start({ workspaceId, engines: 'local', files: [], samples: [sha256], tlp: null });
    },
    isStarting,
    failureOf: (sha256) => (sha256 !== null && sha256 === asked ? failure : null),
  };
}
