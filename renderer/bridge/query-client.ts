import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from '@tanstack/react-query';
import { isOperationName, type OperationName, operations } from '../../shared/contract.ts';

export const asksAService = (name: OperationName): boolean => operations[name].asksAService;

/**
 * A query invalidated during its first read is read once more: the host may have read its data before the change. The
 * library itself joins such a read, and starts over only where an answer is known already.
 */
class FreshQueryClient extends QueryClient {
  override async invalidateQueries<K extends QueryKey = QueryKey>(
    filters: InvalidateQueryFilters<K> = {},
    options?: InvalidateOptions,
  ): Promise<void> {
    const { predicate = () => true } = filters;
    void this.cancelQueries<K>({
      ...filters,
      fetchStatus: 'fetching',
      predicate: (query) => query.state.data === undefined && predicate(query),
    });
    await super.invalidateQueries<K>(filters, options);
  }
}

/**
 * The memory of what was read over the bridge. Calls to this computer work without a network and are not repeated
 * by themselves, neither after a failure nor because a window got the focus.
 */
export function createQueryClient(): QueryClient {
  return new FreshQueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
      // An action's input may hold a passphrase: it is let go of with the view that sent it.
      mutations: { networkMode: 'always', retry: false, gcTime: 0 },
    },
  });
}

/** Reads again what the host itself knows; what a service was asked stays as it was answered. */
export async function refreshLocalState(client: QueryClient): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey: [name] }) => typeof name === 'string' && isOperationName(name) && !asksAService(name),
  });
}
