import { useRef, useState } from 'react';
import type { Failure, Result } from '../../../shared/failure.ts';
import { copyText } from '../../components/copy-button.tsx';
import { useToast } from '../../components/toasts.tsx';
import type { CopiedText } from './copied-text.ts';
import { text } from './text.ts';

export interface Copying {
  /** Why what was to be copied could not be read. */
  failure: Failure | null;
  dismiss(): void;
  /**
   * One at a time: what is chosen meanwhile is not copied. `make` gives null where there is nothing to copy; when it
   * was cancelled nothing is said.
   */
  copy(make: () => Promise<Result<CopiedText | null>>): Promise<void>;
}

/** Copies what has to be read or put together first, and says what became of it. */
export function useCopying(): Copying {
  const toast = useToast();
  const [failure, setFailure] = useState<Failure | null>(null);
  const isBusy = useRef(false);
  const copy = async (make: () => Promise<Result<CopiedText | null>>): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      const made = await make();
      if (!made.ok) return made.failure.kind === 'cancelled' ? undefined : setFailure(made.failure);
      if (made.value === null) return toast({ meaning: 'info', text: text.nothing });
      const { words, news } = made.value;
      toast((await copyText(words)) ? { meaning: 'ok', text: news } : { meaning: 'bad', text: text.refused });
    } finally {
      isBusy.current = false;
    }
  };
  return { failure, dismiss: () => setFailure(null), copy };
}
