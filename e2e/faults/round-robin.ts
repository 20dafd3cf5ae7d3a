import { createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { listenOnLoopback } from './loopback-server.ts';

/** A balancer before servers that must not matter to a client: each request goes to the next one. */
export interface RoundRobin {
  /** `127.0.0.1:PORT`, what its clients send as Host. */
  host: string;
  /** Passes requests on to this origin, too. */
  add(origin: string): void;
  close(): Promise<void>;
}

/** Answers 503 while it has no server. Requests and replies are passed on as they come, the Host header among them. */
export async function startRoundRobin(): Promise<RoundRobin> {
  const origins: string[] = [];
  let turns = 0;
  const server = createServer((request, response) => {
    const origin = origins[turns++ % origins.length];
    if (origin === undefined) response.writeHead(503).end();
    else passOn(request, response, origin);
  });
  const host = new URL(await listenOnLoopback(server)).host;
  return {
    host,
    add: (origin) => void origins.push(origin),
    close: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      return promise;
    },
  };
}

/** On a connection of its own: a client's connection is not bound to a server. */
function passOn(request: IncomingMessage, response: ServerResponse, origin: string): void {
  const onward = sendRequest(new URL(request.url ?? '/', origin), {
    method: request.method,
    headers: endToEnd(request.rawHeaders),
    agent: false,
  });
  let isAnswered = false;
  onward.on('response', (reply) => {
    isAnswered = true;
    response.writeHead(reply.statusCode ?? 502, reply.statusMessage ?? '', endToEnd(reply.rawHeaders));
    // A reply is passed on from its headers on, whatever time its body takes.
    response.flushHeaders();
    pipeline(reply, response, (error) => error && onward.destroy());
  });
  // A client that hangs up ends the request, too; a server that answers early may refuse the rest of a body.
  response.on('close', () => response.writableFinished || onward.destroy());
  pipeline(request, onward, (error) => error && !isAnswered && response.destroy());
}

/** Without the headers that are about one connection. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !/^(?:connection|keep-alive)$/i.test(rawHeaders[at - (at % 2)] ?? ''));
}
