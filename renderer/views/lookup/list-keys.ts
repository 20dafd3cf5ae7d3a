const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

/** Moves the focus among the buttons of a list by the keys of a list. False when the key is none of them. */
export function focusInList(list: HTMLElement, key: string): boolean {
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined) return false;
  const buttons = [...list.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
  return true;
}
