import { z } from 'zod';
import { seenLine } from './schema-parts.ts';

/** The built-in workspace: a stable id, with a new address and token at each start. */
export const labWorkspaceId = 'lab';
export const labWorkspaceName = 'Lab (this computer)';
export const workspaceId = z.string().regex(/^[a-z0-9-]{1,64}$/, 'a workspace id');

/** How a workspace decides that a server is the one it claims to be. There is no "ignore". */
export const trust = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('system') }),
  /** PEM text of one or more certificate authorities, besides the bundled and the system's. */
  z.object({ kind: z.literal('authority'), pem: z.string().min(1, 'the certificate as PEM text') }),
  /** SHA-256 fingerprint of the server's certificate: 64 hex characters. */
  z.object({
    kind: z.literal('pin'),
    fingerprint: z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 fingerprint: 64 hexadecimal characters'),
  }),
]);
export type Trust = z.infer<typeof trust>;

const seconds = (most: number) => {
  // Said when it is needed: the first number that is written out in a language takes a start ten milliseconds.
  const words = { error: () => `a number of seconds from 1 to ${most.toLocaleString('en')}` };
  return z.number(words).min(1, words).max(most, words);
};

/** Seconds. A value is the time without progress in that phase; a transfer that moves has no limit. */
export const timeouts = z.object(
  {
    connectSeconds: seconds(300),
    firstByteSeconds: seconds(3600),
    idleSeconds: seconds(3600),
  },
  'three numbers of seconds',
);
export type Timeouts = z.infer<typeof timeouts>;
export const defaultTimeouts: Timeouts = { connectSeconds: 10, firstByteSeconds: 300, idleSeconds: 60 };

const longestReceiverName = 40;
const storedReceiverName = z
  .string()
  .trim()
  .min(1, 'a name')
  .max(longestReceiverName, `a name of at most ${longestReceiverName} characters`);

/**
 * How this repository differs from the documented form (docs/services.md, "uploadfiles", "addcomment").
 * `commentForm` is `auto` until an answer showed which form the server reads.
 */
export const repositoryOptions = z.object({
  /** Repeats the token as a form field of an upload. */
  tokenInForm: z.boolean(),
  commentForm: z.enum(['auto', 'json', 'brackets']),
  /**
   * The comment of an upload is decoded once more than it should be: `%` and `+` are sent encoded. Changed by itself
   * when the record of an upload shows the contrary.
   */
  decodesComments: z.boolean(),
  /** Whether actions of no interface description are used where the server was seen to answer them. */
  optionalActions: z.boolean().default(true),
  /** Who gets a file that is flagged, in this team's words. */
  receivers: z.object({ virusTotal: storedReceiverName, sandbox: storedReceiverName }),
});
export type RepositoryOptions = z.infer<typeof repositoryOptions>;
export const defaultRepositoryOptions: RepositoryOptions = {
  tokenInForm: false,
  commentForm: 'auto',
  decodesComments: false,
  optionalActions: true,
  receivers: { virusTotal: 'VirusTotal', sandbox: 'Sandbox' },
};

/** What a user name of HTTP Basic or of a proxy may be: a colon would end it (RFC 7617). */
const userName = z
  .string('a user name')
  .min(1, 'a user name')
  .max(255, 'a user name of at most 255 characters')
  .refine((name) => !/[\p{Cc}:]/u.test(name), 'a user name without a colon, on one line');
const longestProxyPassword = 255;
const longestPassword = 4096;
/** Of a certificate with its key as PEM text, and of a PKCS#12 file. Each is a few KiB; a chain is seldom 16 KiB. */
export const longestCertificateBytes = 64 * 1024;
const longestBase64 = Math.ceil(longestCertificateBytes / 3) * 4;
/** All that a system trusts is some 200 KiB. */
export const longestAuthorityBytes = 256 * 1024;

const proxySchemes = ['http', 'https', 'socks5', 'socks5h'] as const;
const proxyAddressParts = new RegExp(
  `^(${proxySchemes.join('|')})://(?:([^/@?#\\s]*)@)?(\\[[0-9a-f:.]+\\]|[^/:@?#\\[\\]\\s]+):(\\d{1,5})/?$`,
  'i',
);

/**
 * A proxy as it is typed. `address` is `scheme://host:port` in lower case; `userInfo` is what was before an `@`,
 * still encoded. null: it is no address of a proxy.
 */
export function readProxyAddress(typed: string): { address: string; userInfo: string | null } | null {
  const [, scheme = '', userInfo, host = '', port = ''] = proxyAddressParts.exec(typed.trim()) ?? [];
  if (host === '' || Number(port) < 1 || Number(port) > 65_535) return null;
  return { address: `${scheme}://${host}:${Number(port)}`.toLowerCase(), userInfo: userInfo ?? null };
}

const proxyAddress = z
  .string()
  .max(300)
  .refine((address) => readProxyAddress(address)?.address === address, 'scheme://host:port');

/**
 * How connections of a workspace leave this computer: as its environment and its system say, by no proxy, or by this
 * one. The proxy's password is where tokens are.
 */
export const proxySetting = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('automatic') }),
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('fixed'), address: proxyAddress, username: userName.nullable() }),
]);
export type ProxySetting = z.infer<typeof proxySetting>;
export const defaultProxy = { kind: 'automatic' } as const satisfies ProxySetting;

/** What may be shown of a client certificate. Its bytes and its key are where tokens are. */
const clientCertificateFacts = z.object({
  kind: z.enum(['pem', 'pkcs12']),
  /** `CN=Name, O=Organisation`: untrusted text. */
  subject: z.string(),
  /** ISO 8601, UTC. */
  validFrom: z.string(),
  validTo: z.string(),
  /** SHA-256, lower-case hex. */
  fingerprint: z.string(),
});
export type ClientCertificateFacts = z.infer<typeof clientCertificateFacts>;

/** What a web server in front of the services requires, besides the token. */
export const frontSetting = z.object({
  basic: z.object({ username: userName }).nullable(),
  clientCertificate: clientCertificateFacts.nullable(),
});
export type FrontSetting = z.infer<typeof frontSetting>;
export const defaultFront = { basic: null, clientCertificate: null } as const satisfies FrontSetting;

const proxyView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('automatic') }),
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('fixed'),
    address: z.string(),
    username: z.string().nullable(),
    hasPassword: z.boolean(),
  }),
]);
const frontView = z.object({
  basic: z.object({ username: z.string(), hasPassword: z.boolean() }).nullable(),
  /** `hasKey` is false where the certificate is known and its key is not stored, as after a restored backup. */
  clientCertificate: clientCertificateFacts.extend({ hasKey: z.boolean() }).nullable(),
});

/** A service of a workspace as the page may see it: whether there is a token, never the token. */
const serviceView = z.object({ baseUrl: z.string(), hasToken: z.boolean() });

export const workspaceView = z.object({
  id: workspaceId,
  name: z.string(),
  builtIn: z.boolean(),
  repository: serviceView.nullable(),
  ruleEditor: serviceView.nullable(),
  allowHttp: z.boolean(),
  trust,
  timeouts,
  options: repositoryOptions,
  proxy: proxyView,
  front: frontView,
});
export type WorkspaceView = z.infer<typeof workspaceView>;

/** A token as typed: kept until replaced (`keep`), put in, or taken out. */
export const tokenChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('keep') }),
  z.object({ kind: z.literal('set'), token: seenLine('a token', 4096) }),
  z.object({ kind: z.literal('clear') }),
]);
export type TokenChange = z.infer<typeof tokenChange>;

/** A password as typed, as `tokenChange`. It may contain spaces, also at its ends. */
const passwordChange = (most: number) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('keep') }),
    z.object({
      kind: z.literal('set'),
      password: z
        .string('a password')
        .min(1, 'a password')
        .max(most, { error: () => `a password of at most ${most.toLocaleString('en')} characters` })
        .refine((password) => !/\p{Cc}/u.test(password), 'a password on one line'),
    }),
    z.object({ kind: z.literal('clear') }),
  ]);
export type PasswordChange = z.infer<ReturnType<typeof passwordChange>>;

const keyPassphrase = z.string().max(1024, 'a passphrase of at most 1,024 characters').nullable();
const pemText = (what: string) => z.string(what).max(longestCertificateBytes, `${what} of at most 64 KiB`);

/** A client certificate goes in with its key, and both are kept or removed together. */
const clientCertificateChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('keep') }),
  z.object({ kind: z.literal('clear') }),
  /** `key` may be empty where the certificate's text has it too. */
  z.object({
    kind: z.literal('pem'),
    certificate: pemText('a certificate as PEM text'),
    key: pemText('a key as PEM text'),
    passphrase: keyPassphrase,
  }),
  z.object({
    kind: z.literal('pkcs12'),
    base64: z.base64('a PKCS#12 file').min(1, 'a PKCS#12 file').max(longestBase64, 'a PKCS#12 file of at most 64 KiB'),
    passphrase: keyPassphrase,
  }),
]);
export type ClientCertificateChange = z.infer<typeof clientCertificateChange>;

const proxyDraft = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('automatic') }),
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('fixed'),
    address: proxyAddress,
    username: userName.nullable(),
    /** Without a user name there is none. */
    password: passwordChange(longestProxyPassword),
  }),
]);
const frontDraft = z.object({
  basic: z.object({ username: userName, password: passwordChange(longestPassword) }).nullable(),
  clientCertificate: clientCertificateChange,
});
export const defaultFrontDraft = {
  basic: null,
  clientCertificate: { kind: 'clear' },
} as const satisfies z.infer<typeof frontDraft>;

const serviceDraft = z.object({
  baseUrl: z.string().max(2048, 'an address of at most 2,048 characters'),
  token: tokenChange,
});

const folded = (name: string): string => name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
const typedName = (most: number) => z.string('a name').trim().pipe(seenLine('a name', most));
const typedReceiverName = typedName(longestReceiverName);

/** What a person types is checked here alone: what was stored before there was a rule stays readable. */
export const workspaceDraft = z.object({
  name: typedName(80).refine(
    (name) => folded(name) !== folded(labWorkspaceName),
    'another name than that of the built-in workspace',
  ),
  repository: serviceDraft.nullable(),
  ruleEditor: serviceDraft.nullable(),
  allowHttp: z.boolean(),
  trust,
  timeouts,
  options: repositoryOptions
    .extend({ receivers: z.object({ virusTotal: typedReceiverName, sandbox: typedReceiverName }) })
    .default(defaultRepositoryOptions),
  proxy: proxyDraft.default(defaultProxy),
  front: frontDraft.default(defaultFrontDraft),
});
export type WorkspaceDraft = z.infer<typeof workspaceDraft>;

/** What an edit sends of a proxy that it leaves as it is. */
export const keptProxy = (proxy: WorkspaceView['proxy']): WorkspaceDraft['proxy'] =>
  proxy.kind === 'fixed'
    ? { kind: 'fixed', address: proxy.address, username: proxy.username, password: { kind: 'keep' } }
    : proxy;

/** The same of what a web server requires. */
export const keptFront = ({ basic, clientCertificate }: WorkspaceView['front']): WorkspaceDraft['front'] => ({
  basic: basic && { username: basic.username, password: { kind: 'keep' } },
  clientCertificate: { kind: clientCertificate === null ? 'clear' : 'keep' },
});
