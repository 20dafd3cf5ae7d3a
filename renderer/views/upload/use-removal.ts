import { useRef, useState } from 'react';
import type { TickedFiles } from '../../../shared/domain/upload.ts';
import { useToast } from '../../components/toasts.tsx';
import type { Draft } from './draft-desk.tsx';
import { text } from './text.ts';

/** Taking the ticked files out of the draft: one at once, several after a question. */
export interface Removal {
  /** The files that the question is about, while it is asked: they go or none does, whatever is ticked by then. */
  asked: TickedFiles | null;
  ask(): void;
  close(): void;
  remove(files: TickedFiles): void;
}

export function useRemoval({ writes }: Draft): Removal {
  const toast = useToast();
  const [asked, setAsked] = useState<TickedFiles | null>(null);
  const isAsking = useRef(false);
  const tell = (): void => toast({ meaning: 'ok', text: text.removed });
  // How many are ticked is what the host says after the last tick: the numbers on the page may be of before it.
  const ask = async (): Promise<void> => {
    if (isAsking.current) return;
    isAsking.current = true;
    const ticked = await writes.removeSingle();
    isAsking.current = false;
    if (!ticked.ok) return;
    if (ticked.value.files === 1) tell();
    else if (ticked.value.files > 1) setAsked(ticked.value);
  };
  const remove = ({ mark }: TickedFiles): void => {
    setAsked(null);
    void writes.remove({ kind: 'ticked', mark }).then((answer) => answer.ok && tell());
  };
  return { asked, ask: () => void ask(), close: () => setAsked(null), remove };
}
