const focusable =
  'a[href], button:not(:disabled, [tabindex="-1"]), input:not(:disabled), select, textarea, [tabindex="0"]';

/** Moves the focus to the first thing in the next pane (`data-pane`), round and round. */
export function focusNextPane(step: 1 | -1): boolean {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
    (pane) => pane.getClientRects().length > 0,
  );
  const here = panes.findLast((pane) => pane.contains(document.activeElement));
  const order = step > 0 ? panes : panes.toReversed();
  const at = here === undefined ? -1 : order.indexOf(here);
  const next = [...order.slice(at + 1), ...order.slice(0, at + 1)].find(isPlace);
  if (next) focusInto(next);
  return next !== undefined;
}

/** A pane around others is none where it begins with one of them: back from that one, it would lead to it again. */
function isPlace(pane: HTMLElement): boolean {
  const first = firstIn(pane);
  return first === undefined ? pane.querySelector('[data-pane]') === null : first.closest('[data-pane]') === pane;
}

function focusInto(pane: HTMLElement): void {
  const first = firstIn(pane);
  if (first) return first.focus();
  pane.tabIndex = -1;
  pane.focus();
}

const firstIn = (pane: HTMLElement): HTMLElement | undefined =>
  [...pane.querySelectorAll<HTMLElement>(focusable)].find((element) => element.getClientRects().length > 0);
