import { useEffectEvent, useLayoutEffect } from 'react';
import { isNobodys } from './single-letters.ts';

/**
 * What had the focus may be gone, a button with its job or a row with its room: then nobody has it, and the keys of
 * what is shown still work. They do from the moment it is shown: heard only after it was drawn, a key that is pressed
 * at once would be lost.
 */
export function useKeyOfNobody(onKey: (event: KeyboardEvent) => void): void {
  const onKeyOfNobody = useEffectEvent((event: KeyboardEvent) => {
    if (isNobodys(event.target)) onKey(event);
  });
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyOfNobody(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
