import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { assertNever } from '../../shared/assert-never.ts';
import { isEventName } from '../../shared/contract.ts';
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
import { PieceAllowance } from './piece-allowance.ts';
import type { ExportsPort, StagingPort } from './ports.ts';

export interface SocketDesk {
  dispatch: Dispatch;
  events: EventHub;
  staging: Pick<StagingPort, 'stagePath'>;
  exports: ExportsPort;
  /** A folder that somebody at a terminal named. @returns what operations name it by */
  nameFolder(path: string): string;
  version: string;
  /** Whether that is the key of this start. */
  isKey(key: string): boolean;
  /** Shown to who has the key: another program may have taken the place of a desk that crashed. */
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
const ask = z.discriminatedUnion('kind', [
  z.object({ ...numbered, kind: z.literal('call'), name: z.string(), input: z.unknown() }),
  z.object({ ...numbered, kind: z.literal('subscribe'), name: z.string().refine(isEventName) }),
  z.object({ ...numbered, kind: z.enum(['stage', 'name-folder']), path: z.string().refine(isAbsolute) }),
  z.object({ ...numbered, kind: z.literal('take'), export: z.string() }),
  z.object({ ...numbered, kind: z.literal('more'), pieces: z.number().int().min(1).max(piecesAhead) }),
  z.object({ ...numbered, kind: z.literal('stop') }),
]);
type Question = z.infer<typeof ask>;

const longestHelloBytes = 1024;
const longestAskBytes = callLimitBytes + 1024;

/** One command that talks to this desk. Whatever it does wrong ends its connection, and nothing else. */
export class LocalSocketSession {
  readonly #socket: Socket;
  readonly #desk: SocketDesk;
  readonly #limits: LocalSocketLimits;
  readonly #reader = new FrameReader(longestHelloBytes);
  readonly #subscribed = new Set<string>();
  readonly #taken = new Map<number, PieceAllowance>();
  #isLetIn = false;
  #questions = 0;

  constructor(socket: Socket, desk: SocketDesk, limits: LocalSocketLimits) {
    this.#socket = socket;
    this.#desk = desk;
    this.#limits = limits;
    const late = setTimeout(() => this.#isLetIn || this.end(), limits.helloMs).unref();
    const unsubscribe = desk.events.subscribe(
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
      // Too long, no JSON, or none of our questions: nobody who speaks so is a command of ours.
      this.end();
    }
  }

  #read(kind: number, payload: Buffer): void {
    const value: unknown = JSON.parse(payload.toString());
    if (!this.#isLetIn) return this.#greet(kind, hello.parse(value));
    if (kind !== frameKinds.ask) return this.end();
    this.#ask(ask.parse(value));
  }

  #greet(kind: number, { key, version }: z.infer<typeof hello>): void {
    const { version: own, proof } = this.#desk;
    if (kind !== frameKinds.hello || !this.#desk.isKey(key)) return this.#refuse('key');
    if (version !== own) return this.#refuse('version');
    this.#isLetIn = true;
    this.#reader.limitBytes = longestAskBytes;
    this.#send('welcome', { proof } satisfies Welcome);
  }

  /** The version is no secret, but for who has the key. */
  #refuse(reason: Refused['reason']): void {
    this.#socket.end(
      jsonFrame('refused', { reason, version: reason === 'version' ? this.#desk.version : '' } satisfies Refused),
    );
    this.#socket.removeAllListeners('data').resume();
  }

  #ask(question: Question): void {
    if (question.kind === 'more') return this.#taken.get(question.id)?.allow(question.pieces);
    if (question.kind === 'stop') return this.#taken.get(question.id)?.end();
    this.#questions += 1;
    if (this.#questions > this.#limits.questions) return this.end();
    void this.#answer(question).finally(() => (this.#questions -= 1));
  }

  async #answer(question: Exclude<Question, { kind: 'more' | 'stop' }>): Promise<void> {
    const result = await this.#result(question).catch((error: unknown) => this.#failed(question.kind, error));
    this.#sendAnswer(question.id, result);
  }

  async #result(question: Exclude<Question, { kind: 'more' | 'stop' }>): Promise<Result<unknown>> {
    switch (question.kind) {
      case 'call':
        return this.#desk.dispatch(question.name, question.input);
      case 'subscribe':
        this.#subscribed.add(question.name);
        return success({});
      case 'stage':
        return success(await this.#desk.staging.stagePath(question.path));
      case 'name-folder':
        return success(this.#desk.nameFolder(question.path));
      case 'take':
        await this.#give(question.id, question.export);
        return success({});
      default:
        return assertNever(question);
    }
  }

  async #give(id: number, exportId: string): Promise<void> {
    const download = this.#desk.exports.take(exportId) ?? fail({ kind: 'export-gone' });
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
    this.#desk.logDefect(id, operation, error);
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
    // Asked again once this turn's frames had their chance to go out: a long answer alone makes no command slow.
    if (isBehind()) setImmediate(() => isBehind() && this.end());
  }
}
