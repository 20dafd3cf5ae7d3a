import { useEffect, useState } from 'react';

/** A wait shorter than this is not worth a word. */
const patienceMs = 300;

/** True once `waiting` has been true for 300 ms on end: nothing flickers for a quick answer. */
export function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [waiting]);
  return waiting && late;
}
