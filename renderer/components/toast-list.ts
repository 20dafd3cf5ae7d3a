import type { Failure } from '../../shared/failure.ts';

export interface ToastMessage {
  meaning: 'ok' | 'bad' | 'info';
  text: string;
  /** What it is about, where something failed: its details can be copied. */
  failure?: Failure;
  /** Takes back what was done, by its button or by Ctrl Z. It closes the toast. */
  undo?(): void;
  /** Another thing to do about it. It closes the toast, too. */
  action?: { text: string; act(): void };
  /** Until it is closed: what its action leads to is nowhere else. */
  stays?: true;
}

export interface ShownToast extends ToastMessage {
  id: number;
  /** The pointer is over it, or the focus is in it. */
  isHeld: boolean;
}

const atMost = 2;

/** A failure told here has no other place: it is not lost to who looked away. */
export const staysOpen = ({ meaning, isHeld, stays }: ShownToast): boolean =>
  isHeld || meaning === 'bad' || stays === true;

/** Its way back is there for its whole time, whatever is done meanwhile. */
const canGo = (toast: ShownToast): boolean => !staysOpen(toast) && toast.undo === undefined;

/**
 * Two at most, unless more of them stay or can be taken back: of the others the oldest goes. A failure that is told
 * again stands once.
 */
export function withOneMore(shown: readonly ShownToast[], next: ShownToast): readonly ShownToast[] {
  const others =
    next.meaning === 'bad' ? shown.filter(({ meaning, text }) => meaning !== 'bad' || text !== next.text) : shown;
  const tooMany = Math.max(0, others.length + 1 - atMost);
  const gone = others.filter(canGo).slice(0, tooMany);
  return [...others.filter((toast) => !gone.includes(toast)), next];
}
