import { useCallback, useLayoutEffect, useRef } from 'react';

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
