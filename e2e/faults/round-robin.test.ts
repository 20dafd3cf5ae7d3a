import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as sendRequest, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { listenOnLoopback } from './loopback-server.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';

const servers: Server[] = [];
let balancer: RoundRobin | null = null;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterEach(async () => {
  agent.destroy();
  await balancer?.close();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function balance(...listeners: Parameters<typeof createServer>[1][]): Promise<string> {
  balancer = await startRoundRobin();
  for (const listener of listeners) {
    const server = createServer(listener ?? (() => {}));
    servers.push(server);
    balancer.add(await listenOnLoopback(server));
  }
  return `http://${balancer.host}`;
}

test('requests over one connection reach the servers in turn, with the Host that the client sent', async () => {
  const ports = new Set<number | undefined>();
  const url = await balance(
    ({ headers }, response) => response.end(`first ${headers.host}`),
    ({ headers }, response) => response.end(`second ${headers.host}`),
  );
  const ask = async (): Promise<string> => {
    const request = sendRequest(url, { agent }).end();
    const replied = once(request, 'response');
    ports.add((await replied).length === 1 ? request.socket?.localPort : undefined);
    const [reply]: IncomingMessage[] = await replied;
    return reply === undefined ? '' : text(reply);
  };
  const { host } = new URL(url);
  expect([await ask(), await ask(), await ask()]).toEqual([`first ${host}`, `second ${host}`, `first ${host}`]);
  expect(ports.size).toBe(1);
});

test('a request and its reply are passed on while they are still being sent', async () => {
  const url = await balance((request, response) => void request.pipe(response));
  const request = sendRequest(url, { method: 'POST' });
  request.write('one');
  const [reply]: IncomingMessage[] = await once(request, 'response');
  const [first] = reply === undefined ? [] : await once(reply, 'data');
  expect(String(first)).toBe('one');
  request.end('two');
  expect(reply && (await text(reply))).toBe('two');
});

test('a reply that a server cuts off is cut off for the client', async () => {
  const url = await balance((_, response) => {
    response.writeHead(200, { 'content-length': 10 });
    response.write('half', () => response.destroy());
  });
  await expect(fetch(url).then((reply) => reply.text())).rejects.toThrow('terminated');
});

test('a server learns that its client hung up', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const url = await balance((_, response) => {
    response.on('close', () => resolve());
    response.flushHeaders();
  });
  const ending = new AbortController();
  const reply = await fetch(url, { signal: ending.signal });
  ending.abort();
  await expect(reply.text()).rejects.toThrow('aborted');
  await closed;
});
