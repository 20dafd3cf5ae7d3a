import fc from 'fast-check';

/** Runs a property on as many inputs as said; a failing one prints the seed with which it runs again. */
export function forAny<Ts extends [unknown, ...unknown[]]>(arbitraries: { [K in keyof Ts]: fc.Arbitrary<Ts[K]> }, property: (...values: Ts) => void, numRuns = 300): void {
  fc.assert(fc.property(...arbitraries, property), { numRuns });
}
