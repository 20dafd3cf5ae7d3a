/**
 * jsdom lays nothing out: a table in a test is 600 pixels high, about twenty rows. Imported by the tests that draw one.
 */
Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 600 });
Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 800 });
Object.defineProperty(HTMLElement.prototype, 'scrollHeight', { configurable: true, get: () => 100_000_000 });
/** A table scrolls to the row that a key leads to. */
Object.defineProperty(HTMLElement.prototype, 'scrollTo', {
  configurable: true,
  value(this: HTMLElement, { top }: { top: number }) {
    this.scrollTop = top;
    this.dispatchEvent(new Event('scroll'));
  },
});
