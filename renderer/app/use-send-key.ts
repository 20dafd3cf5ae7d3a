import { type RefObject, useEffect, useEffectEvent } from 'react';
import { isNobodys } from './single-letters.ts';
import { hasOpenDialog } from './use-global-keys.ts';

/**
 * Ctrl Enter inside of the panes, or while nobody has the focus, as after a list that closed: not that of a dialog, which is
 * drawn elsewhere on the page. Heard before a button that has the focus takes it for a press.
 */
export function useSendKey(panes: RefObject<HTMLElement | null>, send: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isMeant(event, panes.current)) return;
    event.preventDefault();
    event.stopPropagation();
    send();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}

function isMeant({ target }: KeyboardEvent, panes: HTMLElement | null): boolean {
  if (isNobodys(target)) return !hasOpenDialog();
  return target instanceof Node && panes?.contains(target) === true;
}
