import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { LibraryTotal, SavedView } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent } from '../../bridge/use-event.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { valueOf } from '../../bridge/value-of.ts';
import { paced } from '../paced.ts';

export interface SavedViews {
  views: readonly SavedView[];
  failure: Failure | null;
}

const noViews: readonly SavedView[] = [];

export function useSavedViews(): SavedViews {
  const client = useQueryClient();
  const { data, error } = useOperation('views.list', {});
  useEvent('views.changed', () => void client.invalidateQueries({ queryKey: ['views.list'] }));
  return { views: data?.views ?? noViews, failure: error };
}

/** `unreadable`: its query is none any more. */
export type ViewCount = LibraryTotal | 'unreadable';
type ViewCounts = ReadonlyMap<number, ViewCount>;

/** Counting goes through the whole library. */
const countedEveryMs = 5000;
/** As many as one call takes. */
const mostQueries = 50;

/** What each view finds, counted again while the library changes; none of them before the first answer. */
export function useViewCounts(views: readonly SavedView[]): ViewCounts {
  const bridge = useBridge();
  const client = useQueryClient();
  const { data } = useQuery<ViewCounts, Failure>({
    queryKey: ['library.totals', { views: views.map(({ id, query }) => ({ id, query })) }],
    queryFn: () => countViews(bridge, views),
    enabled: views.length > 0,
  });
  const countAgain = useMemo(
    () => paced(countedEveryMs, () => client.invalidateQueries({ queryKey: ['library.totals'] })),
    [client],
  );
  useEvent('library.changed', countAgain);
  return data ?? noCounts;
}

const noCounts: ViewCounts = new Map();

async function countViews(
  bridge: Bridge<File>,
  views: readonly Pick<SavedView, 'id' | 'query'>[],
): Promise<ViewCounts> {
  const now = new Date();
  const counts = new Map<number, ViewCount>();
  const readable: { id: number; terms: QueryTerm[] }[] = [];
  for (const { id, query } of views) {
    const read = readLibraryQuery(query, now);
    if (read.kind === 'terms') readable.push({ id, terms: read.terms });
    else counts.set(id, 'unreadable');
  }
  for (let at = 0; at < readable.length; at += mostQueries) {
    const page = readable.slice(at, at + mostQueries);
    const { totals } = await valueOf(bridge.call('library.totals', { queries: page.map(({ terms }) => terms) }));
    for (const [index, total] of totals.entries()) {
      const view = page[index];
      if (view) counts.set(view.id, total);
    }
  }
  return counts;
}
