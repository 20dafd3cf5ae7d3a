let wasKey = true;

/**
 * Notes whether a key or the pointer was used last. The browser takes a key with Ctrl for none: after a click, it would
 * not draw where such a key led.
 */
export function watchKeys(): () => void {
  const stop = new AbortController();
  const note = (isKey: boolean) => (): void => {
    wasKey = isKey;
  };
  window.addEventListener('keydown', note(true), { capture: true, signal: stop.signal });
  window.addEventListener('pointerdown', note(false), { capture: true, signal: stop.signal });
  return () => stop.abort();
}

/**
 * Gives the focus to what a key led to, where it can be seen. What the pointer led to is drawn by the browser's own
 * rule.
 */
export function focusDrawn(element: HTMLElement, options: FocusOptions = {}): void {
  element.focus(wasKey ? { ...options, focusVisible: true } : options);
}
