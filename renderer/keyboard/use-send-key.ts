import { useEffectEvent, useLayoutEffect } from 'react';
import { hasOpenDialog } from './open-overlay.ts';
import { isNobodys } from './single-letters.ts';

/**
 * Ctrl Enter anywhere in the room, or while nobody has the focus, as after a list that closed: not in a dialog, which
 * is drawn elsewhere on the page. Heard before a button that has the focus takes it for a press.
 */
export function useSendKey(send: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isInRoom(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    send();
  });
  // From the moment the room is shown: heard only after it was drawn, a key that is pressed at once would be lost.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}

function isInRoom(target: EventTarget | null): boolean {
  if (isNobodys(target)) return !hasOpenDialog();
  return target instanceof Element && target.closest('main') !== null;
}
