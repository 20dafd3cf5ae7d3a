import { useEffect, useState } from 'react';

export type CopyState = 'idle' | 'copied' | 'failed';

const shownForMs = 2000;

/** Copies a text and says for two seconds what became of it. */
export function useCopy(): { state: CopyState; copy(text: string): void } {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), shownForMs);
    return () => clearTimeout(timer);
  }, [state]);
  return { state, copy: (text) => void copyText(text).then((copied) => setState(copied ? 'copied' : 'failed')) };
}

/** False where the browser refuses the clipboard; the text itself stays on the screen to be selected. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
