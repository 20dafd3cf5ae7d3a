const letter = /\p{L}/u;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * By the first letter, as `dir="auto"` does; the browser would read a text of 100,000 characters again at each
 * keystroke.
 */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [first = ''] = letter.exec(text) ?? [];
  return rightToLeft.test(first) ? 'rtl' : 'ltr';
}
