import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../loopback-server.ts';
import type { ActionName } from './actions.ts';
import type { CellSample } from './cell-sample.ts';
import { type ConnectionFault, type FaultName, faults, isConnectionFault } from './faults.ts';
import { askedPause, type Due, replyFaults } from './reply-faults.ts';
import { SoundService } from './sound-service.ts';
import type { Certificates, KeyPair } from './throw-away-certificates.ts';

export interface FaultyServiceOptions {
  action: ActionName;
  fault: FaultName;
  samples: readonly CellSample[];
  certificates: Certificates;
}

/** A service with everything but one action as it should be, and that one too until the fault begins. */
export interface FaultyService {
  baseUrl: string;
  /** What a sound service would have kept. */
  sound: SoundService;
  /** Requests since the fault began, by action; `elsewhere` for those to the other server. */
  requests: readonly string[];
  /** What the other server got and no other server may get: tokens and bodies. */
  leaked: readonly string[];
  /** Milliseconds after which a request was repeated, although the service had demanded a longer pause. */
  hasty: readonly number[];
  begin(): void;
  end(): Promise<void>;
  close(): Promise<void>;
}

/** A name that never resolves (RFC 6761, 6.4). */
export const unusedAddress = 'http://nobody.invalid';

export async function startFaultyService(options: FaultyServiceOptions): Promise<FaultyService> {
  const running = new RunningService(options);
  await running.start();
  return running;
}

class RunningService implements FaultyService {
  readonly #options: FaultyServiceOptions;
  readonly #server;
  readonly #elsewhere;
  readonly sound: SoundService;
  readonly requests: string[] = [];
  readonly leaked: string[] = [];
  readonly hasty: number[] = [];
  readonly #isTls: boolean;
  #elsewhereUrl = '';
  baseUrl = '';
  #isFaulty = false;
  #putOffAt: number | null = null;

  constructor(options: FaultyServiceOptions) {
    this.#options = options;
    this.sound = new SoundService(options.samples);
    this.#isTls = options.fault === 'tls-expired' || options.fault === 'tls-wrong-host';
    const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
      this.#answer(request, response).catch(() => response.destroy());
    };
    this.#server = this.#isTls
      ? createTlsServer(contextOf(options.certificates.good), onRequest)
      : createServer(onRequest);
    this.#elsewhere = createServer((request, response) => void this.#answerElsewhere(request, response));
    // Clients that hang up are what these faults are for.
    for (const event of ['clientError', 'tlsClientError']) this.#server.on(event, () => {});
  }

  async start(): Promise<void> {
    const origin = await listenOnLoopback(this.#server);
    this.baseUrl = this.#isTls ? origin.replace('http:', 'https:') : origin;
    this.#elsewhereUrl = await listenOnLoopback(this.#elsewhere);
  }

  begin(): void {
    this.requests.length = 0;
    this.#isFaulty = true;
    const { fault, action } = this.#options;
    // The request before it must be answered: the server closes after that.
    if (isConnectionFault(fault) && action !== 'downloadpublication') this.#breakConnections(fault);
  }

  async end(): Promise<void> {
    this.#isFaulty = false;
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(contextOf(this.#options.certificates.good));
    if (!this.#server.listening) await listenOnLoopback(this.#server, Number(new URL(this.baseUrl).port));
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.#server, this.#elsewhere]
        .filter(({ listening }) => listening)
        .map(async (server) => {
          server.close();
          server.closeAllConnections();
          await once(server, 'close');
        }),
    );
  }

  #breakConnections(fault: ConnectionFault): void {
    const { expired, wrongName } = this.#options.certificates;
    if (fault === 'refused') this.#server.close();
    else if ('setSecureContext' in this.#server)
      this.#server.setSecureContext(contextOf(fault === 'tls-expired' ? expired : wrongName));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { action: broken, fault } = this.#options;
    const parameters = new URLSearchParams(request.url?.split('?')[1] ?? '');
    const action = parameters.get('action') ?? '';
    this.requests.push(action);
    const asked = { action, parameters, headers: request.headers, body: await buffer(request) };
    if (
      this.#isFaulty &&
      broken === 'downloadpublication' &&
      isConnectionFault(fault) &&
      action === 'checkpackageversion'
    )
      this.#breakConnections(fault);
    if (!this.#isFaulty || !broken.split('+').includes(action)) return send(response, await this.sound.answer(asked));
    // Of these faults only the unknown name still gets a request: a redirect leads to that name.
    if (isConnectionFault(fault))
      return void response.writeHead(302, { Location: `${unusedAddress}/package.zip` }).end();
    const due = faults[fault].arrives ? await this.sound.answer(asked) : nothingDue;
    if (fault === 'status-429') this.#notePause(response);
    replyFaults[fault]({ request, response, due, elsewhere: this.#elsewhereUrl });
  }

  #notePause(response: ServerResponse): void {
    const waitedMs = this.#putOffAt === null ? Infinity : performance.now() - this.#putOffAt;
    if (waitedMs < askedPause * 1000) this.hasty.push(Math.round(waitedMs));
    response.once('finish', () => void (this.#putOffAt = performance.now()));
  }

  async #answerElsewhere(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push('elsewhere');
    const body = await buffer(request);
    if (/token/i.test(`${request.url} ${JSON.stringify(request.headers)}`)) this.leaked.push('a token');
    if (body.length > 0) this.leaked.push('a body');
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><html><title>Sign in</title></html>');
  }
}

const nothingDue: Due = { status: 200, body: Buffer.alloc(0), isJson: false };
const contextOf = ({ key, cert }: KeyPair): { key: string; cert: string } => ({ key, cert });

function send(response: ServerResponse, { status, body, isJson }: Due): void {
  response.writeHead(status, {
    'Content-Type': isJson ? 'application/json' : 'application/octet-stream',
    'Content-Length': body.length,
  });
  response.end(body);
}
