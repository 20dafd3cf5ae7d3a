import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';
import { letterKeyOf } from '../components/shortcut-key.ts';
import { useSettings } from '../state/settings.ts';
import { hasOpenDialog, isBehindOverlay } from './focus.ts';

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target' | 'defaultPrevented' | 'preventDefault'
> & { repeat?: boolean };

/** Moves from one place to the next: they repeat while held. Any other letter acts once. */
const movingLetters: ReadonlySet<string> = new Set(['n', 'p']);

/** A single letter presses the button that shows it: one truth for both. */
const letterButton = (letter: string): string =>
  `button[data-letter="${CSS.escape(letter.toUpperCase())}"]:not(:disabled)`;

/**
 * The single letters of a view, while they are switched on: each presses the button in it that shows the letter, and
 * `/` goes to its `[data-query]` field. Put the result on the view as `onKeyDown`; keys pressed while nothing has the
 * focus come here, too. `onOther` is for the view's keys that are no letters.
 */
export function useLetterButtons(
  view: RefObject<HTMLElement | null>,
  onOther?: (event: KeyPress) => void,
): (event: KeyPress) => void {
  const { values } = useSettings();
  const onKeyDown = (event: KeyPress): void => {
    onOther?.(event);
    const letter = letterOf(event);
    if (letter === null || event.defaultPrevented || !values.singleLetterKeys) return;
    if (event.repeat && !movingLetters.has(letter)) return;
    const target = view.current?.querySelector<HTMLElement>(letter === '/' ? '[data-query]' : letterButton(letter));
    if (!target) return;
    event.preventDefault();
    if (letter === '/') target.focus();
    else pressInPlace(target);
  };
  useUnfocusedKey(onKeyDown);
  return onKeyDown;
}

/**
 * The focus stays where the letter was typed: what the button opens returns the focus there, and not to a button that
 * was not focused.
 */
export function pressInPlace(button: HTMLElement): void {
  const before = document.activeElement;
  pressByKey(button);
  if (document.activeElement === button && before instanceof HTMLElement) before.focus({ preventScroll: true });
}

/** Where a letter is text and not a key. */
const fields =
  'input, textarea, select, [contenteditable], [role=textbox], ' +
  '[role=menu], [role=listbox], [role=dialog], [role=alertdialog], [role=tree]';

export function isTyping(event: { target: EventTarget | null }): boolean {
  return event.target instanceof Element && event.target.closest(fields) !== null;
}

/**
 * Whether what arrives late may take the focus: the person neither writes elsewhere by now, in the palette or in a
 * note, nor has anything open above it. The field of the view itself is where the wait began.
 */
export function mayTakeFocus(element: Element): boolean {
  if (isBehindOverlay(element)) return false;
  const { activeElement } = document;
  if (activeElement === null || !isTyping({ target: activeElement })) return true;
  if (activeElement.closest('main') === null) return activeElement.getAttribute('aria-expanded') !== 'true';
  return activeElement.closest('[role=search]') !== null;
}

/** Nothing has the focus: a key is for the view that is shown. */
const isUnfocused = (target: EventTarget | null): boolean =>
  target === document.body || target === document.querySelector('main');

/** The letter of a key event, in lower case; null when it is text or part of another shortcut. */
export function letterOf(event: {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  target: EventTarget | null;
}): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || isTyping(event)) return null;
  return letterKeyOf(event);
}

/**
 * The focused element may be gone, a button with its job or a row with its view: then nothing has the focus, and the
 * keys of the shown view still work. They work from the moment it is shown: a listener added after drawing would lose a
 * key that is pressed at once.
 */
export function useUnfocusedKey(onKey: (event: KeyboardEvent) => void): void {
  const onUnfocusedKey = useEffectEvent((event: KeyboardEvent) => {
    if (isUnfocused(event.target)) onKey(event);
  });
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => onUnfocusedKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/**
 * Presses a button for a key that was pressed elsewhere. A menu is opened by a key of its own, so that it begins with
 * its first choice: the library takes a click without a pointer for a screen reader's, and then leaves the focus on the
 * menu.
 */
export function pressByKey(button: HTMLElement): void {
  if (!button.hasAttribute('aria-haspopup')) button.click();
  else button.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
}

/**
 * Ctrl Enter anywhere in the view, or while nothing has the focus, as after a list that closed: not in a dialog, which
 * is drawn elsewhere on the page. Heard before a button that has the focus takes it for a press.
 */
export function useSendKey(send: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isInView(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    send();
  });
  // From the moment the view is shown: heard only after it was drawn, a key that is pressed at once would be lost.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}

function isInView(target: EventTarget | null): boolean {
  if (isUnfocused(target)) return !hasOpenDialog();
  return target instanceof Element && target.closest('main') !== null;
}
