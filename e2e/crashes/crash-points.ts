import { type DurableCall, type DurableVerb, nameOf } from './durable-call.ts';
import type { Point } from './traced-program.ts';

/** What a change was seen to do, once under each name, and how often. */
export interface NamedCall {
  verb: DurableVerb;
  name: string;
  times: number;
}

/** Those that change a disk, in the order in which they came first. */
export function namedCalls(calls: readonly DurableCall[], folder: string): NamedCall[] {
  const named = new Map<string, NamedCall>();
  for (const call of calls) {
    if (call.verb === 'ask') continue;
    const name = nameOf(call, folder);
    const known = named.get(name) ?? { verb: call.verb, name, times: 0 };
    named.set(name, { ...known, times: known.times + 1 });
  }
  return Array.from(named.values());
}

const mostOfOne = 3;

/**
 * Where to kill: behind each call that is there once, and behind at most three of those that are there often, the first
 * and the last among them. Of writes the first: what a crash leaves of a file that is being written is a part of it,
 * however long; or so many as are asked for.
 */
export function pointsOf({ verb, name, times }: NamedCall, writesTried = 1): Point[] {
  const many = Math.min(times, verb === 'write' ? writesTried : mostOfOne);
  return Array.from({ length: many }, (_, at) => ({
    verb,
    name,
    nth: 1 + Math.round((at * (times - 1)) / Math.max(1, many - 1)),
  }));
}
