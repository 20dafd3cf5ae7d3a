import { z } from 'zod';
import { plainFields } from './domain/schema-parts.ts';

/**
 * Every way an operation can fail, as data. A failure crosses each boundary unchanged; the sentence is made from it in
 * one place (`failure-sentences.ts`). A field holds a fact and never a token, a whole URL or a sample's bytes.
 */

export const serviceName = z.enum(['repository', 'rule-editor']);
export type ServiceName = z.infer<typeof serviceName>;
const service = serviceName;
/** Where a call went: `https://host:port/path` without query, user info or fragment. */
const address = z.string();
/** First bytes of a reply, made printable and cut, with every known token removed. */
const excerpt = z.string();
const count = z.number().int().nonnegative();
const unreachableReason = z.enum([
  'refused',
  'name',
  'network',
  'reset',
  'protocol',
  'http2',
  'proxy',
  'proxy-address',
  'proxy-kind',
  'proxy-login-missing',
  'proxy-login-refused',
  'proxy-login-unsupported',
  'proxy-refused',
  'proxy-answer',
  'proxy-not-trusted',
]);

const facts = {
  // The call itself
  'bad-input': { operation: z.string(), issues: z.array(z.object({ path: z.string(), message: z.string() })) },
  'unknown-operation': { name: z.string() },
  /** A defect of ours: `id` leads to the log entry that holds the detail. */
  unexpected: { id: z.string() },
  cancelled: {},
  /** The host did not answer the page: it ended, or the connection to it is gone. */
  'host-gone': {},
  /**
   * The host's answer does not match the contract: page and host are of different versions, or another program
   * answered.
   */
  'host-reply-unreadable': { operation: z.string() },
  'body-too-large': { limitBytes: count },
  'sender-refused': { reason: z.enum(['sender', 'host', 'origin', 'method', 'media-type']) },
  'session-missing': {},
  'session-refused': {},
  'link-used': {},
  'staged-file-missing': { id: z.string() },
  /** A browser download whose one-use id was used, or has run out. */
  'export-gone': {},

  // What the person typed
  'no-hash': {},
  /** A pasted text was too much for the memory there is. */
  'text-unreadable': {},
  'hash-wrong-length': { length: count },
  'needs-md5': { hash: z.string() },
  'address-invalid': { reason: z.enum(['syntax', 'scheme', 'user-info', 'query', 'fragment']) },
  'http-not-allowed': { host: z.string() },
  'password-empty': {},

  // Reaching a service
  /**
   * `proxy`: the proxy cannot be reached, or it ended the connection. `proxy-login-unsupported`: it accepts only logins
   * other than a user name and a password. `http2`: the server speaks nothing older than HTTP/2.
   */
  unreachable: { service, address, reason: unreachableReason, code: z.string() },
  'timed-out': { service, address, phase: z.enum(['connect', 'first-byte', 'idle', 'stalled']), seconds: z.number() },
  'not-trusted': {
    service,
    address,
    /** `not-authority`: what the workspace has as its authority is the certificate of a server. */
    reason: z.enum(['authority', 'not-authority', 'name', 'expired', 'pin', 'other']),
    fingerprint: z.string().nullable(),
    code: z.string(),
  },
  'connection-lost': { service, address, receivedBytes: count, expectedBytes: count.nullable() },
  'trust-file-unreadable': { path: z.string(), code: z.string() },
  /** The service requires a client certificate: none was sent, or it does not accept the one that was. */
  'client-certificate': { service, address, sent: z.boolean(), code: z.string() },
  'client-certificate-unreadable': {
    reason: z.enum(['format', 'passphrase', 'key', 'encryption']),
    code: z.string(),
  },
  /** A web server in front of the service requires a login of its own. `sent`: one was sent, and it was refused. */
  'front-login': { service, address, scheme: z.enum(['basic', 'digest', 'negotiate', 'ntlm']), sent: z.boolean() },

  // What a service answered
  'token-missing': { service },
  /** A stored token is never sent to another host than the one it was put in for. */
  'token-for-other-host': { service },
  /** The same for what a proxy or a web server in front of the service requires. */
  'secret-for-other-host': { secret: z.enum(['proxy', 'basic', 'client-certificate']) },
  'token-refused': { service, address, status: count },
  forbidden: { service, address, status: count, text: excerpt },
  'forbidden-or-unknown': { service, address, status: count, hash: z.string() },
  'unknown-hash': { service, hash: z.string() },
  /** The same, after a PHP warning that may be why; `text` is the warning. */
  'unknown-behind-warning': { service, address, status: count, hash: z.string(), text: excerpt },
  'action-unknown': { service, address, action: z.string() },
  'method-refused': { service, address, action: z.string() },
  'request-refused': { service, address, status: count, text: excerpt },
  'too-large-for-service': { service, address, status: count },
  /** 429, or 503 with a pause. Stored failures of older releases are all 429. */
  'slow-down': { service, address, status: count.default(429), retryAfterSeconds: z.number().nullable() },
  'service-failed': { service, address, status: count, text: excerpt },
  'html-reply': { service, address, status: count, text: excerpt },
  'empty-reply': { service, address, status: count },
  'unreadable-reply': { service, address, status: count, text: excerpt },
  'text-around-json': { service, address, status: count, text: excerpt },
  'reply-too-large': { service, address, limitBytes: count },
  /** It came compressed, unasked: in a way that is not known, damaged, or to more than any data becomes. */
  'encoding-unusable': { service, address, encoding: excerpt, reason: z.enum(['unknown', 'broken', 'expansion']) },
  redirected: { service, address, status: count, target: address },
  'redirect-refused': {
    service,
    target: address,
    reason: z.enum(['too-many', 'scheme', 'user-info', 'downgrade', 'private-target', 'no-location']),
  },
  /** A POST whose answer was lost: it may have been accepted and is never sent again by itself. */
  'may-have-arrived': { service, address, action: z.string() },
  /** The service's own words about one file of an upload. */
  'upload-refused': { service, address, text: excerpt },
  /** Sent, and neither named in the reply nor there afterwards; `items` is how many things the reply named. */
  'upload-vanished': { service, address, sent: count, items: count, isArchive: z.boolean() },
  /** The server took an archive apart, and it is not there itself. Members by what became of them. */
  'upload-unpacked': { service, address, stored: count, alreadyThere: count, refused: count, dropped: count },
  /** The service reports that it is stored, and this token may not read the record that would confirm it. */
  'upload-unconfirmed': { service, address },
  /**
   * Stored, and the record that confirms it has another comment, or lacks some of the tags that were sent (`tags`, the
   * first of them). `decoding`: the comment reads as if the server had decoded it once more, or once less, than it was
   * encoded for.
   */
  'upload-altered': { service, address, comment: z.boolean(), tags: z.array(z.string()), decoding: z.boolean() },
  /** An optional action that is switched off, or that the server was not seen to answer. */
  'action-not-used': { service, action: z.string() },
  /** A record that is not what it was when a change to it was reviewed. */
  'record-changed': { service, address },
  /** A list in a record that the server may have cut: to replace it would remove what it does not show. */
  'record-list-cut': { service, address },
  /** The service lists its comments, and this one is not among them. */
  'comment-not-arrived': { service, address },

  /** A file of rules that the rule editor did not export; `text` is why. */
  'rule-file-failed': { service, address, name: z.string(), text: z.string() },
  /** A rule editor that was seen not to scan files. */
  'editor-cannot-scan': {},
  /** A rule editor without any rules to export. */
  'no-rules-to-export': { service, address },

  // What arrived
  'wrong-bytes': { md5: z.string(), actualMd5: z.string(), sizeBytes: count },
  'sha256-contradicts': { md5: z.string(), recordedSha256: z.string(), actualSha256: z.string() },
  /** A record that carries another MD5 than the one asked for. */
  'wrong-record': { service, address, md5: z.string(), recordMd5: z.string() },
  'two-samples-one-md5': { md5: z.string(), sha256s: z.array(z.string()) },
  // What is to be sent
  'file-gone': { name: z.string() },
  'file-changed': { name: z.string() },
  'file-unreadable': { name: z.string(), code: z.string() },
  'file-empty': { name: z.string() },
  'upload-file-missing': { id: count },
  'draft-too-large': { limit: count },
  /** Files that are still being hashed, or archives being opened. */
  'draft-busy': { files: count },
  /** No file of a draft is both ticked and sendable. */
  'nothing-to-send': {},
  'comment-too-long': { limit: count },
  'comment-empty': {},
  'comment-missing': { id: count },
  'third-party-refused': { tlp: z.string(), receiver: z.string() },

  // Archives and packages
  'archive-damaged': { name: z.string(), reason: z.string() },
  'archive-limit': {
    name: z.string(),
    limit: z.enum(['members', 'member-size', 'total-size', 'expansion', 'depth']),
    value: z.number(),
  },
  'archive-password': { name: z.string() },
  /** It has no member, or folders alone. */
  'archive-empty': { name: z.string() },
  'archive-name-refused': {
    name: z.string(),
    reason: z.enum(['absolute', 'dotted', 'link', 'device', 'reserved', 'control']),
  },
  /**
   * Another compression than stored or deflated, another encryption than ZipCrypto or WinZip AES, or parts of a split
   * archive.
   */
  'archive-unsupported': { name: z.string(), feature: z.string() },
  /** The archive is cut off: what came before is whole. */
  'archive-truncated': { name: z.string(), receivedBytes: count },
  /** A second entry of the same name. */
  'archive-duplicate': { name: z.string() },
  /** An entry that was not asked for: it was dropped. */
  'archive-entry-unasked': { name: z.string() },
  /** The archive ended well, and this sample was not in it. */
  'not-in-archive': { md5: z.string() },
  /** The reply that should be an archive is none. */
  'not-an-archive': { service, address, status: count, text: excerpt },
  'package-unreadable': { sha256: z.string(), text: excerpt },
  /** It is larger than any package is taken to be. */
  'package-too-large': { limitBytes: count },
  'package-missing': { sha256: z.string() },
  /** What was asked cannot be done with the active or the pinned package. */
  'package-in-use': { version: z.string() },
  /** The workspace installs no package with broken rules. */
  'package-has-broken': { version: z.string(), broken: count },
  /** More than a fifth of the rules in use would go; `rules` are in use. */
  'package-removes-many': { version: z.string(), removed: count, rules: count },
  /** Of the files that were given, none is a file of rules. */
  'no-rule-files': { leftOut: count },
  /** Another package is pinned. */
  'package-pinned': { version: z.string() },
  'no-package': {},
  'check-busy': {},
  'rule-missing': { name: z.string() },
  'mute-missing': { id: count },
  /** It has changed since the step to undo. */
  'mute-changed': {},
  'rule-broken': { file: z.string(), line: count, text: excerpt },
  'scan-timed-out': { name: z.string(), seconds: z.number() },
  /** Scanning it took more memory than one engine process may have. */
  'scan-memory': { name: z.string(), mebibytes: count },
  'scan-too-large': { name: z.string(), sizeBytes: count, limitBytes: count },
  'scan-engine-failed': { engine: z.string(), text: excerpt },
  /** One rule keeps an engine from ending, ends it, or takes too much memory: the job continued without it. */
  'scan-rule-left-out': { rule: z.string(), reason: z.enum(['endless', 'deadly', 'memory']) },
  /**
   * Rules ask for variables that this scan does not know of some of its files: `of` names which files. `rules`: how
   * many of them.
   */
  'scan-variables-unknown': { variables: z.array(z.string()), rules: count, of: z.enum(['vault', 'copies', 'files']) },
  /** The native engine was asked for, and there is none that runs on this machine. */
  'native-engine-missing': { text: excerpt },
  /** The native engine does not take the package; the other one was used. */
  'native-engine-refused': { text: excerpt },
  /** The service answered in an unknown shape. */
  'scan-not-understood': { service, address },
  /** None of the rules that were to be looked with is in the package. */
  'no-rules': {},
  'nothing-to-hunt': {},
  'vault-empty': {},
  'scan-file-missing': { job: count, position: count },

  // This computer
  'disk-full': { path: z.string() },
  'not-writable': { path: z.string(), code: z.string() },
  'disk-failed': { path: z.string(), code: z.string() },
  /** A thread of ours ended in the middle of its work: out of memory, or a defect. */
  'worker-ended': { task: z.string(), code: z.string() },
  'data-newer': { path: z.string(), found: count, supported: count },
  'data-in-use': { path: z.string() },
  'data-damaged': { path: z.string(), code: z.string() },
  /** The data directory is not where it was opened, or another one is in its place. */
  'data-gone': { path: z.string() },
  /** One of its folders is not where it was made or opened. */
  'folder-gone': { path: z.string() },
  /** The lock file of the data directory is not the one this program holds. */
  'data-not-held': { path: z.string() },
  /**
   * Data, a key or a socket that another user of this computer made or can change. `shared`: a folder that holds other
   * files, too, and is open to others. `owner`: the numeric ID of its user.
   */
  'not-own': { path: z.string(), reason: z.enum(['owner', 'writable', 'link', 'shared']), owner: count },
  /** A copy of local data whose move did not finish. */
  'data-unfinished': { path: z.string() },
  /** The file that records where the data was moved to. */
  'location-damaged': { path: z.string() },
  'move-refused': {
    path: z.string(),
    reason: z.enum(['same', 'inside', 'not-empty', 'link', 'no-data', 'named', 'not-chosen']),
  },
  'port-busy': { port: count },
  'lab-down': { restarts: count },
  /**
   * It ended so often in a row that it is not started again by itself. `end`: how it ended last; `text`: the line that
   * best explains why, empty when there is none; `lastWords`: the end of what it wrote; `log`: the path of the log.
   */
  'lab-failed': { attempts: count, end: z.string(), text: z.string(), lastWords: z.string(), log: z.string() },
  'not-in-vault': { sha256: z.string() },
  'vault-damaged': { sha256: z.string() },
  'not-in-library': { hash: z.string() },
  'workspace-missing': { id: z.string() },
  'workspace-built-in': {},
  /** It is not what the edit was based on any more. */
  'workspace-changed': {},
  'service-not-set': { service },
  'no-export-folder': {},
  /** The program ended in the middle of it. */
  interrupted: {},
  'job-missing': { id: count },
  /** What was asked cannot be done with a job in that state. */
  'job-state': { id: count, state: z.string() },
  'job-too-large': { limit: count },
  'nothing-selected': {},
  'nothing-to-undo': {},
  /** What was to be done to these samples would now be done to others, or to another number of them. */
  'selection-changed': { expected: count, found: count },
  /** What was to be done to the ticked files would now be done to others. */
  'ticks-changed': {},
  'view-missing': { id: count },
  'view-name-taken': {},
  'too-many-views': { limit: count },
  /** Samples are arriving or being read: nothing may be moved meanwhile. */
  'storage-busy': {},

  // Out and around
  /** Nothing that was chosen is known here. */
  'case-empty': {},
  /** More samples than a format that is read whole may have. */
  'case-too-large': { found: count, limit: count },
  /** A sample that is left out of a file which carries the others. */
  'sample-too-large': { sha256: z.string(), sizeBytes: count, limitBytes: count },
  /** A case would be marked less strictly than a sample in it. */
  'tlp-too-open': { tlp: z.string(), strictest: z.string() },
  /** No record of so many samples of a case was read that could say how strict they are. */
  'tlp-unknown': { samples: count },
  'bundle-unknown': { name: z.string() },
  'bundle-newer': { found: count, supported: count },
  /** Where its first piece lies that is not as it was written. */
  'bundle-damaged': { atByte: count },
  'bundle-truncated': { receivedBytes: count },
  'bundle-passphrase-wrong': {},
  /** Its signature is not that of the key it names. */
  'bundle-not-signed': {},
  'bundle-not-ready': {},
  /** It is not the file that was looked through any more. */
  'bundle-changed': { name: z.string() },
  /** A bundle's data of a sample cannot be true of the bytes that are known here: its SHA-256, or its MD5. */
  'bundle-contradicts': { hash: z.string() },
  /** A note of a bundle that did not fit below the local one. */
  'bundle-note-full': { sha256: z.string() },
  /** Of what is known of a sample there is more than a bundle holds. */
  'bundle-cut': { hash: z.string() },
  /** A comment that came by a bundle, which the service does not know, cannot be answered there. */
  'comment-of-bundle': {},
  'backup-refused': {
    path: z.string(),
    reason: z.enum([
      'inside',
      'around',
      'not-empty',
      'other-desk',
      'link',
      'no-backup',
      'unfinished',
      'not-chosen',
      'not-for-data',
      'other-copy',
      'watched',
      'unreadable',
    ]),
  },
  /** Files of a backup that are missing, or are not what was copied: how many, and the first twenty of them. */
  'backup-damaged': { path: z.string(), files: z.array(z.string()).min(1).max(20), count },
  /** A sample that the vault has lost, or cannot read. The backup keeps what an earlier one has of it. */
  'backup-kept': { sha256: z.string() },
  'backup-missed': { sha256: z.string() },
  'watch-refused': {
    path: z.string(),
    reason: z.enum(['not-chosen', 'not-a-folder', 'inside-data', 'around-data', 'inside-backup']),
  },
  /** More than are looked at in a watched folder. */
  'watch-too-many': { path: z.string(), limit: count },
  /** A file in the watched folder. */
  'watch-file-too-large': { name: z.string(), sizeBytes: count, limitBytes: count },
  /** What came into the watched folder was drafted and not scanned. */
  'no-active-rules': {},
  /** An export would come back as a file of the watched folder. */
  'export-into-watched': { path: z.string() },
  /** The id of a folder that was not named. */
  'folder-not-named': {},
  /** The folders in it cannot be listed. */
  'folder-unreadable': { path: z.string(), code: z.string() },

  // Secrets
  'secrets-locked': {},
  'passphrase-wrong': {},
  'passphrase-short': { minimum: count },
  'secrets-damaged': { path: z.string() },
  'keychain-failed': { backend: z.string() },
} as const;

type Facts = typeof facts;
export type FailureKind = keyof Facts;
type FactsOf<K extends FailureKind> = {
  [F in keyof Facts[K]]: Facts[K][F] extends z.ZodType ? z.output<Facts[K][F]> : never;
};
export type Failure = { [K in FailureKind]: { kind: K } & FactsOf<K> }[FailureKind];
export type FailureOf<K extends FailureKind> = Extract<Failure, { kind: K }>;

export const isFailureKind = (kind: unknown): kind is FailureKind =>
  typeof kind === 'string' && Object.hasOwn(facts, kind);
export const failureKinds: readonly FailureKind[] = Object.keys(facts).filter(isFailureKind);

/**
 * The facts of a failure that can name nothing of a person's or of a service's: no text, address, path, name or hash.
 */
export function plainFailureFacts(kind: FailureKind, failure: object): ReturnType<typeof plainFields> {
  return plainFields(facts[kind], failure);
}

/** Exactly one kind of the catalogue with exactly its facts: more would let an unreviewed fact across. */
function isFailure(value: unknown): value is Failure {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !isFailureKind(value.kind)) return false;
  return schemaOf(value.kind).safeParse(value).success;
}

/** Made once each: a page of a long list may bring a thousand failures. */
const schemas = new Map<FailureKind, z.ZodType>();
function schemaOf(kind: FailureKind): z.ZodType {
  // Typed as any shape: a compiler that spreads all of them at once takes longer for that than for the rest of the
  // layer.
  const shape: Record<string, z.ZodType> = facts[kind];
  const schema = schemas.get(kind) ?? z.strictObject({ kind: z.literal(kind), ...shape });
  schemas.set(kind, schema);
  return schema;
}

/** Reads a failure that came over a boundary; null when it is none of ours. */
export const readFailure = (value: unknown): Failure | null => (isFailure(value) ? value : null);

export const failureSchema = z.custom<Failure>(isFailure, 'a failure of the catalogue');
