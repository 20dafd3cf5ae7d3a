import { configure } from '@testing-library/react';

// What a test waits for comes in the end: how soon is the load of the machine, not of the page.
configure({ asyncUtilTimeout: 20_000 });

/** What jsdom does not have and the page asks for. Imported by the tests that draw the page. */
Object.defineProperty(window, 'matchMedia', {
  configurable: true,
  value: (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }),
});
Object.defineProperty(window, 'CSS', { configurable: true, value: { escape: (text: string) => text } });
Object.defineProperty(window, 'requestIdleCallback', {
  configurable: true,
  value: (work: () => void) => setTimeout(work),
});
Object.defineProperty(Element.prototype, 'scrollIntoView', { configurable: true, writable: true, value: () => {} });
