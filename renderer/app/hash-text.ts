import { findHashes, type FoundHash } from '../../shared/domain/hash.ts';
import type { Failure } from '../../shared/failure.ts';

/** What a text is for the look-up. `rejected` are the lengths of the runs that looked meant as a hash. */
export type HashTextVerdict =
  | { kind: 'empty' }
  | { kind: 'none'; failure: Failure; rejected: number[] }
  | { kind: 'one'; hash: FoundHash; rejected: number[] }
  | { kind: 'several'; found: FoundHash[]; rejected: number[] };

export function readHashText(text: string): HashTextVerdict {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty' };
  const { found, wrongLengths: rejected } = findHashes(trimmed);
  const [first] = found;
  if (first === undefined) return { kind: 'none', failure: whyNone(trimmed, rejected), rejected };
  return found.length === 1 ? { kind: 'one', hash: first, rejected } : { kind: 'several', found, rejected };
}

/** Text that is nothing but hex digits was meant as a hash, however short or long it is. */
function whyNone(trimmed: string, rejected: readonly number[]): Failure {
  const length = /^[0-9a-f]+$/i.test(trimmed) ? trimmed.length : rejected[0];
  return length === undefined ? { kind: 'no-hash' } : { kind: 'hash-wrong-length', length };
}

/** A field of one line drops line breaks on paste, which would glue hashes together: they become spaces. */
export function onOneLine(pasted: string): string {
  return pasted.replace(/\s+/g, ' ').trim();
}
