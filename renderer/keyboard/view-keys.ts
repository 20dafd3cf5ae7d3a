import type { RefObject } from 'react';
import { useSettings } from '../state/settings.ts';
import { pressByKey } from './press-by-key.ts';
import { letterOf } from './single-letters.ts';
import { useKeyOfNobody } from './use-key-of-nobody.ts';

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target' | 'defaultPrevented' | 'preventDefault'
> & { repeat?: boolean };

/** From one place to the next: they go on while they are held. Whatever else a letter does is meant once. */
const movingLetters: ReadonlySet<string> = new Set(['n', 'p']);

/** A single letter presses the button that shows it: one truth for both. */
const letterButton = (letter: string): string =>
  `button[data-letter="${CSS.escape(letter.toUpperCase())}"]:not(:disabled)`;

/**
 * The single letters of a view, while they are switched on: each presses the button in it that shows the letter, and
 * `/` goes to its `[data-query]` field. Put what it gives on the view as `onKeyDown`; keys that nobody has come here,
 * too. `onOther` is for what the view makes of keys that are no letters.
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
    else press(target);
  };
  useKeyOfNobody(onKeyDown);
  return onKeyDown;
}

/**
 * The focus stays where the letter was typed: what the button opens gives it back to there, and not to a button that
 * nobody was at.
 */
function press(button: HTMLElement): void {
  const before = document.activeElement;
  pressByKey(button);
  if (document.activeElement === button && before instanceof HTMLElement) before.focus({ preventScroll: true });
}
