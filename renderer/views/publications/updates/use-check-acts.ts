import { useMemo, useState } from 'react';
import type { Failure, Result } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useAction } from '../../../bridge/operations.ts';
import { turnOfOptions } from '../../../features/publications/options-form.tsx';
import type { DroppedEntry } from '../../../features/uploads/dropped-files.ts';
import { type TakenFiles, useInstallFiles } from './use-install-files.ts';

export interface CheckActs {
  check(): void;
  cancel(): void;
  /** Makes the files of a package UTF-8 where their encoding is a guess. */
  convert(sha256: string): void;
  /** Opens files and folders as one package. `version`: for those that do not tell. */
  open(entries: readonly DroppedEntry[], version: string | null): void;
  /** Something else about the checks did not work. */
  tell(failure: Failure): void;
}

/**
 * Begins what ends as a new package or says why there is none. How it goes is in the state; `failure` says why it did
 * not begin.
 */
export function useCheckActs(workspaceId: string): {
  checkFailure: Failure | null;
  taken: TakenFiles | null;
  acts: CheckActs;
} {
  const bridge = useBridge();
  const [checkFailure, setFailure] = useState<Failure | null>(null);
  const { taken, take, stop } = useInstallFiles(workspaceId);
  const { mutate: beginCheck } = useAction('publications.check', { turn: turnOfOptions(workspaceId) });
  const acts = useMemo((): CheckActs => {
    const ask = async (asked: Promise<Result<unknown>>): Promise<void> => {
      setFailure(null);
      const answer = await asked;
      if (!answer.ok) setFailure(answer.failure);
    };
    return {
      check: () => {
        setFailure(null);
        beginCheck({ workspaceId }, { onError: setFailure });
      },
      cancel: () => {
        stop();
        void ask(bridge.call('publications.cancelCheck', { workspaceId }));
      },
      convert: (sha256) => void ask(bridge.call('publications.convert', { workspaceId, sha256 })),
      open: (entries, version) => void ask(take(entries, version)),
      tell: setFailure,
    };
  }, [bridge, beginCheck, take, stop, workspaceId]);
  return { checkFailure, taken, acts };
}
