import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { eventLine, fileNameHeader, sessionHeader } from '../../../shared/transport.ts';
import type { HttpLimits } from '../http-routes.ts';
import { type HttpHost, serveHttp } from '../http.ts';
import { EventQueue } from './event-queue.ts';
import { openFakes } from './fakes.ts';
import { type RawReply, rawRequest, type RawRequest } from './raw-request.ts';
import type { Stranger, StrangerTry, TransportHarness } from './transport-harness.ts';

/** The real HTTP host on a free port, with a page folder of its own. */
export interface HttpHarness extends TransportHarness {
  host: HttpHost;
  origin: string;
  pageDirectory: string;
  /** A session key, from a link of its own. */
  openSession(): Promise<string>;
  /** A POST as our page would send it, but for what is overridden. */
  post(
    path: string,
    overrides: { headers?: Record<string, string | null>; body?: string | Uint8Array },
  ): Promise<RawReply>;
  raw(request: Omit<RawRequest, 'port'>): Promise<RawReply>;
  /** The event stream of one page, unread. */
  openEvents(): Promise<Response>;
}

export async function openHttpHarness(limits: Partial<HttpLimits> = {}): Promise<HttpHarness> {
  const fakes = openFakes();
  const pageDirectory = await mkdtemp(join(tmpdir(), 'vitrine-page-'));
  await writeFile(join(pageDirectory, 'index.html'), '<!doctype html><title>Vitrine</title>');
  const host = await serveHttp({ ...fakes, port: 0, pageDirectory, limits });
  const origin = `http://127.0.0.1:${host.port}`;
  const raw = (request: Omit<RawRequest, 'port'>): Promise<RawReply> => rawRequest({ port: host.port, ...request });
  const openSession = async (): Promise<string> => sessionOf(await swap(raw, origin, secretOf(host.newLink())));
  const key = await openSession();

  const post: HttpHarness['post'] = (path, { headers = {}, body = '{}' }) =>
    raw({
      method: 'POST',
      path,
      body,
      headers: withoutNulls({ origin, [sessionHeader]: key, 'content-type': 'application/json', ...headers }),
    });
  const openEvents = (): Promise<Response> => fetch(`${origin}/events`, { headers: { [sessionHeader]: key } });

  return {
    fakes,
    host,
    origin,
    pageDirectory,
    openSession,
    post,
    raw,
    openEvents,
    call: async (name, input) => (await post(`/call/${name}`, { body: JSON.stringify(input) })).json,
    stage: async (name, content) => {
      const headers = { 'content-type': 'application/octet-stream', [fileNameHeader]: encodeURIComponent(name) };
      return (await post('/stage', { headers, body: content })).json;
    },
    listen: async () => queueOf(await openEvents()),
    strangers: strangersOf({ raw, post, host, origin }),
    close: async () => {
      await host.close();
      await rm(pageDirectory, { recursive: true });
    },
  };
}

function strangersOf({
  raw,
  post,
  host,
  origin,
}: Pick<HttpHarness, 'raw' | 'post' | 'host' | 'origin'>): Record<Stranger, StrangerTry> {
  const call = async (headers: Record<string, string | null>): Promise<unknown> =>
    (await post('/call/library.count', { headers })).json;
  return {
    'untrusted sender': {
      form: 'a form of another site',
      call: () => call({ 'content-type': 'text/plain' }),
      refusedAs: 'sender-refused',
    },
    'no key': { form: 'no session header', call: () => call({ [sessionHeader]: null }), refusedAs: 'session-missing' },
    'wrong key': {
      form: 'a made-up session key',
      call: () => call({ [sessionHeader]: 'A'.repeat(43) }),
      refusedAs: 'session-refused',
    },
    'used link': {
      form: 'the second swap of one link',
      call: async () => {
        const secret = secretOf(host.newLink());
        await swap(raw, origin, secret);
        return (await swap(raw, origin, secret)).json;
      },
      refusedAs: 'link-used',
    },
    'foreign host': {
      form: 'a DNS name that leads here',
      call: () => call({ host: `evil.example:${host.port}`, origin: `http://evil.example:${host.port}` }),
      refusedAs: 'sender-refused',
    },
    'foreign origin': {
      form: 'the page of another port',
      call: () => call({ origin: 'http://127.0.0.1:1' }),
      refusedAs: 'sender-refused',
    },
  };
}

/** The secret of a link as the host prints it. */
export function secretOf(link: string): string {
  return new URL(link).hash.slice(1);
}

function swap(raw: HttpHarness['raw'], origin: string, secret: string): Promise<RawReply> {
  return raw({
    method: 'POST',
    path: '/session',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
}

function sessionOf({ body }: RawReply): string {
  const [, key] = /"session":"([^"]+)"/.exec(body.toString()) ?? [];
  if (key === undefined) throw new Error(`no session: ${body.toString()}`);
  return key;
}

/** Resolves at the first heartbeat, which shows that the page is listening. */
async function queueOf({ body }: Response): Promise<EventQueue<unknown>> {
  if (!body) throw new Error('no event stream');
  const queue = new EventQueue<unknown>();
  const lines = createInterface({ input: Readable.fromWeb(body) });
  const connected = Promise.withResolvers<void>();
  lines.on('line', (line) => {
    const read = eventLine.parse(JSON.parse(line));
    if (read.kind === 'event') queue.put({ name: read.name, payload: read.payload });
    else connected.resolve();
  });
  // Ended with its host: whatever a test still waits for, it will not come.
  lines.on('error', () => lines.close());
  await connected.promise;
  return queue;
}

function withoutNulls(headers: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
