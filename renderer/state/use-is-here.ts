import { useCallback } from 'react';
import { useNowShown } from './use-now-shown.ts';

/** Tells, at the moment it is called, whether whoever asks is still on the page. */
export function useIsHere(): () => boolean {
  const now = useNowShown(true);
  return useCallback(() => now() !== null, [now]);
}
