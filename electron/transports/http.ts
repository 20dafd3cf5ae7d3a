import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { fail } from '../../shared/failure.ts';
import type { DefectLog, Dispatch } from '../dispatcher.ts';
import type { EventHub } from '../event-hub.ts';
import { sendError } from './http-reply.ts';
import { checkSender, defaultHttpLimits, type HttpLimits, type HttpServices, routeFor } from './http-routes.ts';
import type { ExportsPort, StagingPort } from './ports.ts';
import { Sessions, StagedOwners } from './session.ts';

// Not imported: all of the module would be taken, its WebSocket included, for which Node loads a client that is never
// used. That took a tenth of the program's start.
const { createServer } = process.getBuiltinModule('node:http');

export interface HttpOptions {
  /** 0 for any free port. */
  port: number;
  dispatch: Dispatch;
  events: EventHub;
  staging: StagingPort;
  exports: ExportsPort;
  /** Holds `index.html` and what it needs; nothing outside is served. */
  pageDirectory: string;
  logDefect: DefectLog;
  limits?: Partial<HttpLimits>;
}

export interface HttpHost {
  port: number;
  /** `http://127.0.0.1:PORT/#secret`: works once. */
  newLink(): string;
  /** Ends every connection, running uploads and event streams included. */
  close(): Promise<void>;
}

/** Never another address: what listens on the network would be for everyone on it. */
const loopback = '127.0.0.1';

/** Serves the page and its calls on loopback. Fails with `port-busy` when the port cannot be had. */
export async function serveHttp(options: HttpOptions): Promise<HttpHost> {
  const { logDefect } = options;
  const limits = { ...defaultHttpLimits, ...options.limits };
  const services: HttpServices = { ...options, limits, sessions: new Sessions(), owners: new StagedOwners() };
  const server = createServer(timeoutsOf(limits));
  server.maxConnections = limits.connections;
  const port = await listen(server, options.port);
  // Such as no file descriptor left for one more connection: existing connections continue.
  server.on('error', (error) => logDefect(randomUUID(), 'listen', error));
  server.on('request', (request, response) => void answer(request, response, port, services, logDefect));
  return {
    port,
    newLink: () => `http://${loopback}:${port}/#${services.sessions.newLink()}`,
    close: () => close(server),
  };
}

/** There is no limit on a whole request, because uploads are long: `bodyOf` ends stalled ones. */
function timeoutsOf({ headersMs }: HttpLimits): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(headersMs, 5_000),
    keepAliveTimeout: 65_000,
  };
}

function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(port, loopback, () => {
    server.off('error', reject);
    const address = server.address();
    if (typeof address === 'object' && address !== null) resolve(address.port);
  });
  return promise.catch((error: NodeJS.ErrnoException) => {
    // EACCES: a port the system keeps for itself.
    if (error.code === 'EADDRINUSE' || error.code === 'EACCES') fail({ kind: 'port-busy', port }, error);
    throw error;
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  services: HttpServices,
  logDefect: DefectLog,
): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?');
  const route = routeFor(path);
  try {
    checkSender(request, port);
    await route.answer({ request, response, path }, services);
  } catch (error) {
    // A client that disconnected needs no answer, and disconnecting is no defect.
    if (response.destroyed) return;
    endSoon(request, services.limits.refusedBodyMs);
    sendError(response, route.operation, error, logDefect);
  }
}

/** Node reads and drops what is left of a refused body, so that the refusal arrives; not for ever, though. */
function endSoon(request: IncomingMessage, ms: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), ms).unref();
  request.once('end', () => clearTimeout(timer));
}

function close(server: Server): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.close((error) => (error ? reject(error) : resolve()));
  server.closeAllConnections();
  return promise;
}
