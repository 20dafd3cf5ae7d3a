import type { Failure } from '../../shared/failure.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';

/** What happened, and why or what to do. */
export function reasonOf(failure: Failure): string {
  const { what, then } = sentenceFor(failure);
  return `${what}. ${then}`;
}
