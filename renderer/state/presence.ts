import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useNavigation } from './navigation.tsx';
import { useWorkspaces } from './workspaces.tsx';

/**
 * Tells where the person is at the moment it is called: the same text as before means the same place. null once whoever
 * asks is gone.
 */
export type PlaceNow = () => string | null;

/** A place is a view in a workspace; results of another scan or hunt are another place. */
export function usePlace(): PlaceNow {
  const { currentView, shownScan } = useNavigation();
  const workspaceId = useWorkspaces().current?.id ?? null;
  return useNowShown(JSON.stringify([workspaceId, currentView, currentView === 'scan' ? shownScan?.jobId : null]));
}

/**
 * Tells, at the moment it is called, what is shown; null once whoever asks is gone. An answer may come when another
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

/** Tells, at the moment it is called, whether whoever asks is still on the page. */
export function useIsMounted(): () => boolean {
  const now = useNowShown(true);
  return useCallback(() => now() !== null, [now]);
}

/**
 * The same function for as long as whoever uses it is there, which does what it would do now: what is given it need not
 * be drawn again.
 */
export function useLatest<Given extends unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
