import type { Bridge } from '../../../shared/transport.ts';

/** What was asked last, by the host that it goes to. */
const latest = new WeakMap<Bridge<File>, Promise<unknown>>();

/**
 * What this desk says of samples is changed one after the other, from wherever on the page: two requests may overtake
 * each other.
 */
export function inTurn<Done>(bridge: Bridge<File>, act: () => Promise<Done>): Promise<Done> {
  const mine = (latest.get(bridge) ?? Promise.resolve()).then(act, act);
  latest.set(bridge, mine);
  return mine;
}
