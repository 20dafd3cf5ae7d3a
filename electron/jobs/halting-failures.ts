import { type Failure, FailureError, type FailureKind } from '../../shared/failure.ts';

/** Every other item would meet it too: the job halts, and what waits keeps waiting. */
const haltingKinds: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'unreachable',
  'not-trusted',
  'token-missing',
  'token-refused',
  'token-for-other-host',
  'slow-down',
  'redirected',
  'redirect-refused',
  'method-refused',
  'trust-file-unreadable',
  'workspace-missing',
  'service-not-set',
  'address-invalid',
  'http-not-allowed',
  'lab-down',
  'lab-failed',
  'secrets-locked',
  'secrets-damaged',
  'keychain-failed',
  'disk-full',
  'not-writable',
  'disk-failed',
  'data-damaged',
  'data-gone',
  'folder-gone',
  'data-not-held',
  'worker-ended',
  'unexpected',
  'cancelled',
]);

export const isHalting = ({ kind }: Failure): boolean => haltingKinds.has(kind);

/** The failure in an error. A defect, and a failure that every other item would meet, are thrown on. */
export function ownFailure(error: unknown): Failure {
  if (!(error instanceof FailureError) || isHalting(error.failure)) throw error;
  return error.failure;
}
