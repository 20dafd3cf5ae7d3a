import { actionsOf, optionalActions, type ServerAction } from '../../shared/domain/server-action.ts';
import { type Failure, FailureError, type FailureKind } from '../../shared/failure.ts';
import type { Call, CallFacts, WholeReply } from './call.ts';
import { type CallOptions, type Client, type ClientOptions, createClient, hidesItsAbsence } from './client/client.ts';
import type { Connection } from './connections.ts';
import { readJsonReply } from './replies/json-reply.ts';
import { readSampleBytes } from './replies/sample-reply.ts';
import { readEditorFiles, readFoundPage, readTagsInUse, requireSampleList } from './replies/server-lists.ts';

/** An MD5 that no service has a file for. */
export const unusedMd5 = '0'.repeat(32);

/**
 * Finds out which actions a server has, without a change to it: each is called once in a way that it refuses, or that
 * finds nothing. Actions that send something are called with GET, which a server that knows them refuses. What the
 * answer leaves open is left out. Rejects with `cancelled` only.
 */
export async function findActions(
  connection: Connection,
  { withOptional, ...options }: CallOptions & ClientOptions & { withOptional: boolean },
): Promise<Map<ServerAction, boolean>> {
  const client = createClient(connection, { ...options, limits: { ...options.limits, attempts: 1 } });
  const found = new Map<ServerAction, boolean>();
  for (const action of actionsOf[connection.service]) {
    if (optionalActions.has(action) && !withOptional) continue;
    const answers = await asked(client, action, options);
    if (answers === null) continue;
    found.set(action, answers);
    connection.noteAction?.(action, answers);
  }
  return found;
}

const aboutToken: ReadonlySet<FailureKind> = new Set<FailureKind>(['token-missing', 'token-refused']);

/**
 * Why a rule editor refuses the token; null where it does not, or does not show it. It looks at a token only for
 * actions that it has: that it lacks the others shows nothing of the token. Rejects with `cancelled` only.
 */
export async function refusedToken(
  connection: Connection,
  options: CallOptions & ClientOptions = {},
): Promise<Failure | null> {
  const client = createClient(connection, { ...options, limits: { ...options.limits, attempts: 1 } });
  try {
    await client.read(call('exportfile'), options);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind === 'cancelled') throw error;
    if (aboutToken.has(error.failure.kind)) return error.failure;
  }
  return null;
}

/** null: the answer does not show it. */
async function asked(client: Client, action: ServerAction, options: CallOptions): Promise<boolean | null> {
  const probe = probes[action];
  try {
    for (const call of probe.calls) {
      const reply = await client.read(call, options);
      probe.read?.(reply, client.facts(call));
    }
    return probe.showsByReply ? true : null;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    if (error.failure.kind === 'cancelled') throw error;
    return answerOf(error.failure, action);
  }
}

function answerOf(failure: Failure, action: ServerAction): boolean | null {
  if (failure.kind === 'action-unknown') return hidesItsAbsence(action) ? null : false;
  // 404 with a text: it may say that there is no such action.
  if (failure.kind === 'request-refused' && failure.status === 404) return null;
  return probes[action].refusals.has(failure.kind) ? true : null;
}

interface Probe {
  /** The last of them decides; those before it are what the action cannot be used without. */
  calls: readonly Call[];
  /** Whether a reply that can be read shows that the server has the action. */
  showsByReply: boolean;
  /** Throws a failure for a reply that is not this action's. */
  read?(reply: WholeReply, facts: CallFacts): unknown;
  refusals: ReadonlySet<FailureKind>;
}

/** A server that knows a documented action may refuse this call in any of these ways. */
const anyRefusal: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'method-refused',
  'forbidden',
  'forbidden-or-unknown',
  'unknown-hash',
  'request-refused',
]);
const wrongMethod: ReadonlySet<FailureKind> = new Set<FailureKind>(['method-refused']);
const none: ReadonlySet<FailureKind> = new Set();

const call = (action: string, parameters: Call['parameters'] = [], hashes: Call['hashes'] = []): Call => ({
  action,
  parameters,
  hashes,
});
/** What a server that has the action refuses: a page or a text under 200 shows nothing. */
const refused = (one: Call): Probe => ({ calls: [one], showsByReply: false, refusals: anyRefusal });

const probes: Readonly<Record<ServerAction, Probe>> = {
  getfile: {
    calls: [call('getfile', [['hash', unusedMd5]], [unusedMd5])],
    showsByReply: true,
    read: (reply, facts) => readSampleBytes(reply, unusedMd5, facts),
    refusals: new Set<FailureKind>([...anyRefusal, 'unknown-behind-warning']),
  },
  downloadfile: refused(call('downloadfile', [['file', unusedMd5]], [unusedMd5])),
  bulkdownload: refused(call('bulkdownload', [['files[]', unusedMd5]], [unusedMd5])),
  uploadfiles: refused(call('uploadfiles')),
  addcomment: refused(call('addcomment')),
  getfiles: {
    calls: [call('getfiles', [['sha256', '0'.repeat(64)]])],
    showsByReply: true,
    read: requireSampleList,
    refusals: none,
  },
  searchfiles: {
    calls: [
      call('searchfiles', [
        ['query', ''],
        ['limit', '1'],
      ]),
    ],
    showsByReply: true,
    read: (reply, facts) => readFoundPage(reply, facts, { limit: 1, after: null }),
    refusals: none,
  },
  updatefile: { calls: [call('updatefile')], showsByReply: false, refusals: wrongMethod },
  gettagsdata: { calls: [call('gettagsdata')], showsByReply: true, read: readTagsInUse, refusals: none },
  checkpackageversion: {
    calls: [
      call('checkpackageversion', [
        ['version', '0'],
        ['beta', 'false'],
      ]),
    ],
    showsByReply: true,
    read: readJsonReply,
    refusals: anyRefusal,
  },
  downloadpublication: refused(call('downloadpublication')),
  scanfile: refused(call('scanfile')),
  // A list of files alone is no proof: some editors give it without a token.
  exportfile: {
    calls: [call('getfiles'), call('exportfile')],
    showsByReply: false,
    read: readEditorFiles,
    refusals: new Set<FailureKind>(['request-refused']),
  },
};
