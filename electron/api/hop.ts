import { Buffer } from 'node:buffer';
import type { Timeouts, Trust } from '../../shared/domain/workspace.ts';
import type { Call, CallFacts } from './call.ts';
import type { Connection } from './connection.ts';
import type { ResolveHost } from './resolve-host.ts';

/** One request of a call: the call's own, or one that a redirect leads to. */
export interface Hop {
  /** Whom it is sent to. */
  origin: URL;
  /**
   * Path and query, as they are sent. Never shown: the query of the first holds our token, that of a signed link its
   * own secrets.
   */
  path: string;
  /** What its failures say. */
  facts: CallFacts;
  trust: Trust;
  timeouts: Timeouts;
  proxyFor: Connection['proxyFor'];
  /** The addresses that a name may be reached at; asked once, and not where a proxy resolves it. */
  resolve: ResolveHost;
  /** How many redirects led here; 0 for the call's own. */
  redirects: number;
}

/** What a call itself asks of its service. */
export function ownHop(call: Call, connection: Connection, facts: CallFacts, resolve: ResolveHost): Hop {
  const { token, trust, timeouts, proxyFor } = connection;
  const origin = new URL(facts.address);
  return {
    origin,
    path: origin.pathname + query(call, token),
    facts,
    trust,
    timeouts,
    proxyFor,
    resolve,
    redirects: 0,
  };
}

/**
 * The length in bytes of the address a call is sent to. Servers limit the path and query of it; a proxy may get, and
 * limit, all of it.
 */
export function addressBytes(call: Call, { address }: CallFacts, token: string | null): number {
  return Buffer.byteLength(address + query(call, token));
}

/** The only place where the token meets a URL. */
function query(call: Call, token: string | null): string {
  const named = [
    ['action', call.action] as const,
    ...call.parameters,
    ...(token === null ? [] : [['token', token] as const]),
  ];
  const pairs = named.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`);
  return `?${pairs.join('&')}`;
}
