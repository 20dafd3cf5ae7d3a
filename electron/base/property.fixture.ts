import { Buffer } from 'node:buffer';
import fc from 'fast-check';

/**
 * A time limit in milliseconds for a test that computes a lot: it is there to end a hang, not to judge a busy machine.
 */
export const whenBusy = 60_000;

/** Runs a property on as many inputs as said; a failing one prints the seed with which it runs again. */
export function forAny<Ts extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof Ts]: fc.Arbitrary<Ts[K]> },
  property: (...values: Ts) => void,
  numRuns = 150,
): void {
  fc.assert(fc.property(...arbitraries, property), { numRuns });
}

/** Any text, halves of pairs among it. Made of bytes: fast-check's own arbitrary for it takes seconds to set up. */
export const anyText = fc.oneof(
  fc.string(),
  fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString('utf16le')),
);
