import { useMemo, useState } from 'react';
import type { Failure, Result } from '../../../../shared/failure.ts';
import { turnOfOptions } from '../../../app/publications/options/use-saved-options.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useAction } from '../../../bridge/use-action.ts';

export interface CheckActs {
  check(): void;
  cancel(): void;
  /** Opens a file as a package. `version`: for one that does not tell. */
  open(file: File, version: string | null): void;
  /** Something else about the checks did not work. */
  tell(failure: Failure): void;
}

/** Begins what ends as a new package or says why there is none. How it goes is in the state; `failure` says why it did not begin. */
export function useCheckActs(workspaceId: string): { checkFailure: Failure | null; acts: CheckActs } {
  const bridge = useBridge();
  const [checkFailure, setFailure] = useState<Failure | null>(null);
  const { mutate: beginCheck } = useAction('publications.check', { turn: turnOfOptions(workspaceId) });
  const acts = useMemo((): CheckActs => {
    const ask = async (asked: Promise<Result<unknown>>): Promise<void> => {
      setFailure(null);
      const answer = await asked;
      if (!answer.ok) setFailure(answer.failure);
    };
    const open = async (file: File, version: string | null): Promise<Result<unknown>> => {
      const staged = await bridge.stageFile(file);
      return staged.ok ? bridge.call('publications.addFile', { workspaceId, stagedId: staged.value.id, version }) : staged;
    };
    return {
      check: () => {
        setFailure(null);
        beginCheck({ workspaceId }, { onError: setFailure });
      },
      cancel: () => void ask(bridge.call('publications.cancelCheck', { workspaceId })),
      open: (file, version) => void ask(open(file, version)),
      tell: setFailure,
    };
  }, [bridge, beginCheck, workspaceId]);
  return { checkFailure, acts };
}
