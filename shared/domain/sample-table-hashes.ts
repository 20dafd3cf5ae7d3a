import type { FoundHash, HashKind } from './hash-kinds.ts';
import type { ToldSample } from './sample-table-sample.ts';

const strongestFirst: readonly HashKind[] = ['sha256', 'sha1', 'md5'];

/** The strongest hash that is known of a sample; null when none is. */
export function bestHash(sample: ToldSample): FoundHash | null {
  for (const kind of strongestFirst) {
    const value = sample[kind];
    if (value !== null) return { kind, value };
  }
  return null;
}
