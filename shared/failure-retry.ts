import type { Failure, FailureKind } from './failure.ts';

/**
 * Whether the very same request may come out otherwise: by itself, because a service, the network or the disk is well again,
 * or once what the sentence asks for was done elsewhere. Where not, the request has to be another, or what it was about is gone.
 * Exhaustive: a new kind does not compile without its answer.
 */
const mayHelp: Readonly<Record<FailureKind, boolean>> = {
  'bad-input': false, 'unknown-operation': false, unexpected: true, cancelled: true, 'host-gone': true, 'host-reply-unreadable': true, 'body-too-large': false, 'sender-refused': false,
  // A new link helps, and with it the page reads everything anew.
  'session-missing': false, 'session-refused': false, 'link-used': false,
  'staged-file-missing': false, 'export-gone': false,

  'no-hash': false, 'hash-wrong-length': false, 'needs-md5': false, 'address-invalid': false, 'http-not-allowed': true, 'password-empty': false,

  unreachable: true, 'timed-out': true, 'not-trusted': true, 'connection-lost': true, 'trust-file-unreadable': true,

  'token-missing': true, 'token-for-other-host': true, 'token-refused': true, forbidden: true, 'forbidden-or-unknown': true, 'unknown-hash': true,
  'action-unknown': false, 'method-refused': true, 'request-refused': true, 'too-large-for-service': false, 'slow-down': true, 'service-failed': true,
  'html-reply': true, 'empty-reply': true, 'unreadable-reply': true, 'text-around-json': true, 'reply-too-large': false, redirected: true, 'redirect-refused': true,
  // What may have been accepted is looked up, never sent twice.
  'may-have-arrived': false, 'upload-unconfirmed': false,
  'upload-refused': false, 'upload-vanished': true, 'comment-not-arrived': true,

  'wrong-bytes': true, 'sha256-contradicts': true, 'wrong-record': true, 'two-samples-one-md5': false,
  'file-gone': false, 'file-changed': false, 'file-unreadable': true, 'file-empty': false, 'upload-file-missing': false, 'draft-too-large': true, 'draft-busy': true,
  'comment-too-long': false, 'comment-empty': false, 'comment-missing': false, 'third-party-refused': false,

  'archive-damaged': true, 'archive-limit': false, 'archive-password': false, 'archive-empty': false, 'archive-name-refused': false, 'archive-unsupported': false, 'archive-truncated': true,
  'archive-duplicate': false, 'archive-entry-unasked': false, 'not-in-archive': true, 'not-an-archive': true,
  'package-unreadable': false, 'package-too-large': false, 'package-missing': false, 'package-in-use': true, 'package-has-broken': false, 'package-removes-many': false, 'no-rule-files': false, 'package-pinned': true, 'no-package': true,
  'check-busy': true, 'rule-missing': false, 'mute-missing': false, 'mute-changed': false, 'rule-broken': false,
  'scan-timed-out': true, 'scan-memory': true, 'scan-too-large': false, 'scan-engine-failed': true, 'scan-rule-left-out': false, 'scan-variables-unknown': false, 'native-engine-missing': false, 'native-engine-refused': false,
  'scan-not-understood': true, 'no-rules': false, 'nothing-to-hunt': false, 'vault-empty': true, 'scan-file-missing': false,

  'disk-full': true, 'not-writable': true, 'disk-failed': true, 'worker-ended': true, 'data-newer': false, 'data-in-use': true, 'data-damaged': false, 'data-gone': true, 'folder-gone': true, 'data-not-held': false, 'data-unfinished': false, 'location-damaged': false, 'move-refused': true, 'port-busy': true,
  'lab-down': true, 'lab-failed': true, 'not-in-vault': true, 'vault-damaged': true, 'not-in-library': true, 'workspace-missing': false, 'workspace-built-in': false, 'workspace-changed': false, 'service-not-set': false,
  'no-export-folder': true, interrupted: true, 'job-missing': false, 'job-state': false, 'job-too-large': false, 'nothing-selected': true, 'nothing-to-undo': false,
  'selection-changed': false, 'ticks-changed': false, 'view-missing': false, 'view-name-taken': true, 'too-many-views': true, 'storage-busy': true,

  'case-empty': true, 'case-too-large': false, 'sample-too-large': false, 'tlp-too-open': false, 'tlp-unknown': false, 'bundle-unknown': false, 'bundle-newer': false, 'bundle-damaged': false, 'bundle-truncated': false,
  'bundle-passphrase-wrong': false, 'bundle-not-signed': false, 'bundle-not-ready': false, 'bundle-changed': false, 'bundle-contradicts': false, 'bundle-note-full': true, 'bundle-cut': false, 'comment-of-bundle': false, 'backup-refused': true, 'backup-damaged': false, 'backup-kept': false, 'backup-missed': false,
  'watch-refused': true, 'watch-too-many': true, 'watch-file-too-large': false, 'no-active-rules': false, 'export-into-watched': true, 'folder-not-named': false,

  'secrets-locked': true, 'passphrase-wrong': false, 'passphrase-short': false, 'secrets-damaged': false, 'keychain-failed': true,
};

export const canBeRetried = ({ kind }: Failure): boolean => mayHelp[kind];
