import type { Failure, FailureKind } from '../../shared/failure.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

const { done, hit, usage, notFound, notAllowed, service, data, refused, interrupted, failed } = exitCodes;

/** What is not named is `failed`. */
const codes: Partial<Record<FailureKind, ExitCode>> = {
  'bad-input': usage, 'unknown-operation': usage, 'no-hash': usage, 'hash-wrong-length': usage, 'comment-empty': usage,
  'comment-too-long': usage, 'password-empty': usage, 'passphrase-short': usage, 'no-export-folder': usage, 'case-too-large': usage, 'job-too-large': usage, 'draft-too-large': usage,

  'nothing-selected': notFound, 'case-empty': notFound, 'needs-md5': notFound, 'unknown-hash': notFound, 'forbidden-or-unknown': notFound, 'not-in-library': notFound, 'not-in-vault': notFound, 'vault-empty': notFound,
  'workspace-missing': notFound, 'job-missing': notFound, 'view-missing': notFound, 'comment-missing': notFound, 'no-package': notFound, 'package-missing': notFound,
  'no-rules': notFound, 'nothing-to-hunt': done, 'no-rule-files': notFound, 'rule-missing': notFound, 'file-gone': notFound, 'not-in-archive': notFound, 'archive-empty': notFound, 'staged-file-missing': notFound,

  'token-missing': notAllowed, 'token-for-other-host': notAllowed, 'token-refused': notAllowed, forbidden: notAllowed, 'secrets-locked': notAllowed,
  'passphrase-wrong': notAllowed, 'bundle-passphrase-wrong': notAllowed, 'keychain-failed': notAllowed, 'archive-password': notAllowed,

  unreachable: service, 'timed-out': service, 'not-trusted': service, 'connection-lost': service, 'action-unknown': service, 'method-refused': service,
  'request-refused': service, 'too-large-for-service': service, 'slow-down': service, 'service-failed': service, 'html-reply': service, 'empty-reply': service,
  'unreadable-reply': service, 'text-around-json': service, 'reply-too-large': service, redirected: service, 'redirect-refused': service,
  'may-have-arrived': service, 'upload-vanished': service, 'upload-unconfirmed': service, 'comment-not-arrived': service, 'service-not-set': service,
  'address-invalid': service, 'http-not-allowed': service, 'trust-file-unreadable': service, 'not-an-archive': service, 'lab-down': service, 'lab-failed': service, 'wrong-record': service,
  'scan-not-understood': service, 'host-gone': service, 'host-reply-unreadable': service,

  'disk-full': data, 'not-writable': data, 'disk-failed': data, 'data-newer': data, 'data-in-use': data, 'data-damaged': data, 'data-gone': data, 'folder-gone': data,
  'data-not-held': data, 'data-unfinished': data, 'location-damaged': data, 'secrets-damaged': data, 'vault-damaged': data, 'storage-busy': data,
  'backup-damaged': data, 'backup-kept': data, 'backup-missed': data, 'bundle-damaged': data, 'bundle-truncated': data, 'bundle-newer': data,

  'third-party-refused': refused, 'tlp-too-open': refused, 'tlp-unknown': refused, 'wrong-bytes': refused, 'sha256-contradicts': refused, 'two-samples-one-md5': refused,
  'package-has-broken': refused, 'package-removes-many': refused, 'package-pinned': refused, 'package-in-use': refused, 'bundle-not-signed': refused, 'bundle-changed': refused, 'workspace-changed': refused,
  'upload-refused': refused, 'backup-refused': refused, 'watch-refused': refused, 'export-into-watched': refused, 'move-refused': refused, 'selection-changed': refused, 'ticks-changed': refused,

  cancelled: interrupted, interrupted,
};

export const exitCodeOf = ({ kind }: Pick<Failure, 'kind'>): ExitCode => codes[kind] ?? failed;

/** In the order in which they matter to who runs a command over many things: the first that was met is told. A hit stays one whatever else failed. */
const gravest: readonly ExitCode[] = [interrupted, hit, data, notAllowed, service, refused, failed, usage, notFound];

export function gravestOf(met: readonly ExitCode[]): ExitCode {
  return gravest.find((code) => met.includes(code)) ?? exitCodes.done;
}
