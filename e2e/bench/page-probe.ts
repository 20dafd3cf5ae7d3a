import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** Milliseconds for which the page's thread stood still, at most, since it was asked before. */
    longestStandstill(): number;
  }
}

/** A page that does nothing is looked at this often, in milliseconds: rarely enough to cost nothing. */
const everyMs = 8;

/** Watches the page's main thread from its first script on. To be called before the page is opened. */
export async function watchMainThread(page: Page): Promise<void> {
  await page.addInitScript((interval) => {
    let longest = 0;
    let since = 0;
    let looked = performance.now();
    const look = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - looked - interval);
      looked = now;
      setTimeout(look, interval);
    };
    look();
    // Tasks of 50 ms and more, in the browser's own words: a timer may come late for other reasons too, and never early.
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) if (startTime + duration > since) longest = Math.max(longest, duration);
    }).observe({ type: 'longtask', buffered: true });
    window.longestStandstill = () => {
      const told = longest;
      longest = 0;
      since = performance.now();
      return told;
    };
  }, everyMs);
}

/** Since it was asked before, in milliseconds. */
export const longestStandstill = (page: Page): Promise<number> => page.evaluate(() => window.longestStandstill());
