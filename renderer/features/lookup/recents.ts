import { useSyncExternalStore } from 'react';
import { type RecentLookup, RecentLookups } from '../../memory/recent-lookups.ts';

/** The page's one memory of recent look-ups. */
export const recentLookups = new RecentLookups();

export function useRecentLookups(workspaceId: string | null): readonly RecentLookup[] {
  const all = useSyncExternalStore(recentLookups.subscribe, recentLookups.snapshot);
  return all.filter((recent) => recent.workspaceId === workspaceId);
}
