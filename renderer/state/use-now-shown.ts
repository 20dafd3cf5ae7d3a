import { useCallback, useEffect, useRef } from 'react';

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
