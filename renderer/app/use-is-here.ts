import { useCallback, useEffect, useRef } from 'react';

/** Tells, at the moment it is called, whether whoever asks is still on the page: an answer may come when it was left. */
export function useIsHere(): () => boolean {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(() => isHere.current, []);
}
