import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LibrarySelection, mostNotedAtOnce } from '../../../shared/domain/library.ts';
import type { LibraryReader } from '../../storage/library/library-reader.ts';

/**
 * A job changes what a query finds beyond so many: a call would last for many seconds, and show no progress. As many
 * are changed by a call as the page remembers for an Undo; to forget takes longer, and has none. What is named is
 * changed and forgotten by a call: at most 5,000. A note has no Undo, and a call has it in one step.
 */
export const mostOfACall = { change: 5000, forget: 2000, note: mostNotedAtOnce };

/** What the rows of a selection are known by, where they are not more than `most` of a query; else null. */
export async function fewSamples(
  selection: LibrarySelection,
  reader: Pick<LibraryReader, 'hashes'>,
  most: number,
): Promise<readonly string[] | null> {
  if (selection.kind === 'named') return [...new Set(selection.hashes)];
  const { hashes, next } = await reader.hashes({ selection, after: 0, limit: most });
  return next === null ? hashes : null;
}

/** As many at a time as a step may have, the thread free between them. */
export async function* inSteps(
  hashes: readonly string[],
  size: Pick<StepSize, 'now'>,
): AsyncGenerator<readonly string[], void, void> {
  for (let at = 0; at < hashes.length;) {
    const step = hashes.slice(at, at + size.now);
    at += step.length;
    yield step;
    await nextTurn();
  }
}

/** Samples that are changed before the thread is free again, at most. */
export const changedATurn = 50;

/** Milliseconds of the host's thread: below, the next step may be larger; above, it must be smaller. */
const shortMs = 4;
const longMs = 15;

/**
 * How many samples one step takes on, by how long the step before took: one may have a thousand comments, and a million
 * none.
 */
export class StepSize {
  readonly #most: number;
  #now = 1;

  constructor(most: number) {
    this.#most = most;
  }

  get now(): number {
    return this.#now;
  }

  /** Does a step of that size. */
  step<T>(work: () => T): T {
    const began = performance.now();
    try {
      return work();
    } finally {
      const took = performance.now() - began;
      if (took < shortMs) this.#now = Math.min(2 * this.#now, this.#most);
      else if (took > longMs) this.#now = Math.max(1, Math.floor((this.#now * shortMs) / took));
    }
  }
}
