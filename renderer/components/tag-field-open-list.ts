import { useState } from 'react';

/** The list of known tags below the field, while it is open. */
export interface OpenList {
  /** Empty: it is closed. */
  tags: readonly string[];
  /** The place of the one that Enter takes. */
  active: number | null;
  move(by: 1 | -1): void;
  close(): void;
}

/** Open with each answer until it is closed; nothing in it is active until a key goes there. */
export function useOpenList(typed: string, tags: readonly string[]): OpenList {
  const [at, setAt] = useState<{ typed: string; active: number | null; isClosed: boolean }>({
    typed: '',
    active: null,
    isClosed: false,
  });
  const here = at.typed === typed ? at : { typed, active: null, isClosed: false };
  const shown = here.isClosed ? [] : tags;
  const active = here.active !== null && here.active < shown.length ? here.active : null;
  return {
    tags: shown,
    active,
    move: (by) => {
      const next = active === null ? (by === 1 ? 0 : shown.length - 1) : (active + by + shown.length) % shown.length;
      setAt({ typed, active: next, isClosed: false });
    },
    close: () => setAt({ typed, active: null, isClosed: true }),
  };
}
