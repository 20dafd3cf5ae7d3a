import { useEffect, useRef, useState } from 'react';

const rowsEach = 200;
const mostKept = 12;

/** The rows in sight of a list of any length, fetched by windows; one that is not here yet is undefined. */
export function useWindows<Row>(
  fetch: (from: number, count: number) => Promise<Row[]>,
  first: number,
  last: number,
): (index: number) => Row | undefined {
  const [windows, setWindows] = useState<ReadonlyMap<number, readonly Row[]>>(new Map());
  const asked = useRef(new Set<number>());
  const from = Math.floor(first / rowsEach);
  const to = Math.floor(last / rowsEach);
  useEffect(() => {
    for (let at = from; at <= to; at += 1) {
      if (asked.current.has(at)) continue;
      asked.current.add(at);
      void fetch(at * rowsEach, rowsEach).then((come) =>
        setWindows((before) => {
          const next = new Map(before).set(at, come);
          // The one that was asked for first was passed long ago, unless it is in sight again.
          for (const old of next.keys()) {
            if (next.size <= mostKept) break;
            if (old >= from && old <= to) continue;
            next.delete(old);
            asked.current.delete(old);
          }
          return next;
        }),
      );
    }
  }, [from, to, fetch]);
  return (index) => windows.get(Math.floor(index / rowsEach))?.[index % rowsEach];
}
