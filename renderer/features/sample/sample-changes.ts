import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { OperationInput } from '../../../shared/contract.ts';
import { normalTag, tag as tagSchema } from '../../../shared/domain/tag.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { words } from '../../components/format.ts';
import type { TagFieldProps } from '../../components/tag-field/tag-field-typing.ts';
import { useToast } from '../../components/toasts.tsx';
import { useIsMounted } from '../../state/presence.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { text } from './strings.ts';

type Change = OperationInput<'library.change'>['change'];

export interface SampleChange {
  change(change: Partial<Change>): void;
  /** What was asked for and the sample does not show yet. */
  waiting: readonly Change[];
  /** Why the last one that failed was not made. */
  failure: Failure | null;
}

/** Changes the local data of a sample, one change after the other. */
export function useSampleChange({ sha256, name }: { sha256: string; name: string }): SampleChange {
  const bridge = useBridge();
  const client = useQueryClient();
  const toast = useToast();
  const isHere = useIsMounted();
  const [waiting, setWaiting] = useState<readonly Change[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const report = (why: Failure, again: () => void): void => {
    if (isHere()) setFailure(why);
    else
      toast({
        meaning: 'bad',
        text: text.notChanged(name, describeFailure(why).what),
        failure: why,
        action: { text: words.tryAgain, act: again },
      });
  };
  const make = async (asked: Change): Promise<void> => {
    setWaiting((before) => [...before, asked]);
    setFailure(null);
    const answer = await queueChange(bridge, () =>
      bridge.call('library.change', { selection: { kind: 'named', hashes: [sha256] }, change: asked }),
    );
    if (answer.ok) await client.invalidateQueries({ queryKey: ['library.sample'] });
    else report(answer.failure, () => void make(asked));
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

/** What was asked last, by the host that it goes to. */
const latest = new WeakMap<Bridge<File>, Promise<unknown>>();

/**
 * Local data of samples is changed one after the other, from anywhere on the page: two requests may overtake each
 * other.
 */
export function queueChange<Done>(bridge: Bridge<File>, act: () => Promise<Done>): Promise<Done> {
  const mine = (latest.get(bridge) ?? Promise.resolve()).then(act, act);
  latest.set(bridge, mine);
  return mine;
}

/** As long as a beginning may be. */
const longestBeginning = 100;

/** As many tags of a repository are offered beside the local ones. */
const mostOfRepository = 10;
/** An answer of a repository, also that it did not give one, holds for this time. */
const repositoryTagsKeptMs = 10 * 60 * 1000;

/**
 * Asks for known tags with a beginning, and for those of the current workspace's repository where it lists them.
 * Without an answer there are none: what is typed is a tag all the same. The host's log has why.
 */
export function useTagSuggestions(): Required<Pick<TagFieldProps, 'suggest' | 'suggestOfRepository'>> {
  const bridge = useBridge();
  const client = useQueryClient();
  const { current } = useWorkspaces();
  const workspaceId = current?.id ?? null;
  return useMemo(
    () => ({
      suggest: async (beginning) => {
        const answer = await bridge.call('uploads.tags', { beginning: beginning.slice(0, longestBeginning) });
        return answer.ok ? answer.value.tags : [];
      },
      suggestOfRepository: async (beginning) => {
        if (workspaceId === null) return [];
        const tags = await client.fetchQuery({
          queryKey: ['servers.tags', { workspaceId }],
          queryFn: async () => {
            const answer = await bridge.call('servers.tags', { workspaceId });
            return answer.ok ? answer.value : { tags: [] };
          },
          staleTime: repositoryTagsKeptMs,
        });
        return tagsBeginning(tags.tags, beginning).slice(0, mostOfRepository);
      },
    }),
    [bridge, client, workspaceId],
  );
}

/** As the local ones are found: tags that begin so, or whose value does. What could not be a local tag is left out. */
function tagsBeginning(tags: readonly string[], beginning: string): string[] {
  const usable = tags.map(normalTag).filter((one) => tagSchema.safeParse(one).success);
  return [...new Set(usable)].filter(
    (one) => one.startsWith(beginning) || one.slice(one.lastIndexOf(':') + 1).startsWith(beginning),
  );
}
