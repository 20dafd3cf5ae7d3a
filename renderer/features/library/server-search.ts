import { hashKey, type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { OperationInput } from '../../../shared/contract.ts';
import { latestFirst, type LibrarySort } from '../../../shared/domain/library.ts';
import { writtenValue } from '../../../shared/domain/query-completion.ts';
import type { SearchOrder, ServerSearch } from '../../../shared/domain/server-record.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { useServerActions } from '../servers/server-actions.tsx';
import { type ServerSearched, useLibraryPlace } from './library-place.tsx';

/** Searches a repository beside the list of the library, as if it was searched for there. */
export type SearchServer = (field: ServerSearch['field'], text: string) => void;

/** null: the repository of the workspace cannot be searched. Asks it nothing before it is called. */
export function useServerSearch(workspaceId: string): SearchServer | null {
  const [{ sort, atServer }, note] = useLibraryPlace();
  const { isUsable } = useServerActions(workspaceId);
  const { openLibrary } = useNavigation();
  const client = useQueryClient();
  const takesQuery = isUsable('searchfiles');
  if (!takesQuery && !isUsable('getfiles')) return null;
  return (field, text) => {
    const query = field === 'sha256' ? text : `${field}:${writtenValue(text)}`;
    const searched: ServerSearched = takesQuery
      ? { workspaceId, by: 'query', query, order: searchOrderOf(sort), afters: [null] }
      : { workspaceId, by: 'field', field, text };
    forgetAnswers(client, searched);
    note({
      atServer: {
        ...atServer,
        isOpen: true,
        typed: { beside: query, field, text },
        searched,
        pages: 1,
        grid: new GridMemory(),
      },
    });
    openLibrary(query);
  };
}

/** As near as a repository can come to the order of the library: it knows no dates of this computer, for one. */
export function searchOrderOf({ by, descending }: LibrarySort): SearchOrder {
  if (by === 'size') return descending ? 'largest' : 'smallest';
  if (by === 'name') return descending ? 'name-descending' : 'name';
  const isByDate = by === latestFirst.by || by === 'firstSeen';
  return isByDate && !descending ? 'oldest' : 'newest';
}

/**
 * Forgets what was answered, before a search begins: pressed once more, it is sent once more. Its first page is fetched
 * at once where it is shown; the others follow on request.
 */
export function forgetAnswers(client: QueryClient, searched: ServerSearched): void {
  const first = firstPage(searched);
  const firstHash = hashKey(first);
  for (const name of ['servers.search', 'servers.searchByQuery'])
    client.removeQueries({ queryKey: [name], predicate: ({ queryHash }) => queryHash !== firstHash });
  void client.resetQueries({ queryKey: first, exact: true });
}

function firstPage(searched: ServerSearched): [string, unknown] {
  const { workspaceId } = searched;
  if (searched.by === 'query') return ['servers.searchByQuery', queryInput(searched, null)];
  const { field, text } = searched;
  return ['servers.search', { workspaceId, search: { field, text, page: 1 } }];
}

export const queryInput = (
  { workspaceId, query, order }: Extract<ServerSearched, { by: 'query' }>,
  after: string | null,
): OperationInput<'servers.searchByQuery'> => ({ workspaceId, search: { query, order, after } });
