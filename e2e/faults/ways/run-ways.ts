import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { defaultRepositoryOptions } from '../../../shared/domain/workspace.ts';
import type { Failure } from '../../../shared/failure.ts';
import { listenOnLoopback } from '../loopback-server.ts';
import type { ActScene } from '../matrix/acts/act.ts';
import { downloadfile } from '../matrix/acts/downloadfile.ts';
import { getfile } from '../matrix/acts/getfile.ts';
import { uploadfiles } from '../matrix/acts/uploadfiles.ts';
import { cellSample } from '../matrix/cell-sample.ts';
import { type FaultHost, openFaultHost } from '../matrix/fault-host.ts';
import { failureWords, sentenceWords } from '../matrix/seen-words.ts';
import { SoundService } from '../matrix/sound-service.ts';
import type { Certificates, KeyPair } from '../matrix/throw-away-certificates.ts';
import { type Proxy, startProxy } from './proxies.ts';
import type { Front, Way } from './ways.ts';

/** What was seen of one way, and what is not as it must be. */
export interface RanWay {
  way: Way;
  failure: string | null;
  sentence: string;
  seen: string;
  wrong: string[];
}

const token = 'ways-token';
const login = { username: 'ways-user', password: 'ways/p@ss:word' };
const waysAtOnce = 3;
const calls = { getfile, downloadfile, uploadfiles };

/** Each way with a host of its own: the proxy comes from the environment of its process. */
export async function runWays(
  ways: readonly Way[],
  folder: string,
  certificates: Certificates,
  report: (ran: RanWay) => void,
): Promise<RanWay[]> {
  const ran = new Map<Way, RanWay>();
  const queue = [...ways];
  const work = async (): Promise<void> => {
    for (let way = queue.shift(); way !== undefined; way = queue.shift()) {
      const one = await judged(way, join(folder, `way-${ways.indexOf(way)}`), certificates);
      ran.set(way, one);
      report(one);
    }
  };
  await Promise.all(Array.from({ length: waysAtOnce }, work));
  return ways.flatMap((way) => ran.get(way) ?? []);
}

async function judged(way: Way, folder: string, certificates: Certificates): Promise<RanWay> {
  try {
    return await runWay(way, folder, certificates);
  } catch (error) {
    const wrong = [error instanceof Error ? error.message : String(error)];
    return { way, failure: null, sentence: '', seen: '', wrong };
  }
}

async function runWay(way: Way, folder: string, certificates: Certificates): Promise<RanWay> {
  const samples = Object.keys(calls).map((call) => cellSample(`${way.words} ${call}`, 48_000));
  const sound = new SoundService(samples.slice(0, 2));
  const heads: string[] = [];
  const service = await startService(way, certificates, async (request, response) => {
    heads.push(JSON.stringify(request.headers));
    const parameters = new URLSearchParams(request.url?.split('?')[1] ?? '');
    const action = parameters.get('action') ?? '';
    const asked = { action, parameters, headers: request.headers, body: await buffer(request) };
    const { status, body } = await sound.answer(asked);
    response.writeHead(status, { 'Content-Length': body.length }).end(body);
  });
  const proxy = way.proxy && (await proxyOf(way, service.port, certificates));
  try {
    const environment = await environmentOf(way, proxy, folder, certificates);
    const vitrine = await openFaultHost(folder, environment);
    let failure: Failure | null;
    try {
      failure = await failureOfCalls(vitrine, way, {
        baseUrl: addressOf(way, service.port),
        sound,
        samples,
        certificates,
      });
    } finally {
      await vitrine.close();
    }
    const seen = [...new Set(proxy?.seen)].join(', ') || 'nothing';
    const words = failureWords(failure);
    const wrong = [
      ...(words === way.failure ? [] : [`failure: "${words}", expected "${way.failure}"`]),
      ...(seen === way.seen ? [] : [`seen: "${seen}", expected "${way.seen}"`]),
      ...(way.service === 'https' && proxy?.received().includes(token) ? ['the proxy got the token'] : []),
      ...(/proxy-authorization|ways-user/i.test(heads.join()) ? ['the service got the login of the proxy'] : []),
      ...(await secretsIn(folder)),
    ];
    return { way, failure: words, sentence: sentenceWords(failure), seen, wrong };
  } finally {
    await Promise.all([service.close(), proxy?.close()]);
  }
}

interface Scene {
  baseUrl: string;
  sound: SoundService;
  samples: ActScene['samples'];
  certificates: Certificates;
}

/** The one failure of all calls. A way that fails is not tried with an upload, which would wait for the service. */
async function failureOfCalls(vitrine: FaultHost, way: Way, scene: Scene): Promise<Failure | null> {
  const { id: workspaceId } = await vitrine.call('workspaces.add', {
    name: 'ways',
    repository: { baseUrl: scene.baseUrl, token: { kind: 'set', token } },
    ruleEditor: null,
    allowHttp: true,
    trust: { kind: 'authority', pem: scene.certificates.authority.cert },
    timeouts: { connectSeconds: 20, firstByteSeconds: 60, idleSeconds: 20 },
    options: defaultRepositoryOptions,
  });
  const names = (['getfile', 'downloadfile', 'uploadfiles'] as const).slice(0, way.failure === null ? 3 : 2);
  const failures: (Failure | null)[] = [];
  for (const [index, name] of names.entries()) {
    const act = {
      vitrine,
      workspaceId,
      service: { sound: scene.sound },
      samples: scene.samples.slice(index, index + 1),
    };
    const { prepare, does, kept, wholeKept } = calls[name];
    await prepare?.(act);
    const ending = await does(act);
    failures.push(ending.failure);
    const stored = await kept(act, ending);
    if (stored !== (way.failure === null ? wholeKept : 'nothing')) throw new Error(`${name}: ${stored} is stored`);
  }
  const [first = null] = failures;
  if (failures.some((other) => failureWords(other) !== failureWords(first)))
    throw new Error(`the calls differ: ${failures.map(failureWords).join(', ')}`);
  return first;
}

const addressOf = ({ service, proxy }: Way, port: number): string =>
  proxy === null ? `${service}://127.0.0.1:${port}` : `${service}://repository.test`;

async function environmentOf(
  { proxy: route }: Way,
  proxy: Proxy | null,
  folder: string,
  { authority }: Certificates,
): Promise<NodeJS.ProcessEnv> {
  const names = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'];
  const none = Object.fromEntries(
    names.flatMap((name) => [
      [name, ''],
      [name.toUpperCase(), ''],
    ]),
  );
  if (route === null || proxy === null) return none;
  const authorityPath = `${folder}.pem`;
  await writeFile(authorityPath, authority.cert);
  const password = route.given === 'wrong-login' ? 'ways-other' : login.password;
  const userInfo = route.given ? `${login.username}:${encodeURIComponent(password)}@` : '';
  const address = `${route.scheme ?? route.kind}://${userInfo}${proxy.place}`;
  const trusted = route.fault === 'not-trusted' ? {} : { NODE_EXTRA_CA_CERTS: authorityPath };
  return { ...none, all_proxy: address, ...trusted };
}

async function proxyOf({ proxy: route }: Way, leadsTo: number, { good }: Certificates): Promise<Proxy> {
  const fault = route?.fault ?? null;
  const proxy = await startProxy({
    kind: route?.kind ?? 'http',
    leadsTo,
    certificate: good,
    login: route?.requires ? login : null,
    fault: fault === 'not-listening' || fault === 'not-trusted' ? null : fault,
  });
  if (fault !== 'not-listening') return proxy;
  await proxy.close();
  return { ...proxy, close: async () => {} };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function startService(
  { service, front }: Way,
  { good, authority }: Certificates,
  answer: Answer,
): Promise<{ port: number; close(): Promise<void> }> {
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const scheme = front === 'basic' ? 'Basic realm="files"' : front === 'ntlm' ? 'NTLM' : null;
    if (scheme !== null) return void response.writeHead(401, { 'WWW-Authenticate': scheme }).end('<html>Sign in');
    answer(request, response).catch(() => response.destroy());
  };
  const server = service === 'http' ? createServer(onRequest) : secureServer(front, good, authority, onRequest);
  server.on('tlsClientError', () => {});
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  const origin = await listenOnLoopback(server);
  return {
    port: Number(new URL(origin).port),
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function secureServer(
  front: Front | null,
  good: KeyPair,
  authority: KeyPair,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  if (front === 'http2') return createSecureServer({ ...good, allowHTTP1: false });
  const [, version] = front?.split('-') ?? [];
  if (version !== '1.2' && version !== '1.3') return createTlsServer(good, onRequest);
  const versions = { minVersion: `TLSv${version}`, maxVersion: `TLSv${version}` } as const;
  const client = { requestCert: true, rejectUnauthorized: true, ca: [authority.cert] };
  return createTlsServer({ ...good, ...client, ...versions }, onRequest);
}

/** What the host left on the disk may hold no secret as it is, and no defect. */
async function secretsIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      const words = [token, 'ways-other', login.password, encodeURIComponent(login.password), '"level":"defect"'];
      return words.filter((one) => bytes.includes(one)).map((one) => `${name} holds ${one}`);
    }),
  );
  return found.flat();
}
