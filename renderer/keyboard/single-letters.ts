/** Where a letter is text and not a key. */
const fields =
  'input, textarea, select, [contenteditable], [role=textbox], ' +
  '[role=menu], [role=listbox], [role=dialog], [role=alertdialog], [role=tree]';

export function isTyping(event: { target: EventTarget | null }): boolean {
  return event.target instanceof Element && event.target.closest(fields) !== null;
}

/** Nobody has the focus: a key is for the room that is shown. */
export const isNobodys = (target: EventTarget | null): boolean =>
  target === document.body || target === document.querySelector('main');

/** The letter a key event stands for, in lower case; null when it is text or part of another shortcut. */
export function letterOf(event: {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  target: EventTarget | null;
}): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || isTyping(event)) return null;
  return event.key.toLowerCase();
}
