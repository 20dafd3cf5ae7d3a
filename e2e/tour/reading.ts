import type { Locator } from '@playwright/test';

/** Its text, on one line. Waits until it is there. */
export const said = async (where: Locator): Promise<string> => onOneLine(await where.evaluate(shownWords));

/** A button's words, without its key. */
export const named = async (button: Locator): Promise<string> => (await said(button)).replace(/ [A-Z]$/, '');

/** The current text of each of them. */
export async function allSaid(where: Locator): Promise<string[]> {
  return Promise.all((await where.all()).map(said));
}

const onOneLine = (words: string): string => words.replaceAll(/\s+/g, ' ').trim();

/** A name that may be cut is in the page as a whole, to be read out, and in two pieces, to be seen. */
function shownWords(element: HTMLElement | SVGElement): string {
  if (!(element instanceof HTMLElement)) return element.textContent ?? '';
  const pieces = [...element.querySelectorAll<HTMLElement>('bdi > [aria-hidden="true"]')];
  for (const piece of pieces) piece.style.display = 'none';
  const words = element.innerText;
  for (const piece of pieces) piece.style.removeProperty('display');
  return words;
}

/** The facts in it, as "term: description". */
export const factsOf = (where: Locator): Promise<string[]> =>
  where.locator('dt').evaluateAll((terms) => {
    const words = (element: Element | null): string =>
      [...(element?.childNodes ?? [])].map(({ textContent }) => textContent?.trim()).join(' ');
    return terms.map((term) => `${words(term)}: ${words(term.nextElementSibling)}`);
  });
