import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { SampleFacts } from '../../../../shared/domain/sample.ts';
import type { Result } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { useLate } from '../../../components/use-late.ts';
import { paced } from '../../../bridge/paced.ts';
import { classNames } from '../../../styles/class-names.ts';
import { text } from '../strings.ts';
import { type ActionTarget, readFacts } from '../../../features/library/action-target.ts';
import styles from './actions.module.css';

/** Also spoken: faster reports could not be followed. */
const reportEveryMs = 1000;

/** How many samples of how many are read. */
interface ReadingProgress {
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
  /** At most so many and a page. Fails with `cancelled` once it is no longer needed. */
  read(target: ActionTarget, most: number, isNeeded?: (sample: SampleFacts) => boolean): Promise<Result<SampleFacts[]>>;
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
    async (target, most, isNeeded) => {
      cancel();
      const mine = new AbortController();
      running.current = mine;
      let done = 0;
      const report = paced(reportEveryMs, () => {
        if (running.current === mine) setProgress({ done, of: target.count });
      });
      report();
      const onPage = (samples: number): void => {
        done += samples;
        report();
      };
      const facts = await readFacts(bridge, target, most, {
        ...(isNeeded === undefined ? {} : { isNeeded }),
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

interface ReadingLineProps {
  reading: Pick<Reading, 'progress' | 'cancel'>;
  /** Shown here otherwise. */
  children: ReactNode;
}

/** How far reading what is meant is, where that takes long, and the way out of it. */
export function ReadingLine({ reading: { progress, cancel }, children }: ReadingLineProps) {
  const isLate = useLate(progress !== null);
  const shown = isLate ? progress : null;
  return (
    <div className={classNames(styles.words, shown !== null && styles.reading)}>
      <p role="status" data-figures>
        {shown !== null && text.reading(shown.done, shown.of)}
      </p>
      {shown === null ? <p data-figures>{children}</p> : <CancelReading onCancel={cancel} />}
    </div>
  );
}

function CancelReading({ onCancel }: { onCancel(): void }) {
  const place = useRef<HTMLSpanElement>(null);
  // A focus on this button moves to the actions that it was shown before.
  useLayoutEffect(() => {
    const gone = place.current;
    return () => {
      if (gone?.contains(document.activeElement) === true)
        gone.closest('[role=group]')?.querySelector<HTMLElement>('[data-letter]:not(:disabled)')?.focus();
    };
  }, []);
  return (
    <span ref={place}>
      <Button size="small" onPress={onCancel}>
        {text.cancel}
      </Button>
    </span>
  );
}
