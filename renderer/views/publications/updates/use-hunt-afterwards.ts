import { useMemo, useState } from 'react';
import { sentenceFor } from '../../../../shared/failure-sentences.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { rememberHuntAfterwards, remembersHuntAfterwards } from '../../../memory/preferences.ts';
import { useNoteJob } from '../../../state/jobs.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { text } from './text.ts';

export interface HuntAfterwards {
  isWanted: boolean;
  want(isWanted: boolean): void;
  /** Hunts the vault with what is new or changed in the package that is active now. */
  start(): void;
}

/** The hunt that follows an update, as the person last wanted it. `huntFailure`: why it did not begin. */
export function useHuntAfterwards(workspaceId: string): { hunt: HuntAfterwards; huntFailure: Failure | null } {
  const bridge = useBridge();
  const toast = useToast();
  const noteJob = useNoteJob();
  const { openScan } = useNavigation();
  const [isWanted, setWanted] = useState(remembersHuntAfterwards);
  const [huntFailure, setFailure] = useState<Failure | null>(null);
  const hunt = useMemo((): HuntAfterwards => {
    const start = async (): Promise<void> => {
      setFailure(null);
      const answer = await bridge.call('hunts.start', { workspaceId, scope: { kind: 'changed' } });
      // Also where the update was quicker than its estimate.
      if (!answer.ok && answer.failure.kind === 'nothing-to-hunt')
        return toast({ meaning: 'ok', text: sentenceFor(answer.failure).what });
      if (!answer.ok) return setFailure(answer.failure);
      const { id, items } = answer.value;
      noteJob(answer.value);
      toast({ meaning: 'ok', text: text.hunting(items), action: { text: text.showHunt, act: () => openScan(id) } });
    };
    return {
      isWanted,
      want: (next) => {
        setWanted(next);
        rememberHuntAfterwards(next);
      },
      start: () => void start(),
    };
  }, [bridge, toast, noteJob, openScan, workspaceId, isWanted]);
  return { hunt, huntFailure };
}
