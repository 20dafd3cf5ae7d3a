import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import { latestFirst, type LibraryRow } from '../../../shared/domain/library.ts';
import type { RuleRow } from '../../../shared/domain/publication.ts';
import { writtenValue } from '../../../shared/domain/query-completion.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { rankOf } from '../../../shared/domain/ranking.ts';
import { longestTag, normalTag } from '../../../shared/domain/tag.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useOperation, valueOf } from '../../bridge/operations.ts';
import { cutMiddle, nameInSentence } from '../../components/format.ts';
import { useAsker } from '../../features/library/library-reads.ts';
import { useActivePackage, usePublicationsPlace } from '../../features/publications/publications-place.tsx';
import type { Command, FoundCommands } from '../../state/commands.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { text } from './strings.ts';

const leastTyped = 2;
const mostRules = 8;
const longestFind = 200;
const longestName = 48;

/** Samples, rules and tags that the host finds for what was typed: a search begins when the typing rests. */
export function useFoundCommands(typed: string, rested: string): FoundCommands[] {
  const find = rested === typed && typed.length >= leastTyped ? typed : null;
  const found = [useFoundSamples(find), useFoundRules(find), useFoundTags(find)];
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
    // The library may change: the same text later is searched again.
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
  title: name === null || name === '' ? hash : nameInSentence(name, longestName),
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

const mostTags = 6;

/** Known tags with this beginning: the library is searched for those who have one. */
function useFoundTags(find: string | null): FoundCommands {
  const { openLibrary } = useNavigation();
  const beginning = normalTag(find ?? '').slice(0, longestTag);
  const query = useOperation('uploads.tags', { beginning }, { enabled: find !== null && beginning !== '' });
  return came('tags', query, ({ tags }) =>
    tags.slice(0, mostTags).map((tag) => ({
      id: `tag:${tag}`,
      title: text.searchTag(visibleText(cutMiddle(tag, longestName))),
      isOfText: true,
      leadsTo: 'library',
      run: () => openLibrary(`tag:${writtenValue(tag)}`),
    })),
  );
}

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

const mostFound = 8;
/** Of those that are called so: the latest are compared by their names. */
const mostCompared = 200;

type Rows = Result<readonly LibraryRow[]>;
/** The first samples that all the terms hold for, seen last first. */
export type ListSamples = (terms: QueryTerm[], limit: number) => Promise<Rows>;

/**
 * Uses the library's query terms: first samples with that name, best match first, then those that contain the words
 * elsewhere. An invalid query finds nothing.
 */
export async function findSamples(find: string, list: ListSamples): Promise<Rows> {
  const read = readLibraryQuery(find, new Date());
  if (read.kind === 'problem') return success([]);
  const named = await findNamed(read.terms, list);
  return named.ok && named.value.length < mostFound ? filledUp(named.value, await list(read.terms, mostFound)) : named;
}

async function findNamed(terms: readonly QueryTerm[], list: ListSamples): Promise<Rows> {
  const inNames = terms.map(soughtInNames);
  const words = inNames.flatMap((term) => (term.field === 'name' && !term.negated ? [term.value] : [])).join(' ');
  if (words === '') return success([]);
  const found = await list(inNames, mostCompared);
  return found.ok ? success(bestNamed(words, found.value).slice(0, mostFound)) : found;
}

const soughtInNames = (term: QueryTerm): QueryTerm =>
  term.field === 'text' && !term.negated ? { ...term, field: 'name' } : term;

/** Some are found by a name that another service gave: their own may not be meant at all. */
function bestNamed(words: string, rows: readonly LibraryRow[]): LibraryRow[] {
  const rankOfRow = ({ name }: LibraryRow): number => rankOf(words, { title: name ?? '' }) ?? Number.MAX_VALUE;
  return rows
    .map((row) => ({ row, rank: rankOfRow(row) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ row }) => row);
}

function filledUp(first: readonly LibraryRow[], rest: Rows): Rows {
  if (!rest.ok) return rest;
  const known = new Set(first.map(({ hash }) => hash));
  return success([...first, ...rest.value.filter(({ hash }) => !known.has(hash))].slice(0, mostFound));
}
