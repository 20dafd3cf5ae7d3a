import { useSyncExternalStore } from 'react';

/** The time now, to the second. */
export function useSecond(): Date {
  return new Date(useSyncExternalStore(everySecond, () => Math.floor(Date.now() / 1000)) * 1000);
}

function everySecond(tell: () => void): () => void {
  const timer = setInterval(tell, 1000);
  return () => clearInterval(timer);
}
