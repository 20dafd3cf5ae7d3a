/** The text of an element as it is read out: of a name that is drawn in two pieces once. */
export function readOut(element: Element | null | undefined): string {
  if (element === null || element === undefined) return '';
  const copy = element.cloneNode(true);
  if (!(copy instanceof Element)) return '';
  for (const drawn of copy.querySelectorAll('[aria-hidden="true"]')) drawn.remove();
  return copy.textContent;
}
