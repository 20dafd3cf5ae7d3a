import { type RefObject, useLayoutEffect } from 'react';

/**
 * Where the focus goes when what had it is gone: the last of these in a view, which is the one nearest to what comes
 * next.
 */
const landing = '[data-landing]';

/**
 * What has the focus may leave the view: a button with the state it changed, a field with its text. Without this the
 * next Tab would begin at the top of the page.
 */
export function useKeptFocus(view: RefObject<HTMLElement | null>): void {
  // Before it is drawn: what a quick hand is at may be gone by then.
  useLayoutEffect(() => {
    const within = view.current;
    if (within === null) return undefined;
    let held: Element | null = within.contains(document.activeElement) ? document.activeElement : null;
    let floated = false;
    const note = ({ target }: FocusEvent): void => {
      held = target instanceof Element ? target : null;
      floated = false;
    };
    // On its way to something else it is not lost, though what had it may be gone before it arrives.
    const noteLeaving = ({ relatedTarget }: FocusEvent): void => {
      if (!(relatedTarget instanceof Element)) return;
      held = relatedTarget;
      floated = !within.contains(relatedTarget);
    };
    const isLost = (): boolean =>
      held !== null && document.activeElement === document.body && (!held.isConnected || held.matches(':disabled'));
    const land = (): void => {
      // Where to may still be on its way.
      if (isLost() && !isBehindOverlay(within) && focusLanding(within)) held = document.activeElement;
    };
    // What floated above the page gives the focus back to where it came from, with the next frame.
    const keep = (): void => {
      if (isLost() && floated) requestAnimationFrame(() => requestAnimationFrame(land));
      else land();
    };
    const watch = new MutationObserver(keep);
    within.addEventListener('focusin', note);
    within.addEventListener('focusout', noteLeaving);
    watch.observe(within, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      within.removeEventListener('focusin', note);
      within.removeEventListener('focusout', noteLeaving);
      watch.disconnect();
    };
  }, [view]);
}

/** False when there is none. */
export function focusLanding(within: HTMLElement): boolean {
  const target = [...within.querySelectorAll<HTMLElement>(landing)].at(-1);
  if (target !== undefined) focusDrawn(target, { preventScroll: true });
  return target !== undefined;
}

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

/** What has the keys while it is open, wherever the focus is at that moment: the palette's list is one of them. */
const overlays = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/**
 * Whether an overlay covers it: then it gets no focus. Late content would take the focus from a person who continued in
 * the overlay.
 */
export const isBehindOverlay = (element: Element): boolean =>
  [...document.querySelectorAll(overlays)].some((overlay) => !overlay.contains(element));

export const hasOpenDialog = (): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
