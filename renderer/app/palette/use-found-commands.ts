import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Bridge } from '../../../shared/bridge.ts';
import { latestFirst, type LibraryRow } from '../../../shared/domain/library.ts';
import type { RuleRow } from '../../../shared/domain/publication.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { type Failure, success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useOperation } from '../../bridge/use-operation.ts';
import { valueOf } from '../../bridge/value-of.ts';
import { cutMiddle } from '../../components/format.ts';
import { useAsker } from '../library/use-asker.ts';
import { useNavigation } from '../navigation.tsx';
import { usePublicationsPlace } from '../publications/publications-place.tsx';
import { useActivePackage } from '../publications/use-active-package.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import type { Command, FoundCommands } from './commands.ts';
import { findSamples, type ListSamples } from './find-samples.ts';
import { text } from './text.ts';

const leastTyped = 2;
const mostRules = 8;
const longestFind = 200;
const longestName = 48;

/** Samples and rules that the host finds for what was typed: a search begins when the typing rests. */
export function useFoundCommands(typed: string, rested: string): FoundCommands[] {
  const find = rested === typed && typed.length >= leastTyped ? typed : null;
  const found = [useFoundSamples(find), useFoundRules(find)];
  return find === null ? [] : found;
}

function useFoundSamples(find: string | null): FoundCommands {
  const { openSample } = useNavigation();
  const bridge = useBridge();
  const asker = useAsker(find ?? '');
  const query = useQuery<readonly LibraryRow[], Failure>({
    queryKey: ['library.list', { find }],
    queryFn: () => valueOf(asker.ask(find ?? '', () => findSamples(find ?? '', listing(bridge, asker.id)))),
    enabled: find !== null,
    // Found as the library is then; the same text later is searched anew.
    gcTime: 0,
  });
  return came('samples', query, (rows) => rows.map((row) => sampleCommand(row, openSample)));
}

const listing =
  (bridge: Bridge<File>, asker: string): ListSamples =>
  async (terms, limit) => {
    const found = await bridge.call('library.list', {
      asker,
      terms,
      sort: latestFirst,
      moment: crypto.randomUUID(),
      offset: 0,
      limit,
    });
    return found.ok ? success(found.value.rows) : found;
  };

const sampleCommand = ({ hash, name, type }: LibraryRow, openSample: (hash: string) => void): Command => ({
  id: `sample:${hash}`,
  title: name === null || name === '' ? hash : visibleText(cutMiddle(name, longestName)),
  isOfText: true,
  ...(type === null ? {} : { detail: visibleText(cutMiddle(type, longestName)) }),
  code: hash.slice(0, 12),
  leadsTo: 'library',
  run: () => openSample(hash),
});

function useFoundRules(find: string | null): FoundCommands {
  const { current } = useWorkspaces();
  const { openPublications } = useNavigation();
  const workspaceId = current?.id ?? '';
  const hasRules = useActivePackage() !== null;
  const [, note] = usePublicationsPlace(workspaceId);
  const words = (find ?? '').slice(0, longestFind);
  const query = useOperation(
    'publications.ruleNames',
    { workspaceId, find: words, limit: mostRules },
    { enabled: find !== null && hasRules },
  );
  const open = (rule: string): void => {
    note({ find: rule, chosen: null });
    openPublications('rules');
  };
  return came('rules', query, ({ rows }) => rows.map((row) => ruleCommand(row, open)));
}

const ruleCommand = ({ number, name, key, file, line }: RuleRow, open: (rule: string) => void): Command => ({
  id: `rule:${number}`,
  title: visibleText(cutMiddle(name, longestName)),
  isOfText: true,
  detail: `${visibleText(cutMiddle(file, longestName))}:${line}`,
  leadsTo: 'publications',
  run: () => open(key),
});

function came<T>(
  section: FoundCommands['section'],
  { data, error, fetchStatus }: UseQueryResult<T, Failure>,
  commandsOf: (data: T) => Command[],
): FoundCommands {
  // One that is not asked for waits for nothing.
  const isOver = error !== null || data !== undefined || fetchStatus === 'idle';
  return { section, commands: error !== null || data === undefined ? [] : commandsOf(data), failure: error, isOver };
}

/** Of what could not be searched, and why. A search that gave way to a later one is none. */
export function troublesOf(found: readonly FoundCommands[], sentenceOf: (failure: Failure) => string): string[] {
  return found.flatMap(({ section, failure }) =>
    failure === null || failure.kind === 'cancelled' || failure.kind === 'no-package'
      ? []
      : [text.notSearched[section](sentenceOf(failure))],
  );
}
