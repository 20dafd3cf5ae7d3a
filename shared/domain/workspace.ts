import { z } from 'zod';
import { failureSchema, serviceName } from '../failure-kinds.ts';
import { serverAction } from './server-action.ts';
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
});
export type WorkspaceView = z.infer<typeof workspaceView>;

/** A token as typed: kept until replaced (`keep`), put in, or taken out. */
export const tokenChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('keep') }),
  z.object({ kind: z.literal('set'), token: seenLine('a token', 4096) }),
  z.object({ kind: z.literal('clear') }),
]);
export type TokenChange = z.infer<typeof tokenChange>;

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
});
export type WorkspaceDraft = z.infer<typeof workspaceDraft>;

export const connectionTest = z.object({
  service: serviceName,
  reachable: z.boolean(),
  /** null: not reached, or plain http. */
  trusted: z.boolean().nullable(),
  tokenAccepted: z.boolean().nullable(),
  failure: failureSchema.nullable(),
  /** Which actions it has, as far as its answers show that; none unless the token was accepted. */
  actions: z.array(z.object({ action: serverAction, answers: z.boolean() })),
});
export type ConnectionTest = z.infer<typeof connectionTest>;
