import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { trialFilesAtMost } from '../../../../shared/domain/trial.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useEvent } from '../../../bridge/operations.ts';

/** Files that are being handed over. */
interface Staging {
  files: number;
  done: number;
}

export interface TrialActs {
  /** null when none are. */
  staging: Staging | null;
  /** Why it did not begin, or a file was not handed over: none is tried then, or all of them. */
  failure: Failure | null;
  start(files: readonly File[]): void;
  cancel(): void;
}

/** A browser opens six connections to a host: events have one, and calls need one. */
const stagedAtOnce = 4;

export interface FileStaging {
  /** null while nothing is handed over. */
  staging: Staging | null;
  failure: Failure | null;
  /** The ids of the files; null where one was not handed over, or it was stopped. */
  stage(files: readonly File[]): Promise<string[] | null>;
  stop(): void;
  fail(failure: Failure): void;
}

/** Hands files over. One that cannot be handed over ends it: what is not looked at is not to be overlooked. */
export function useStaging(): FileStaging {
  const bridge = useBridge();
  const [staging, setStaging] = useState<Staging | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const stopped = useRef(false);
  const stage = async (files: readonly File[]): Promise<string[] | null> => {
    stopped.current = false;
    setFailure(null);
    setStaging({ files: files.length, done: 0 });
    const ids: string[] = [];
    const left = [...files];
    const line = async (): Promise<void> => {
      for (let file = left.shift(); file !== undefined && !stopped.current; file = left.shift()) {
        const staged = await bridge.stageFile(file);
        if (!staged.ok) {
          stopped.current = true;
          setFailure(staged.failure);
          return;
        }
        ids.push(staged.value.id);
        setStaging({ files: files.length, done: ids.length });
      }
    };
    await Promise.all(Array.from({ length: stagedAtOnce }, line));
    setStaging(null);
    return stopped.current ? null : ids;
  };
  return { staging, failure, stage, stop: () => void (stopped.current = true), fail: setFailure };
}

/** Begins and ends the trial of a package. */
export function useTrial(workspaceId: string, sha256: string): TrialActs {
  const bridge = useBridge();
  const client = useQueryClient();
  const { staging, failure, stage, stop, fail } = useStaging();
  const refresh = (): void => void client.invalidateQueries({ queryKey: ['trials.state', { workspaceId }] });
  useEvent('trials.changed', (changed) => {
    if (changed.workspaceId === workspaceId) refresh();
  });
  const begin = async (files: readonly File[]): Promise<void> => {
    const ids = await stage(files);
    if (ids === null) return;
    const answer = await bridge.call('trials.start', { workspaceId, sha256, files: ids.map((id) => ({ id })) });
    if (!answer.ok) fail(answer.failure);
    refresh();
  };
  return {
    staging,
    failure,
    start: (files) => {
      if (files.length > trialFilesAtMost) fail({ kind: 'job-too-large', limit: trialFilesAtMost });
      else if (files.length > 0) void begin(files);
    },
    cancel: () => {
      stop();
      void bridge.call('trials.cancel', { workspaceId });
    },
  };
}
