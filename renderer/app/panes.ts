const focusable = 'a[href], button:not(:disabled, [tabindex="-1"]), input:not(:disabled), select, textarea, [tabindex="0"]';

/** Moves the focus to the first thing in the next pane (`data-pane`), round and round. */
export function focusNextPane(step: 1 | -1): boolean {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) => pane.getClientRects().length > 0);
  if (panes.length === 0) return false;
  const at = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(Math.max(at, step > 0 ? -1 : 0) + step + panes.length) % panes.length];
  if (next) focusInto(next);
  return true;
}

function focusInto(pane: HTMLElement): void {
  const first = [...pane.querySelectorAll<HTMLElement>(focusable)].find((element) => element.getClientRects().length > 0);
  if (first) return first.focus();
  pane.tabIndex = -1;
  pane.focus();
}
