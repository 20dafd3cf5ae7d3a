import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { words } from '../../components/format.ts';
import { useToast } from '../../components/toasts.tsx';
import { inTurn } from '../library/in-turn.ts';
import { useIsHere } from '../use-is-here.ts';
import { text } from './text.ts';

type Change = OperationInput<'library.change'>['change'];

export interface SampleChange {
  change(change: Partial<Change>): void;
  /** What was asked for and the sample does not show yet. */
  waiting: readonly Change[];
  /** Why the last one that failed was not made. */
  failure: Failure | null;
}

/** Changes what this desk says of a sample, one thing after the other. */
export function useSampleChange({ sha256, name }: { sha256: string; name: string }): SampleChange {
  const bridge = useBridge();
  const client = useQueryClient();
  const toast = useToast();
  const isHere = useIsHere();
  const [waiting, setWaiting] = useState<readonly Change[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const tell = (why: Failure, again: () => void): void => {
    if (isHere()) setFailure(why);
    else
      toast({
        meaning: 'bad',
        text: text.notChanged(name, failureWords(why).what),
        failure: why,
        action: { text: words.tryAgain, act: again },
      });
  };
  const make = async (asked: Change): Promise<void> => {
    setWaiting((before) => [...before, asked]);
    setFailure(null);
    const answer = await inTurn(bridge, () =>
      bridge.call('library.change', { selection: { kind: 'named', hashes: [sha256] }, change: asked }),
    );
    if (answer.ok) await client.invalidateQueries({ queryKey: ['library.sample'] });
    else tell(answer.failure, () => void make(asked));
    setWaiting((before) => before.filter((one) => one !== asked));
  };
  return { change: (parts) => void make({ add: [], remove: [], ...parts }), waiting, failure };
}

/** The tags as they will be once the changes that are on their way are made. */
export function tagsWith(tags: readonly string[], waiting: readonly Change[]): readonly string[] {
  return waiting.reduce(
    (all, { add, remove }) => [
      ...all.filter((tag) => !remove.includes(tag)),
      ...add.filter((tag) => !all.includes(tag)),
    ],
    tags,
  );
}
