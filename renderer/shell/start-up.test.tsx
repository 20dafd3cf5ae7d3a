import '../test/page-surroundings.ts';
import { expect, test, vi } from 'vitest';
import { disableUnloadCleanup } from './start-up.ts';

test('disableUnloadCleanup blocks cleanup on beforeunload, and other page events are still handled', () => {
  const tidy = vi.fn();
  window.addEventListener('beforeunload', tidy, { once: true });
  window.addEventListener('pagehide', tidy);
  disableUnloadCleanup(window);
  window.dispatchEvent(new Event('beforeunload'));
  expect(tidy).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('pagehide'));
  expect(tidy).toHaveBeenCalledTimes(1);
});
