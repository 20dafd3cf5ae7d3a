import { dirname } from 'node:path';
import { type DurableCall, placeOf } from './durable-call.ts';

/**
 * What a power cut could undo of what a program did: a file that took its name before its bytes were on the disk, and what was never brought
 * there by the end of the calls. In words, each once; empty when the order is right.
 */
export function outOfOrder(calls: readonly DurableCall[], folder: string): string[] {
  const written = new Set<string>();
  const named = new Set<string>();
  const early: string[] = [];
  for (const { verb, path, to } of calls) {
    if (verb === 'write' || verb === 'truncate') written.add(path);
    if (verb === 'make') named.add(path);
    if (verb === 'sync') {
      written.delete(path);
      for (const name of named) if (dirname(name) === path) named.delete(name);
    }
    if (verb === 'link' && written.has(path)) early.push(path);
    if (verb === 'remove' || verb === 'rename') for (const set of [written, named]) if (set.delete(path) && verb === 'rename' && set === written) early.push(path);
    if (to !== null) named.add(to);
  }
  return Array.from(new Set([
    ...early.map((path) => `${placeOf(path, folder)} got its name before it was synced`),
    ...Array.from(written, (path) => `${placeOf(path, folder)} was written and not synced`),
    ...Array.from(named, (path) => `the folder of ${placeOf(path, folder)} was not synced`),
  ]));
}
