import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { useLate } from '../../../components/use-late.ts';
import { classNames } from '../../../styles/class-names.ts';
import { text } from '../text.ts';
import styles from './actions.module.css';
import type { Reading } from './use-reading.ts';

export interface ReadingLineProps {
  reading: Pick<Reading, 'progress' | 'cancel'>;
  /** Stands here otherwise. */
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
  // Whoever was at it goes on among the actions that it stood before.
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
