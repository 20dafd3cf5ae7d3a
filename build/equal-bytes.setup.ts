import { expect } from 'vitest';

/**
 * Before each file of tests: bytes are equal as Node compares them. Compared as lists, three megabytes take a second.
 */
expect.addEqualityTesters([
  (one, other) => (Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined),
]);
