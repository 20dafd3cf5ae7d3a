/** The first such part of a view has the focus from then on. @returns false where there is none */
export function focusIn(view: HTMLElement | null, selector: string): boolean {
  const part = view?.querySelector<HTMLElement>(selector) ?? null;
  part?.focus();
  return part !== null;
}
