/**
 * The page has a scheme of its own instead of `file:`, which would give it an origin shared with every file on the
 * disk. The deep-link scheme `vitrine:` is another one: no link from outside can address the page.
 */
export const pageScheme = 'vitrine-page';
const pageHost = 'vitrine';
export const pageAddress = `${pageScheme}://${pageHost}/`;

/** Whether an address is one of our own page. Not by `origin`: that is "null" for every scheme Node does not know. */
export function isPageAddress(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    url.protocol === `${pageScheme}:` &&
    url.host === pageHost &&
    url.username === '' &&
    url.password === ''
  );
}
