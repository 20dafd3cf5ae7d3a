import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { assertNever } from '../../shared/assert-never.ts';
import { isEventName } from '../../shared/events.ts';
import { fail, failed, FailureError, type Result, success } from '../../shared/failure.ts';
import { callLimitBytes } from '../../shared/transport.ts';
import type { DefectLog, Dispatch } from '../dispatcher.ts';
import type { EventHub } from '../event-hub.ts';
import {
  bytesFrame,
  type FrameKind,
  frameKinds,
  FrameReader,
  jsonFrame,
  longestAnswerBytes,
  pieceBytes,
  piecesAhead,
  type Refused,
  type Welcome,
} from './local-socket-frames.ts';
import type { ExportsPort, StagingPort } from './ports.ts';

/** How many more pieces a reader accepts before it reports that it took some. */
class PieceAllowance {
  #left: number;
  #hasEnded = false;
  #wake: (() => void) | null = null;

  constructor(pieces: number) {
    this.#left = pieces;
  }

  allow(pieces: number): void {
    this.#left += pieces;
    this.#wake?.();
  }

  /** No more pieces are accepted. */
  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  /** Resolves when one more may be sent; false: none will be taken any more. One may wait at a time. */
  async one(): Promise<boolean> {
    while (this.#left === 0 && !this.#hasEnded) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#left -= 1;
    return !this.#hasEnded;
  }
}

export interface SocketHost {
  dispatch: Dispatch;
  events: EventHub;
  staging: Pick<StagingPort, 'stagePath'>;
  exports: ExportsPort;
  /** A folder that a person named at a terminal. @returns the name that operations use for it */
  nameFolder(path: string): string;
  version: string;
  /** Whether that is the key of this start. */
  isKey(key: string): boolean;
  /** Shown to a client that has the key: another program may have replaced a crashed host. */
  proof: string;
  logDefect: DefectLog;
}

export interface LocalSocketLimits {
  /** From the connection to its whole hello. */
  helloMs: number;
  /** Questions of one command that wait for their answers. */
  questions: number;
  /** What waits for one command that does not read; beyond it the command is cut off. */
  waitingBytes: number;
}

const hello = z.object({ key: z.string(), version: z.string() });
const numbered = { id: z.number().int().min(0).max(0xffffffff) };
const clientRequest = z.discriminatedUnion('kind', [
  z.object({ ...numbered, kind: z.literal('call'), name: z.string(), input: z.unknown() }),
  z.object({ ...numbered, kind: z.literal('subscribe'), name: z.string().refine(isEventName) }),
  z.object({ ...numbered, kind: z.enum(['stage', 'name-folder']), path: z.string().refine(isAbsolute) }),
  z.object({ ...numbered, kind: z.literal('take'), export: z.string() }),
  z.object({ ...numbered, kind: z.literal('more'), pieces: z.number().int().min(1).max(piecesAhead) }),
  z.object({ ...numbered, kind: z.literal('stop') }),
]);
type ClientRequest = z.infer<typeof clientRequest>;

const longestHelloBytes = 1024;
const longestAskBytes = callLimitBytes + 1024;

/** One connected command. Whatever it does wrong ends its connection, and nothing else. */
export class LocalSocketSession {
  readonly #socket: Socket;
  readonly #host: SocketHost;
  readonly #limits: LocalSocketLimits;
  readonly #reader = new FrameReader(longestHelloBytes);
  readonly #subscribed = new Set<string>();
  readonly #taken = new Map<number, PieceAllowance>();
  #isLetIn = false;
  #questions = 0;

  constructor(socket: Socket, host: SocketHost, limits: LocalSocketLimits) {
    this.#socket = socket;
    this.#host = host;
    this.#limits = limits;
    const late = setTimeout(() => this.#isLetIn || this.end(), limits.helloMs).unref();
    const unsubscribe = host.events.subscribe(
      (event) => this.#subscribed.has(event.name) && this.#send('event', event),
    );
    socket.on('data', (chunk) => this.#arrived(chunk));
    // It went away: `close` follows.
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(late);
      unsubscribe();
      for (const allowance of this.#taken.values()) allowance.end();
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #arrived(chunk: Buffer): void {
    try {
      this.#reader.push(chunk);
      for (let frame = this.#reader.next(); frame && !this.#socket.destroyed; frame = this.#reader.next())
        this.#read(frame.kind, frame.payload);
    } catch {
      // Too long, no JSON, or not one of our requests: it is no command of ours.
      this.end();
    }
  }

  #read(kind: number, payload: Buffer): void {
    const value: unknown = JSON.parse(payload.toString());
    if (!this.#isLetIn) return this.#greet(kind, hello.parse(value));
    if (kind !== frameKinds.ask) return this.end();
    this.#handleRequest(clientRequest.parse(value));
  }

  #greet(kind: number, { key, version }: z.infer<typeof hello>): void {
    const { version: own, proof } = this.#host;
    if (kind !== frameKinds.hello || !this.#host.isKey(key)) return this.#refuse('key');
    if (version !== own) return this.#refuse('version');
    this.#isLetIn = true;
    this.#reader.limitBytes = longestAskBytes;
    this.#send('welcome', { proof } satisfies Welcome);
  }

  /** The version is no secret, but for who has the key. */
  #refuse(reason: Refused['reason']): void {
    this.#socket.end(
      jsonFrame('refused', { reason, version: reason === 'version' ? this.#host.version : '' } satisfies Refused),
    );
    this.#socket.removeAllListeners('data').resume();
  }

  #handleRequest(request: ClientRequest): void {
    if (request.kind === 'more') return this.#taken.get(request.id)?.allow(request.pieces);
    if (request.kind === 'stop') return this.#taken.get(request.id)?.end();
    this.#questions += 1;
    if (this.#questions > this.#limits.questions) return this.end();
    void this.#answer(request).finally(() => (this.#questions -= 1));
  }

  async #answer(request: Exclude<ClientRequest, { kind: 'more' | 'stop' }>): Promise<void> {
    const result = await this.#result(request).catch((error: unknown) => this.#failed(request.kind, error));
    this.#sendAnswer(request.id, result);
  }

  async #result(request: Exclude<ClientRequest, { kind: 'more' | 'stop' }>): Promise<Result<unknown>> {
    switch (request.kind) {
      case 'call':
        return this.#host.dispatch(request.name, request.input);
      case 'subscribe':
        this.#subscribed.add(request.name);
        return success({});
      case 'stage':
        return success(await this.#host.staging.stagePath(request.path));
      case 'name-folder':
        return success(this.#host.nameFolder(request.path));
      case 'take':
        await this.#give(request.id, request.export);
        return success({});
      default:
        return assertNever(request);
    }
  }

  async #give(id: number, exportId: string): Promise<void> {
    const download = this.#host.exports.take(exportId) ?? fail({ kind: 'export-gone' });
    const allowance = new PieceAllowance(piecesAhead);
    this.#taken.set(id, allowance);
    try {
      for await (const chunk of download.open()) await this.#sendPieces(id, chunk, allowance);
    } finally {
      this.#taken.delete(id);
    }
  }

  async #sendPieces(id: number, chunk: Uint8Array, allowance: PieceAllowance): Promise<void> {
    for (let from = 0; from < chunk.byteLength; from += pieceBytes) {
      if (!(await allowance.one()) || this.#socket.destroyed) fail({ kind: 'cancelled' });
      this.#socket.write(bytesFrame(id, chunk.subarray(from, from + pieceBytes)));
    }
  }

  #failed(operation: string, error: unknown): Result<never> {
    if (error instanceof FailureError) return failed(error.failure);
    const id = randomUUID();
    this.#host.logDefect(id, operation, error);
    return failed({ kind: 'unexpected', id });
  }

  #sendAnswer(id: number, result: Result<unknown>): void {
    const frame = jsonFrame('answer', { id, result });
    this.#write(
      frame.byteLength <= longestAnswerBytes
        ? frame
        : jsonFrame('answer', { id, result: failed({ kind: 'body-too-large', limitBytes: longestAnswerBytes }) }),
    );
  }

  #send(kind: FrameKind, value: object): void {
    this.#write(jsonFrame(kind, value));
  }

  #write(frame: Buffer): void {
    if (this.#socket.destroyed) return;
    this.#socket.write(frame);
    const isBehind = (): boolean => this.#socket.writableLength > this.#limits.waitingBytes;
    // Checked a second time once this turn's frames had their chance to be sent: a long answer alone does not mean that
    // a command is slow.
    if (isBehind()) setImmediate(() => isBehind() && this.end());
  }
}
