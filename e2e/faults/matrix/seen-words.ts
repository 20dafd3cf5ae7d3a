import { sentenceFor } from '../../../shared/failure-sentences.ts';
import type { Failure } from '../../../shared/failure.ts';

/** The kind of a failure, with what distinguishes two of a kind. */
export function failureWords(failure: Failure | null): string | null {
  if (failure === null) return null;
  if ('reason' in failure) return `${failure.kind} (${failure.reason})`;
  if ('phase' in failure) return `${failure.kind} (${failure.phase})`;
  return failure.kind;
}

/**
 * What a person reads, without what is another at each run: addresses, hashes, counts of bytes, and how a reply began.
 */
export function sentenceWords(failure: Failure | null): string {
  if (failure === null) return '';
  const { what, then } = sentenceFor(failure);
  return (
    `${what}. ${then}`
      .replace(/Response starts with: .*/s, 'Response starts with: …')
      .replaceAll(/https?:\/\/127\.0\.0\.1:\d+/g, 'https://…')
      .replaceAll(/\b[0-9a-f]{64}\b/g, 'SHA-256')
      .replaceAll(/\b[0-9a-f]{32}\b/g, 'MD5')
      .replaceAll(/\([0-9a-f]{12}\)/g, '(…)')
      .replaceAll(/[\d,]+ bytes?\b/g, '… bytes')
      // The codes for an unknown host name, with and without a network.
      .replaceAll(/\((?:ENOTFOUND|EAI_AGAIN)\)/g, '(ENOTFOUND or EAI_AGAIN)')
      .trim()
  );
}

/** Requests as they reached the service, by action, in the order of the first of each. */
export function requestWords(requests: readonly string[]): string {
  const all = Map.groupBy(requests, (action) => action);
  return all.size === 0 ? 'none' : Array.from(all, ([action, { length }]) => `${action} ${length}`).join(', ');
}
