import { useLayoutEffect, useRef } from 'react';

/**
 * In what floats above the page: gives the focus back as it goes. The library does so a frame later, and a key in
 * between would be nobody's, also the one that opens it again.
 */
export function FocusBack() {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const floating = place.current?.parentElement;
    // What is inside takes it afterwards.
    const before = document.activeElement;
    return () => {
      const isHere = floating?.contains(document.activeElement) === true;
      if (isHere && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return <span ref={place} hidden />;
}
