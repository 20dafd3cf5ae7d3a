import { useEffect, useRef, useState } from 'react';
import { useBulkDesk } from '../../app/bulk-desk.tsx';
import type { ShownLine } from './held-soup.ts';

const linesEach = 200;
const mostKept = 12;

/** The lines in sight of the text that was read, fetched by windows; one that is not here yet is undefined. */
export function useSoupLines(first: number, last: number): (index: number) => ShownLine | undefined {
  const { lines } = useBulkDesk();
  const [windows, setWindows] = useState<ReadonlyMap<number, readonly ShownLine[]>>(new Map());
  const asked = useRef(new Set<number>());
  const from = Math.floor(first / linesEach);
  const to = Math.floor(last / linesEach);
  useEffect(() => {
    for (let at = from; at <= to; at += 1) {
      if (asked.current.has(at)) continue;
      asked.current.add(at);
      void lines(at * linesEach, linesEach).then((come) => setWindows((before) => {
        const next = new Map(before).set(at, come);
        // The one that was asked for first was passed long ago.
        for (const old of next.keys()) {
          if (next.size <= mostKept) break;
          next.delete(old);
          asked.current.delete(old);
        }
        return next;
      }));
    }
  }, [from, to, lines]);
  return (index) => windows.get(Math.floor(index / linesEach))?.[index % linesEach];
}
