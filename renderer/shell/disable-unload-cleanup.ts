/**
 * A page that is left needs no tidying. React Aria takes back what it put in place of `HTMLElement.prototype.focus`
 * (interactions, useFocusVisible.ts, `tearDownWindowFocusTracking`): with that the engine throws away all code that
 * knows an element, 50 ms of work on the way out. And a page that stays, as it does when what it went to is saved as a
 * file, lost its sense for the keyboard.
 */
export function leaveAsItIs(page: EventTarget): void {
  page.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true });
}
