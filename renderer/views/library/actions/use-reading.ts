import { useCallback, useMemo, useRef, useState } from 'react';
import type { SampleFacts } from '../../../../shared/domain/sample.ts';
import type { Result } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { paced } from '../../../state/pacing.ts';
import { type MeantSamples, readFacts } from './meant-samples.ts';

/** Said aloud, too: more often nobody could listen. */
const toldEveryMs = 1000;

/** How many samples of how many are read. */
export interface ReadingProgress {
  done: number;
  of: number;
}

/**
 * What samples are, read page by page before they are copied, exported or scanned. One at a time: another one takes the
 * place of the first.
 */
export interface Reading {
  /** null: nothing is read. */
  progress: ReadingProgress | null;
  /** At most so many and a page. Fails with `cancelled` once it is not wanted any more. */
  read(meant: MeantSamples, most: number, isWanted?: (sample: SampleFacts) => boolean): Promise<Result<SampleFacts[]>>;
  cancel(): void;
}

export function useReading(): Reading {
  const bridge = useBridge();
  const [progress, setProgress] = useState<ReadingProgress | null>(null);
  const running = useRef<AbortController | null>(null);
  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setProgress(null);
  }, []);
  const read = useCallback<Reading['read']>(
    async (meant, most, isWanted) => {
      cancel();
      const mine = new AbortController();
      running.current = mine;
      let done = 0;
      const tell = paced(toldEveryMs, () => {
        if (running.current === mine) setProgress({ done, of: meant.count });
      });
      tell();
      const onPage = (samples: number): void => {
        done += samples;
        tell();
      };
      const facts = await readFacts(bridge, meant, most, {
        ...(isWanted === undefined ? {} : { isWanted }),
        signal: mine.signal,
        onPage,
      });
      if (running.current === mine) cancel();
      return facts;
    },
    [bridge, cancel],
  );
  return useMemo(() => ({ progress, read, cancel }), [progress, read, cancel]);
}
