import { useState, useSyncExternalStore } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useNoteJob } from '../jobs.tsx';
import { useNavigation } from '../navigation.tsx';
import { HeldStart, type ScanStart, type StartState } from './held-start.ts';
import { useScanDesk } from './scan-desk.tsx';
import { text } from './text.ts';
import { type PlaceNow, usePlace } from './use-place.ts';

export interface StartedScan<N extends ScanStart> extends StartState {
  /**
   * Shows the job as soon as there is one; `begun` is called before. While one is on its way another one is not asked
   * for.
   */
  start(input: OperationInput<N>, begun?: () => void): void;
}

/**
 * Begins a scan or a hunt, and leads to it, unless one has gone elsewhere meanwhile: then the job, or why there is
 * none, is told there.
 */
export function useStartScan<N extends ScanStart>(name: N): StartedScan<N> {
  const [own] = useState(() => new HeldStart());
  const place = usePlace();
  return useStart(name, own, place);
}

/** The one of the room of scans of a workspace: who leaves the room and comes back finds it as it stands. */
export function useRoomStartScan<N extends ScanStart>(name: N, workspaceId: string): StartedScan<N> {
  const { starts, place } = useScanDesk();
  return useStart(name, starts.of(name, workspaceId), place);
}

function useStart<N extends ScanStart>(name: N, held: HeldStart, place: PlaceNow): StartedScan<N> {
  const bridge = useBridge();
  const { openScan } = useNavigation();
  const noteJob = useNoteJob();
  const tellFailure = useStartFailureToast(name);
  const state = useSyncExternalStore(held.subscribe, held.state);
  const start = async (input: OperationInput<N>, begun?: () => void): Promise<void> => {
    if (!held.begin()) return;
    const begunAt = place();
    const answer = await bridge.call<ScanStart>(name, input);
    const isStillThere = begunAt !== null && place() === begunAt;
    held.end(answer.ok ? null : answer.failure);
    if (!answer.ok) return void (isStillThere || tellFailure(answer.failure));
    begun?.();
    noteJob(answer.value);
    if (isStillThere) openScan(answer.value.id);
  };
  return { ...state, start: (input, begun) => void start(input, begun) };
}

function useStartFailureToast(name: ScanStart): (failure: Failure) => void {
  const toast = useToast();
  return (failure) => toast({ meaning: 'bad', text: text.notBegun[name](failureWords(failure).what), failure });
}
