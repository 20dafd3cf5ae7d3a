import { letterOf } from '../../keyboard/view-keys.ts';

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};
const letterSteps: Readonly<Record<string, number>> = { j: 1, k: -1 };

/**
 * Moves the focus among the buttons of a list by the keys of a list. `letters`: J and K, too. False when the key is
 * none of them.
 */
export function focusInList(list: HTMLElement, event: Parameters<typeof letterOf>[0], letters: boolean): boolean {
  const letter = letters ? letterOf(event) : null;
  const step = letter === null ? stepIn(steps, event.key) : stepIn(letterSteps, letter);
  if (step === undefined) return false;
  const buttons = [...list.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
  return true;
}

const stepIn = (table: Readonly<Record<string, number>>, key: string): number | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
