import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { type LastAnswer, useLastAnswer } from '../lookup/last-answer.tsx';

export interface AskingAgain {
  ask(): void;
  isAsking: boolean;
  /** Why the last asking gave no record; null where another service is meant by now. */
  failure: Failure | null;
}

/** Asks a repository for its record once more. What it says is kept by the library, and shown from there. */
export function useAskAgain(input: OperationInput<'samples.lookup'>): AskingAgain {
  const bridge = useBridge();
  const client = useQueryClient();
  const { note } = useLastAnswer();
  const [isAsking, setAsking] = useState(false);
  const [last, setLast] = useState<LastAnswer | null>(null);
  const ask = async (): Promise<void> => {
    setAsking(true);
    const answer = await bridge.call('samples.lookup', { ...input, firstComments: 0 });
    const came = { workspaceId: input.workspaceId, failure: answer.ok ? null : answer.failure };
    setAsking(false);
    setLast(came);
    note(came);
    if (!answer.ok) return;
    for (const name of ['library.sample', 'comments.thread']) void client.invalidateQueries({ queryKey: [name] });
  };
  return { ask: () => void ask(), isAsking, failure: last?.workspaceId === input.workspaceId ? last.failure : null };
}
