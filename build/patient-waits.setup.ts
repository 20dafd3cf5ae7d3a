import { vi } from 'vitest';

const isPatient = Symbol.for('vitrine.waits-patiently');

/**
 * What is waited for comes late on a loaded machine. By itself `vi.waitFor` gives up after a second. Runs before each
 * file of tests, of which many share a process: once for each process, or every wait would go through as many of these
 * as there were files.
 */
if (!(isPatient in vi.waitFor)) {
  const { waitFor } = vi;
  const patient: typeof waitFor = (callback, options = {}) =>
    waitFor(callback, { timeout: 10_000, ...(typeof options === 'number' ? { timeout: options } : options) });
  vi.waitFor = Object.assign(patient, { [isPatient]: true });
}
