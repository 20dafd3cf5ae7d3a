import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Result } from '../../../shared/failure.ts';
import { useEvent } from '../../bridge/operations.ts';
import { paced } from '../../bridge/paced.ts';

/** A reader of one library list at a time. */
interface Asker {
  /** As the host knows it. */
  id: string;
  /**
   * Asks for a window of a list, and once more where one of another list took its place although this one is shown, or
   * shown again. Fails with `cancelled` when it is not, or when others take its place over and over.
   */
  ask<T>(list: string, ask: () => Promise<Result<T>>): Promise<Result<T>>;
}

const mostTimes = 5;

/** `shown`: the list that is looked at now. */
export function useAsker(shown: string): Asker {
  const latest = useRef(shown);
  useLayoutEffect(() => {
    latest.current = shown;
  });
  const [id] = useState(() => crypto.randomUUID());
  return useMemo(
    (): Asker => ({
      id,
      ask: async (list, ask) => {
        let answer = await ask();
        for (let times = 1; times < mostTimes && isOvertaken(answer) && latest.current === list; times += 1)
          answer = await ask();
        return answer;
      },
    }),
    [id],
  );
}

const isOvertaken = (answer: Result<unknown>): boolean => !answer.ok && answer.failure.kind === 'cancelled';

/**
 * A state of the library. Windows that were read at the same moment are of one list; ages in a query are counted back
 * from it.
 */
export interface LibraryMoment {
  key: string;
  now: Date;
}

const newMoment = (): LibraryMoment => ({ key: crypto.randomUUID(), now: new Date() });

/** Another one when the library changed, at most every so many milliseconds. */
export function useLibraryMoment(everyMs: number): LibraryMoment {
  const [moment, setMoment] = useState(newMoment);
  const renew = useMemo(() => paced(everyMs, () => setMoment(newMoment())), [everyMs]);
  useEvent('library.changed', renew);
  return moment;
}
