import { connect, isIP, type Socket } from 'node:net';
import { fail } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import type { Connection } from '../connections.ts';
import { bareHost, isLoopback, type ResolveHost, settledLookup, systemResolve } from './address.ts';
import { awaitConnected, unlessAborted } from './attempt.ts';
import { leadThroughProxy, type Proxy, proxyFailure, readProxy } from './proxy.ts';
import type { ServiceRequest } from './requests.ts';
import { createTlsClient } from './trust.ts';

/** A connection on which nothing has been sent to the service. */
interface OpenConnection {
  socket: Socket;
  /** The address that answered; null when a proxy was between, and it is unknown here. */
  peer: string | null;
  /** The proxy that takes requests itself, as it does for plain http; null when they go to the service. */
  forwardingProxy: Proxy | null;
}

/**
 * Connects to a service, through a proxy where one is set, and proves who answers. Throws failures, network errors as
 * Node made them, or the signal's reason.
 */
export async function openConnection(
  { origin, trust, clientCertificate, facts, timeouts, proxyFor, resolve }: ServiceRequest,
  signal: AbortSignal,
): Promise<OpenConnection> {
  const tls = origin.protocol === 'https:' ? createTlsClient(trust, clientCertificate, facts) : null;
  const proxy = await unlessAborted(findProxy(origin, proxyFor, facts), signal);
  const host = bareHost(origin.hostname);
  const port = Number(origin.port || (tls ? 443 : 80));
  const { socket: plain, isForwarding } =
    proxy === null
      ? { socket: await openTcp(host, port, resolve, signal), isForwarding: false }
      : await leadThroughProxy(
          () => openTcp(proxy.host, proxy.port, systemResolve, signal),
          { target: origin, proxy, facts, connectSeconds: timeouts.connectSeconds },
          signal,
        );
  const socket = tls === null ? plain : await tls.secure(plain, host, signal);
  return {
    socket,
    peer: proxy === null ? (socket.remoteAddress ?? null) : null,
    forwardingProxy: isForwarding ? proxy : null,
  };
}

async function openTcp(host: string, port: number, resolve: ResolveHost, signal: AbortSignal): Promise<Socket> {
  const addresses = isIP(host) === 0 ? await unlessAborted(resolve(host), signal) : [];
  const socket = connect({ host, port, lookup: settledLookup(addresses) });
  await awaitConnected(socket, 'connect', signal);
  return socket;
}

/** The proxy for a target; null for loopback, whatever is set: the lab's token goes to no proxy. */
async function findProxy(target: URL, proxyFor: Connection['proxyFor'], facts: CallFacts): Promise<Proxy | null> {
  if (isLoopback(target.hostname)) return null;
  const named = await proxyFor(target.origin);
  if (named === null) return null;
  const proxy = readProxy(named);
  return 'kind' in proxy ? proxy : fail(proxyFailure(proxy.reason, proxy.code, facts));
}
