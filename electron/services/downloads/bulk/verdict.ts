import type { ItemState } from '../../../../shared/domain/job.ts';
import type { Failure, FailureKind } from '../../../../shared/failure.ts';
import type { KeptSample } from '../sound-copy.ts';

/** What became of a sample. `kept` are the bytes that are here now. */
export interface Verdict {
  state: Exclude<ItemState, 'waiting'>;
  failure: Failure | null;
  kept: KeptSample | null;
}

/** The list as it is cannot be had: one or some of its hashes may be why, or its length. */
const refusingKinds: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'forbidden',
  'forbidden-or-unknown',
  'unknown-hash',
  'request-refused',
  'too-large-for-service',
  'service-failed',
  'html-reply',
  'empty-reply',
  'unreadable-reply',
  'text-around-json',
  'not-an-archive',
  'reply-too-large',
  'archive-limit',
]);

/** Met in the middle of an entry, they say nothing of its sample: the archive came no further. */
const endingKinds: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'connection-lost',
  'timed-out',
  'archive-truncated',
  'archive-limit',
]);

const stateOfKind: Partial<Record<FailureKind, Verdict['state']>> = {
  'unknown-hash': 'unknown',
  forbidden: 'forbidden',
  'forbidden-or-unknown': 'forbidden',
  'wrong-bytes': 'mismatch',
  'sha256-contradicts': 'mismatch',
  'wrong-record': 'mismatch',
  'two-samples-one-md5': 'mismatch',
};

export const isRefusing = ({ kind }: Failure): boolean => refusingKinds.has(kind);
export const isEnding = ({ kind }: Failure): boolean => endingKinds.has(kind);

/** A clear answer about what was asked for: the service is at work. */
export const isAboutHashes = ({ kind }: Failure): boolean =>
  kind === 'forbidden' || kind === 'forbidden-or-unknown' || kind === 'unknown-hash';

/** The outcome of one sample that a failure means. */
export function verdictOf(failure: Failure): Verdict {
  return { state: stateOfKind[failure.kind] ?? 'failed', failure, kept: null };
}
