import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import type { LibraryReader } from '../../storage/library-reader.ts';
import type { StepSize } from './step-size.ts';

/** What a query finds beyond so many is changed by a job: a call would last for seconds, and nobody could see how far it is. What is named are never more than 5,000. */
export const mostOfACall = 2000;

/** What the rows of a selection are known by, where a call is enough for them; else null. */
export async function fewSamples(selection: LibrarySelection, reader: Pick<LibraryReader, 'hashes'>): Promise<readonly string[] | null> {
  if (selection.kind === 'named') return [...new Set(selection.hashes)];
  const { hashes, next } = await reader.hashes({ selection, after: 0, limit: mostOfACall });
  return next === null ? hashes : null;
}

/** What cannot be undone is done to as many samples as the person was told, or to none. @throws FailureError `selection-changed` */
export function requireExpected(found: number, expected: number): void {
  if (found !== expected) fail({ kind: 'selection-changed', expected, found });
}

/** As many at a time as a step may have, the thread free between them. */
export async function* inSteps(hashes: readonly string[], size: Pick<StepSize, 'now'>): AsyncGenerator<readonly string[], void, void> {
  for (let at = 0; at < hashes.length; ) {
    const step = hashes.slice(at, at + size.now);
    at += step.length;
    yield step;
    await nextTurn();
  }
}
