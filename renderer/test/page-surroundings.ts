/** What jsdom does not have and the page asks for. Imported by the tests that draw the page. */
Object.defineProperty(window, 'matchMedia', {
  configurable: true,
  value: (query: string) => ({ matches: false, media: query, addEventListener: () => {}, removeEventListener: () => {} }),
});
Object.defineProperty(window, 'CSS', { configurable: true, value: { escape: (text: string) => text } });
