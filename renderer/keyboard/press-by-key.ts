/**
 * Presses a button for a key that was pressed elsewhere. A menu is opened by a key of its own, so that it begins with
 * its first choice: the library takes a click without a pointer for a screen reader's, and then leaves the focus on the
 * menu.
 */
export function pressByKey(button: HTMLElement): void {
  if (!button.hasAttribute('aria-haspopup')) button.click();
  else button.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
}
