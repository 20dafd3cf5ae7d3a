import { assertNever } from '../../shared/assert-never.ts';
import type { ConnectionTest } from '../../shared/domain/server-action.ts';
import { type Failure, FailureError } from '../../shared/failure.ts';
import type { CallOptions, ClientOptions } from './client/client.ts';
import type { Connection } from './connections.ts';
import { createRepositoryApi } from './repository-api.ts';
import { createRuleEditorApi } from './rule-editor-api.ts';
import { findActions, refusedToken, unusedMd5 } from './server-actions.ts';

export interface Probe {
  /** Whether something answered at the address at all. */
  reachable: boolean;
  /** Whether its certificate holds; null when it was not reached, or over plain http. */
  trusted: boolean | null;
  /** null when its answer does not show it. */
  tokenAccepted: boolean | null;
  /** What a person should know of the answer; null when all is well. */
  failure: Failure | null;
}

/**
 * Sends a service one harmless request, once: a repository for an MD5 of no sample, a rule editor whether version 0 is
 * outdated. A refused token is a 401 (docs/services.md, "Failures"), so any other answer of the service itself accepts
 * it.
 */
export async function probeConnection(
  connection: Connection,
  options: CallOptions & ClientOptions = {},
): Promise<Probe> {
  const once = { ...options, limits: { ...options.limits, attempts: 1 } };
  const isSecure = connection.baseUrl.startsWith('https:');
  try {
    await sendProbe(connection, once);
    return { reachable: true, trusted: isSecure || null, tokenAccepted: true, failure: null };
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind === 'cancelled') throw error;
    return probeOf(error.failure, isSecure);
  }
}

/** Probes a service, and finds out which actions it has where it did not refuse the token. */
export async function testConnection(
  connection: Connection,
  { withOptional, ...options }: CallOptions & ClientOptions & { withOptional: boolean },
): Promise<ConnectionTest> {
  const { service } = connection;
  const probe = await probeConnection(connection, options);
  if (!probe.reachable || probe.tokenAccepted === false) return { service, ...probe, actions: [] };
  const found = await findActions(connection, { ...options, withOptional });
  const actions = [...found].map(([action, answers]) => ({ action, answers }));
  if (probe.failure?.kind !== 'action-unknown') return { service, ...probe, actions };
  // A release without the action that the probe uses has others, and these accept the token.
  if (actions.some(({ answers }) => answers)) return { service, ...probe, tokenAccepted: true, failure: null, actions };
  const refusal = service === 'rule-editor' && withOptional ? await refusedToken(connection, options) : null;
  return refusal === null
    ? { service, ...probe, actions }
    : { service, ...probe, tokenAccepted: false, failure: refusal, actions: [] };
}

async function sendProbe(connection: Connection, options: CallOptions & ClientOptions): Promise<void> {
  switch (connection.service) {
    case 'repository':
      return void (await createRepositoryApi(connection, options).getFile(unusedMd5, options));
    case 'rule-editor':
      return void (await createRuleEditorApi(connection, options).checkVersion('0', false, options));
    default:
      return assertNever(connection.service);
  }
}

function probeOf(failure: Failure, isSecure: boolean): Probe {
  const reached = { reachable: true, trusted: isSecure || null };
  switch (failure.kind) {
    case 'unknown-hash':
    case 'unknown-behind-warning':
      return { ...reached, tokenAccepted: true, failure: null };
    // No right, or its word for an unknown hash: the token was read, but what it may do stays open.
    case 'forbidden-or-unknown':
    case 'forbidden':
      return { ...reached, tokenAccepted: true, failure };
    case 'token-refused':
    case 'token-missing':
      return { ...reached, tokenAccepted: false, failure };
    case 'not-trusted':
      return { reachable: true, trusted: false, tokenAccepted: null, failure };
    case 'trust-file-unreadable':
    case 'client-certificate-unreadable':
    case 'client-certificate':
    case 'unreachable':
      return { reachable: false, trusted: null, tokenAccepted: null, failure };
    case 'timed-out':
      return failure.phase === 'connect'
        ? { reachable: false, trusted: null, tokenAccepted: null, failure }
        : { ...reached, tokenAccepted: null, failure };
    default:
      return { ...reached, tokenAccepted: null, failure };
  }
}
