import { dirname } from 'node:path';
import { type DurableCall, nameOf, placeOf } from './durable-call.ts';

/**
 * What may not be on the disk yet when a program reports that it is done: a power cut only means that it is done once
 * more.
 */
export interface Following {
  /** As `outOfOrder` reports it. */
  words: string;
  /** The name of calls before each of which all is on the disk. What is done behind the last of them may follow. */
  behind: string;
  /** How many there are, at least. */
  times: number;
}

/**
 * The same as `outOfOrder` for what ends with something that may follow, which excuses nothing that was done before.
 */
export function outOfOrderBut(
  { words, behind, times }: Following,
  calls: readonly DurableCall[],
  folder: string,
): string[] {
  const marks = calls.flatMap((call, at) => (nameOf(call, folder) === behind ? [at] : []));
  const fewer =
    marks.length < times ? [`"${behind}" came ${marks.length} times, and should have come ${times} times`] : [];
  const before = marks.flatMap((at) =>
    outOfOrder(calls.slice(0, at), folder).map((reported) => `${reported} before "${behind}"`),
  );
  return Array.from(
    new Set([...fewer, ...before, ...outOfOrder(calls, folder).filter((reported) => reported !== words)]),
  );
}

/**
 * What a power cut could undo of what a program did: a file that took its name before its bytes were on the disk, and
 * what was never brought there by the end of the calls. A file that is removed by then is none of it. In words, each
 * once; empty when the order is right.
 */
export function outOfOrder(calls: readonly DurableCall[], folder: string): string[] {
  const written = new Set<string>();
  const named = new Set<string>();
  /** By the name that was taken. */
  const early = new Map<string, string>();
  for (const { verb, path, to } of calls) {
    if (verb === 'write' || verb === 'truncate') written.add(path);
    if (verb === 'make') named.add(path);
    if (verb === 'sync') {
      written.delete(path);
      for (const name of named) if (dirname(name) === path) named.delete(name);
    }
    if (to !== null && written.has(path)) early.set(to, path);
    if (verb === 'remove' || verb === 'rename') for (const set of [written, named]) set.delete(path);
    if (verb === 'remove') early.delete(path);
    if (to !== null) named.add(to);
  }
  return Array.from(
    new Set([
      ...Array.from(early.values(), (path) => `${placeOf(path, folder)} got its name before it was synced`),
      ...Array.from(written, (path) => `${placeOf(path, folder)} was written and not synced`),
      ...Array.from(named, (path) => `the folder of ${placeOf(path, folder)} was not synced`),
    ]),
  );
}
