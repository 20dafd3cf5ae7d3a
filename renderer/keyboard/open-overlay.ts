/** What has the keys while it is open, wherever the focus is at that moment: the palette's list is one of them. */
const overlays = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/**
 * Whether something is open above it: then the focus is not brought to it. What comes late would take it from who has
 * gone on there.
 */
export const isBehindOverlay = (element: Element): boolean =>
  [...document.querySelectorAll(overlays)].some((overlay) => !overlay.contains(element));

export const hasOpenDialog = (): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
