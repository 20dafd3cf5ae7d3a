import { type Failure, failureKinds, readFailure } from './failure.ts';

const service = 'repository' as const;
const address = 'https://lab.example/api.php';
const md5 = '0'.repeat(32);
const sha256 = '0'.repeat(64);

/** One of each kind: the list does not compile with a kind missing. */
const examples: { [K in Failure['kind']]: Omit<Extract<Failure, { kind: K }>, 'kind'> } = {
  'bad-input': { operation: 'samples.lookup', issues: [{ path: 'hash', message: 'an MD5' }] },
  'unknown-operation': { name: 'a.b' }, unexpected: { id: 'id' }, cancelled: {}, 'host-gone': {},
  'body-too-large': { limitBytes: 1 }, 'sender-refused': { reason: 'host' }, 'session-missing': {}, 'session-refused': {},
  'link-used': {}, 'staged-file-missing': { id: 'x' }, 'host-reply-unreadable': { operation: 'host.describe' }, 'export-gone': {},
  'no-hash': {}, 'hash-wrong-length': { length: 31 }, 'needs-md5': { hash: sha256 },
  'address-invalid': { reason: 'scheme' }, 'http-not-allowed': { host: 'a.example' }, 'password-empty': {},
  unreachable: { service, address, reason: 'refused', code: 'ECONNREFUSED' },
  'timed-out': { service, address, phase: 'idle', seconds: 60 },
  'not-trusted': { service, address, reason: 'pin', fingerprint: sha256, code: 'X' },
  'connection-lost': { service, address, receivedBytes: 1, expectedBytes: 2 },
  'trust-file-unreadable': { path: 'ca.pem', code: 'X' }, 'token-missing': { service }, 'token-for-other-host': { service },
  'token-refused': { service, address, status: 401 }, forbidden: { service, address, status: 403, text: 'no' },
  'forbidden-or-unknown': { service, address, status: 403, hash: md5 }, 'unknown-hash': { service, hash: md5 },
  'action-unknown': { service, address, action: 'getfile' }, 'method-refused': { service, address, action: 'getfile' },
  'request-refused': { service, address, status: 400, text: 'no' }, 'too-large-for-service': { service, address, status: 413 },
  'slow-down': { service, address, retryAfterSeconds: 3 }, 'service-failed': { service, address, status: 500, text: '' },
  'html-reply': { service, address, status: 200, text: '<html>' }, 'empty-reply': { service, address, status: 200 },
  'unreadable-reply': { service, address, status: 200, text: '{' }, 'text-around-json': { service, address, status: 200, text: 'Warning' },
  'reply-too-large': { service, address, limitBytes: 1 }, redirected: { service, address, status: 302, target: address },
  'redirect-refused': { service, target: address, reason: 'downgrade' }, 'may-have-arrived': { service, address, action: 'addcomment' },
  'upload-refused': { service, address, text: 'File is too small' }, 'upload-vanished': { service, address, sent: 2, items: 1, isArchive: false }, 'wrong-bytes': { md5, actualMd5: md5, sizeBytes: 1 },
  'sha256-contradicts': { md5, recordedSha256: sha256, actualSha256: sha256 }, 'wrong-record': { service, address, md5, recordMd5: md5 }, 'two-samples-one-md5': { md5, sha256s: [sha256] },

  'upload-unconfirmed': { service, address }, 'comment-not-arrived': { service, address }, 'file-gone': { name: 'a' }, 'file-changed': { name: 'a' }, 'file-unreadable': { name: 'a', code: 'EACCES' }, 'file-empty': { name: 'a' },
  'upload-file-missing': { id: 1 }, 'draft-too-large': { limit: 1 }, 'draft-busy': { files: 1 }, 'comment-too-long': { limit: 1 }, 'comment-empty': {},
  'comment-missing': { id: 1 }, 'third-party-refused': { tlp: 'TLP:RED', receiver: 'VirusTotal' }, 'archive-damaged': { name: 'a.zip', reason: 'cut off' },
  'archive-limit': { name: 'a.zip', limit: 'members', value: 10_000 }, 'archive-password': { name: 'a.zip' }, 'archive-empty': { name: 'a.zip' },
  'archive-name-refused': { name: '../x', reason: 'dotted' }, 'archive-unsupported': { name: 'a.zip', feature: 'compression 12' },
  'archive-truncated': { name: 'a.zip', receivedBytes: 1 }, 'archive-duplicate': { name: md5 }, 'archive-entry-unasked': { name: md5 },
  'not-in-archive': { md5 }, 'not-an-archive': { service, address, status: 200, text: '<html>' }, 'package-unreadable': { sha256, text: '' },
  'package-too-large': { limitBytes: 1024 }, 'package-missing': { sha256 }, 'package-in-use': { version: '1.3' }, 'package-has-broken': { version: '1.4', broken: 1 }, 'package-removes-many': { version: '1.4', removed: 300, rules: 1000 }, 'no-rule-files': { leftOut: 312 },
  'package-pinned': { version: '1.3' }, 'no-package': {}, 'check-busy': {}, 'rule-missing': { name: 'a' }, 'mute-missing': { id: 1 }, 'mute-changed': {},
  'rule-broken': { file: 'a.yar', line: 3, text: 'syntax' }, 'scan-timed-out': { name: 'a', seconds: 5 },
  'scan-memory': { name: 'a', mebibytes: 2048 }, 'scan-too-large': { name: 'a', sizeBytes: 2, limitBytes: 1 }, 'scan-engine-failed': { engine: 'YARA-X', text: 'x' },
 'scan-rule-left-out': { rule: 'endless_loop', reason: 'endless' },
 'scan-variables-unknown': { variables: ['filepath', 'owner'], rules: 3, of: 'vault' },
 'native-engine-missing': { text: 'no build for this machine' },
 'native-engine-refused': { text: 'E009: unknown identifier' },
 'scan-not-understood': { service: 'rule-editor', address: 'https://rules.example/api.php' },
 'scan-file-missing': { job: 7, position: 3 }, 'no-rules': {}, 'nothing-to-hunt': {}, 'vault-empty': {},
  'case-empty': {}, 'case-too-large': { found: 20_000, limit: 10_000 }, 'sample-too-large': { sha256: 'c'.repeat(64), sizeBytes: 209_715_200, limitBytes: 104_857_600 }, 'tlp-too-open': { tlp: 'TLP:GREEN', strictest: 'TLP:RED' }, 'tlp-unknown': { samples: 3 },
  'bundle-unknown': { name: 'a.vitrine-bundle' }, 'bundle-newer': { found: 2, supported: 1 }, 'bundle-damaged': { atByte: 65_536 }, 'bundle-truncated': { receivedBytes: 1024 },
  'bundle-passphrase-wrong': {}, 'bundle-not-signed': {}, 'bundle-not-ready': {}, 'bundle-changed': { name: 'a.vitrine-bundle' },
  'bundle-contradicts': { hash: 'c'.repeat(64) }, 'bundle-note-full': { sha256: 'c'.repeat(64) }, 'bundle-cut': { hash: 'c'.repeat(64) }, 'comment-of-bundle': {},
  'backup-refused': { path: '/backup', reason: 'not-empty' }, 'backup-damaged': { path: '/backup', files: ['vitrine.db'], count: 1 }, 'backup-kept': { sha256 }, 'backup-missed': { sha256 },
  'watch-refused': { path: '/watched', reason: 'inside-data' }, 'watch-too-many': { path: '/watched', limit: 100_000 }, 'watch-file-too-large': { name: 'disk.img', sizeBytes: 5_000_000_000, limitBytes: 4_294_967_296 },
  'no-active-rules': {}, 'export-into-watched': { path: '/watched' },
  'folder-not-named': {},
  'disk-full': { path: '/data' }, 'not-writable': { path: '/data', code: 'EACCES' }, 'disk-failed': { path: '/data', code: 'EIO' },
  'worker-ended': { task: 'storing a sample', code: 'ERR_WORKER_OUT_OF_MEMORY' },
  'data-newer': { path: '/data', found: 2, supported: 1 }, 'data-in-use': { path: '/data' }, 'data-damaged': { path: '/data', code: 'X' }, 'data-gone': { path: '/data' }, 'folder-gone': { path: '/data/vault' }, 'data-not-held': { path: '/data/lock.db' },
  'data-unfinished': { path: '/disk/data' }, 'location-damaged': { path: '/home/Vitrine-location.json' }, 'move-refused': { path: '/disk/data', reason: 'not-empty' },
  'port-busy': { port: 1 }, 'lab-down': { restarts: 2 },
  'lab-failed': { attempts: 6, end: 'exit code 1', text: 'Error: no disk', lastWords: 'Error: no disk\n    at file:///lab.js:1:1', log: '/data/logs/vitrine.log' },
  'not-in-vault': { sha256 }, 'vault-damaged': { sha256 },
  'not-in-library': { hash: md5 }, 'workspace-missing': { id: 'x' }, 'workspace-built-in': {}, 'workspace-changed': {}, 'service-not-set': { service },
  'no-export-folder': {}, interrupted: {}, 'job-missing': { id: 218 }, 'job-state': { id: 218, state: 'done' }, 'job-too-large': { limit: 1 },
  'selection-changed': { expected: 60, found: 400 }, 'ticks-changed': {}, 'view-missing': { id: 3 }, 'view-name-taken': {}, 'too-many-views': { limit: 100 }, 'storage-busy': {},
  'nothing-selected': {}, 'nothing-to-undo': {}, 'secrets-locked': {}, 'passphrase-wrong': {}, 'passphrase-short': { minimum: 8 },
  'secrets-damaged': { path: '/data' }, 'keychain-failed': { backend: 'gnome_libsecret' },
};

export const failureExamples: readonly Failure[] = failureKinds.map((kind) => exampleOf(kind));

function exampleOf(kind: Failure['kind']): Failure {
  const read = readFailure({ kind, ...examples[kind] });
  if (read === null) throw new TypeError(`the example of ${kind} is not of the catalogue`);
  return read;
}
