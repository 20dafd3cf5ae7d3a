import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Result } from '../../../shared/failure.ts';

/** Whoever looks at one list of the library at a time. */
export interface Asker {
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
