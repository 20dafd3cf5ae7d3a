import { useLayoutEffect } from 'react';

/**
 * What had the focus before the first of several dialogs in a row: the library gives it back to the one before only.
 */
let opener: HTMLElement | null = null;

const dialogs = '[role=dialog], [role=alertdialog]';

/** Gives the focus back to where a dialog was opened from, also when other dialogs came between. */
export function useOpener(isOpen: boolean): void {
  // Before the dialog takes the focus itself.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    if (before instanceof HTMLElement && before !== document.body && before.closest(dialogs) === null) opener = before;
    return () => void requestAnimationFrame(() => requestAnimationFrame(giveBack));
  }, [isOpen]);
}

function giveBack(): void {
  const isFree = document.activeElement === document.body && document.querySelector(dialogs) === null;
  if (isFree && opener?.isConnected === true) opener.focus();
}
