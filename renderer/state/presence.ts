import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useNavigation } from './navigation.tsx';
import { useWorkspaces } from './workspaces.tsx';

/**
 * Returns where the person is at the moment of the call: an equal text means the same place. null once the caller is
 * unmounted.
 */
export type PlaceNow = () => string | null;

/** A place is a view in a workspace; results of another scan or hunt are another place. */
export function usePlace(): PlaceNow {
  const { currentView, shownScan } = useNavigation();
  const workspaceId = useWorkspaces().current?.id ?? null;
  return useNowShown(JSON.stringify([workspaceId, currentView, currentView === 'scan' ? shownScan?.jobId : null]));
}

/**
 * Returns what is shown at the moment of the call; null once the caller is unmounted. An answer may come when another
 * thing is shown, or the page was left.
 */
export function useNowShown<T extends string | number | true>(shown: T): () => T | null {
  const now = useRef<T | null>(null);
  useEffect(() => {
    now.current = shown;
    return () => {
      now.current = null;
    };
  }, [shown]);
  return useCallback(() => now.current, []);
}

/** Returns, at the moment of the call, whether the caller is still on the page. */
export function useIsMounted(): () => boolean {
  const now = useNowShown(true);
  return useCallback(() => now() !== null, [now]);
}

/**
 * The same function while the caller is mounted; it always runs the latest action: a component that gets it need not be
 * drawn again.
 */
export function useLatest<Given extends unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
