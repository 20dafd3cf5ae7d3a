import type { Locator } from '@playwright/test';

/** Its text, on one line. Waits until it is there. */
export const said = async (where: Locator): Promise<string> => (await where.innerText()).replaceAll(/\s+/g, ' ').trim();

/** A button's words, without its key. */
export const named = async (button: Locator): Promise<string> => (await said(button)).replace(/ [A-Z]$/, '');

/** The current text of each of them. */
export const allSaid = async (where: Locator): Promise<string[]> =>
  (await where.allInnerTexts()).map((words) => words.replaceAll(/\s+/g, ' ').trim());

/** The facts in it, as "term: description". */
export const factsOf = (where: Locator): Promise<string[]> =>
  where.locator('dt').evaluateAll((terms) => {
    const words = (element: Element | null): string =>
      [...(element?.childNodes ?? [])].map(({ textContent }) => textContent?.trim()).join(' ');
    return terms.map((term) => `${words(term)}: ${words(term.nextElementSibling)}`);
  });
