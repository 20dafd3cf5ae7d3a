import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { platform } from 'node:process';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { StagedFile } from '../../shared/domain/upload.ts';
import { systemErrorCode } from '../../shared/disk-failure.ts';
import type { EventName, EventPayload } from '../../shared/events.ts';
import { FailureError, type Result } from '../../shared/failure.ts';
import { hostKeyName } from '../../shared/host-files.ts';
import { readOwnFile, requireOwn } from '../base/owned-file.ts';
import {
  type Answer,
  type Ask,
  frameKinds,
  FrameReader,
  type Hello,
  jsonFrame,
  longestAnswerBytes,
  readBytesFrame,
  type Refused,
  type Welcome,
} from './local-socket-frames.ts';

// Loaded by every command, and by the shortest of them for nothing else: what takes long to load, such as schemas,
// stays out of here.

/**
 * Pieces that were sent, until they are taken. What sends them waits for that (`PieceAllowance`): the queue stays
 * short.
 */
class PieceQueue implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  #hasEnded = false;
  #wake: (() => void) | null = null;

  put(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#wake?.();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece) yield piece;
      else if (this.#hasEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** A running host, as far as commands use it. */
export interface HostConnection {
  readonly kind: 'running';
  call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<Result<OperationOutput<N>>>;
  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): Promise<() => void>;
  stageFile(path: string): Promise<Result<StagedFile>>;
  nameFolder(path: string): Promise<string>;
  /** @throws FailureError `export-gone` */
  take(id: string): AsyncIterable<Uint8Array>;
  /** Resolves when the host is gone; never after `close`. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

/** `none`: nothing listens, or it does not answer in time. */
export type FoundHost =
  { kind: 'open'; host: HostConnection } | { kind: 'none' } | { kind: 'other-version'; version: string };

interface HostSearch {
  dataDirectory: string;
  /** Of this program: a host of another version gets no requests. */
  version: string;
  withinMs: number;
}

/**
 * Finds the host that has a data directory open. Fails with `not-own` where its key or its socket is another user's.
 */
export async function findHost({ dataDirectory, version, withinMs }: HostSearch): Promise<FoundHost> {
  const [key, proof, address] = keyText(dataDirectory).split('\n');
  if (!key || !proof || !address || !isOwnSocket(address)) return { kind: 'none' };
  const socket = connect(address);
  const host = new HostSocket(socket, proof);
  const late = setTimeout(() => socket.destroy(), withinMs);
  socket.write(jsonFrame('hello', { key, version } satisfies Hello));
  const refused = await host.welcome;
  clearTimeout(late);
  if (refused === null) return { kind: 'open', host };
  socket.destroy();
  return refused.reason === 'version' ? { kind: 'other-version', version: refused.version } : { kind: 'none' };
}

/**
 * `absent`: nothing is open on the data, or it has not come as far as to answer commands. `silent`: it takes
 * connections, and does not answer.
 */
export type Presence = { kind: 'absent' } | { kind: 'answers' } | { kind: 'silent'; processId: number | null };

/**
 * Whether what is open on a data directory still answers, be it this version of the program or another. Fails as
 * `findHost` does.
 */
export async function presenceAt({
  dataDirectory,
  withinMs,
}: Pick<HostSearch, 'dataDirectory' | 'withinMs'>): Promise<Presence> {
  const [key, , address, processId] = keyText(dataDirectory).split('\n');
  if (!key || !address || !isOwnSocket(address)) return { kind: 'absent' };
  const socket = connect(address);
  const found = new Promise<Presence>((resolve) => {
    socket.setTimeout(withinMs, () => resolve({ kind: 'silent', processId: Number(processId) || null }));
    socket.once('data', () => resolve({ kind: 'answers' }));
    socket.once('error', () => resolve({ kind: 'absent' }));
    // Refused without a word, which takes a program that runs.
    socket.once('close', () => resolve({ kind: 'answers' }));
  });
  // No program has this version: whatever answers does so with a refusal, and that is all.
  socket.write(jsonFrame('hello', { key, version: '' } satisfies Hello));
  return found.finally(() => socket.destroy());
}

/** Empty where there is no key, or none that can be read: there is no host to connect to then. */
function keyText(dataDirectory: string): string {
  try {
    return readOwnFile(join(dataDirectory, hostKeyName)) ?? '';
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return '';
  }
}

/**
 * Whether there is a socket. One of another user would be sent the key, and after it tokens; no one else may change the
 * folder it is in, as it could be exchanged before the connection is made. A pipe of Windows has no owner to check: its
 * name is new at each start.
 */
function isOwnSocket(address: string): boolean {
  return platform === 'win32' || (requireOwn(dirname(address), 'folder') && requireOwn(address, 'socket'));
}

const wrongKey: Refused = { reason: 'key', version: '' };
type Settle = (result: Answer['result']) => void;
const gone: Answer['result'] = { ok: false, failure: { kind: 'host-gone' } };

/**
 * Frames of a host that has shown its welcome are taken as they are, as a thread's messages are: it is the same program
 * of the same user.
 */
class HostSocket implements HostConnection {
  readonly kind = 'running';
  readonly #socket: Socket;
  readonly #proof: string;
  readonly #reader = new FrameReader(longestAnswerBytes);
  readonly #pending = new Map<number, Settle>();
  readonly #taken = new Map<number, PieceQueue>();
  readonly #listeners = new Map<EventName, Set<(payload: never) => void>>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #lost = Promise.withResolvers<void>();
  readonly #welcome = Promise.withResolvers<Refused | null>();
  #isClosing = false;
  #lastId = 0;

  constructor(socket: Socket, proof: string) {
    this.#socket = socket;
    this.#proof = proof;
    socket.on('data', (chunk) => this.#arrived(chunk));
    // What there is to know of it is that it is closed.
    socket.on('error', () => {});
    socket.once('close', () => this.#end());
  }

  /** null: let in. */
  get welcome(): Promise<Refused | null> {
    return this.#welcome.promise;
  }

  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  async call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<Result<OperationOutput<N>>> {
    return this.#request((id) => ({ id, kind: 'call', name, input }));
  }

  async subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): Promise<() => void> {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    const result = await this.#request((id) => ({ id, kind: 'subscribe', name }));
    if (!result.ok) throw new FailureError(result.failure);
    return () => listeners.delete(listener);
  }

  async stageFile(path: string): Promise<Result<StagedFile>> {
    return this.#request((id) => ({ id, kind: 'stage', path }));
  }

  async nameFolder(path: string): Promise<string> {
    const result = await this.#request((id) => ({ id, kind: 'name-folder', path }));
    if (!result.ok) throw new FailureError(result.failure);
    return result.value;
  }

  async *take(exportId: string): AsyncIterable<Uint8Array> {
    const id = this.#nextId();
    const pieces = new PieceQueue();
    this.#taken.set(id, pieces);
    const result = this.#sendRequest({ id, kind: 'take', export: exportId });
    void result.then(() => pieces.end());
    try {
      for await (const piece of pieces) {
        yield piece;
        this.#send({ id, kind: 'more', pieces: 1 });
      }
    } finally {
      this.#taken.delete(id);
      this.#send({ id, kind: 'stop' });
    }
    const ended = await result;
    if (!ended.ok) throw new FailureError(ended.failure);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#socket.destroySoon();
    await this.#closed.promise;
  }

  #nextId(): number {
    return (this.#lastId += 1);
  }

  #request(requestOf: (id: number) => Ask): Promise<Answer['result']> {
    return this.#sendRequest(requestOf(this.#nextId()));
  }

  #sendRequest(ask: Ask): Promise<Answer['result']> {
    if (this.#socket.destroyed) return Promise.resolve(gone);
    this.#send(ask);
    return new Promise((resolve) => this.#pending.set(ask.id, resolve));
  }

  #send(ask: Ask): void {
    if (!this.#socket.destroyed) this.#socket.write(jsonFrame('ask', ask));
  }

  #arrived(chunk: Buffer): void {
    try {
      this.#reader.push(chunk);
      for (let frame = this.#reader.next(); frame; frame = this.#reader.next()) this.#read(frame.kind, frame.payload);
    } catch {
      // No host sends this.
      this.#socket.destroy();
    }
  }

  #read(kind: number, payload: Buffer): void {
    if (kind === frameKinds.bytes) {
      const { id, piece } = readBytesFrame(payload);
      this.#taken.get(id)?.put(piece);
    } else if (kind === frameKinds.answer) this.#answered(parsed<Answer>(payload));
    else if (kind === frameKinds.event) this.#onEvent(parsed<{ name: EventName; payload: never }>(payload));
    else if (kind === frameKinds.welcome)
      this.#welcome.resolve(parsed<Welcome>(payload).proof === this.#proof ? null : wrongKey);
    else this.#welcome.resolve(parsed<Refused>(payload));
  }

  #answered({ id, result }: Answer): void {
    this.#pending.get(id)?.(result);
    this.#pending.delete(id);
  }

  #onEvent({ name, payload }: { name: EventName; payload: never }): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(payload);
  }

  #end(): void {
    this.#welcome.resolve(wrongKey);
    this.#closed.resolve();
    if (!this.#isClosing) this.#lost.resolve();
    for (const settle of this.#pending.values()) settle(gone);
    this.#pending.clear();
  }
}

// The peer is this same program (see the class): a schema would take longer to load than the host to answer.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const parsed = <T>(payload: Buffer): T => JSON.parse(payload.toString()) as T;
