import fc from 'fast-check';
import { it } from 'vitest';

export { fc };

/** Property tests in Vitest's clothes. Each is run on a few hundred inputs; a failing one prints the seed to run it again. */
export const test = {
  prop:
    <Ts extends [unknown, ...unknown[]]>(arbitraries: { [K in keyof Ts]: fc.Arbitrary<Ts[K]> }) =>
    (name: string, property: (...values: Ts) => void): void => {
      it(name, () => fc.assert(fc.property(...arbitraries, property), { numRuns: 300 }));
    },
};
