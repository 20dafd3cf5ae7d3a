import { vi } from 'vitest';

/** Before each file of tests: what is waited for comes late on a loaded machine. By itself `vi.waitFor` gives up after a second. */
const { waitFor } = vi;
vi.waitFor = (callback, options = {}) => waitFor(callback, { timeout: 10_000, ...(typeof options === 'number' ? { timeout: options } : options) });
