import { type RefObject, useEffect } from 'react';

/** Where the focus goes when what had it is gone: the last of these in a view, which is the one nearest to what comes next. */
const landing = '[data-landing]';

/**
 * What has the focus may leave the view: a button with the state it changed, a field with its text. Without this the
 * next Tab would begin at the top of the page.
 */
export function useKeptFocus(view: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const within = view.current;
    if (within === null) return undefined;
    let held: Element | null = within.contains(document.activeElement) ? document.activeElement : null;
    const note = ({ target }: FocusEvent): void => {
      held = target instanceof Element ? target : null;
    };
    // On its way to something else it is not lost, though what had it may be gone before it arrives.
    const noteLeaving = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget instanceof Element) held = relatedTarget;
    };
    const keep = (): void => {
      if (held === null || document.activeElement !== document.body) return;
      if (held.isConnected && !held.matches(':disabled')) return;
      // Where to may still be on its way.
      if (focusLanding(within)) held = document.activeElement;
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
  target?.focus({ preventScroll: true });
  return target !== undefined;
}
