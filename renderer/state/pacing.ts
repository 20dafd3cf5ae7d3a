import { useEffect, useState } from 'react';

/** The value once it has been the same for so many milliseconds: what is typed or passed by in between is skipped. */
export function useRested<T>(value: T, restMs: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return rested;
}

/** A search begins when the typing rests. */
const findRestMs = 200;

/** What is asked for: the words of a find field without the spaces around them. */
export function useRestedFind(find: string): string {
  return useRested(find.trim(), findRestMs);
}
