import { useState } from 'react';
import { useToast } from '../../components/toasts.tsx';
import type { Draft } from './draft-desk.tsx';
import { text } from './text.ts';

/** Taking the ticked files out of the draft: one at once, several after a question. */
export interface Removal {
  asks: boolean;
  ask(): void;
  close(): void;
  remove(): void;
}

export function useRemoval(draft: Draft, ticked: number): Removal {
  const toast = useToast();
  const [asks, setAsks] = useState(false);
  const remove = (): void => {
    setAsks(false);
    void draft.writes.remove({ kind: 'ticked' }).then((answer) => answer.ok && toast({ meaning: 'ok', text: text.removed }));
  };
  const ask = (): void => {
    if (ticked === 1) remove();
    else if (ticked > 1) setAsks(true);
  };
  return { asks, ask, close: () => setAsks(false), remove };
}
