import type { EventName } from '../../shared/events.ts';
import type { Failure } from '../../shared/failure.ts';

/**
 * What a command and the host send each other: frames of a length (four bytes, big endian), a kind (one byte) and a
 * payload, which is JSON, or of `bytes` the number of the request (four bytes) and then a piece of what was requested.
 */
export const frameKinds = { hello: 1, welcome: 2, refused: 3, ask: 4, answer: 5, event: 6, bytes: 7 } as const;
export type FrameKind = keyof typeof frameKinds;

export interface Frame {
  /** As it was sent: it may be none of `frameKinds`. */
  kind: number;
  payload: Buffer;
}

/** From the command, first of all: the first line of the key's file. */
export interface Hello {
  key: string;
  version: string;
}
/** From the host: the second line of the key's file. */
export interface Welcome {
  proof: string;
}
/** From the host, instead of a welcome. */
export interface Refused {
  reason: 'key' | 'version';
  version: string;
}
/** Numbered by the command; all but `more` and `stop` are answered under their number. */
export type Ask = { id: number } & (
  | { kind: 'call'; name: string; input: unknown }
  | { kind: 'subscribe'; name: EventName }
  | { kind: 'stage' | 'name-folder'; path: string }
  /** The answer follows the last piece. */
  | { kind: 'take'; export: string }
  /** So many pieces more of what is being taken. */
  | { kind: 'more'; pieces: number }
  | { kind: 'stop' }
);
/** What the value is depends on the request. */
export interface Answer {
  id: number;
  result: { ok: true; value: never } | { ok: false; failure: Failure };
}

const headerBytes = 5;
/** A piece of what is taken has at most so many bytes. */
export const pieceBytes = 256 * 1024;
/** Pieces that are sent before more are requested. */
export const piecesAhead = 8;
/** The host's answers are windows of lists. */
export const longestAnswerBytes = 64 * 1024 * 1024;

/** More was announced than may be sent. */
export class FrameTooLongError extends Error {}

export function jsonFrame(kind: FrameKind, value: object): Buffer {
  return frame(kind, Buffer.from(JSON.stringify(value)));
}

export function bytesFrame(id: number, piece: Uint8Array): Buffer {
  const payload = Buffer.allocUnsafe(4 + piece.byteLength);
  payload.writeUInt32BE(id, 0);
  payload.set(piece, 4);
  return frame('bytes', payload);
}

export const readBytesFrame = (payload: Buffer): { id: number; piece: Uint8Array } => ({
  id: payload.readUInt32BE(0),
  piece: payload.subarray(4),
});

function frame(kind: FrameKind, payload: Buffer): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header.writeUInt32BE(payload.byteLength, 0);
  header.writeUInt8(frameKinds[kind], 4);
  return Buffer.concat([header, payload]);
}

/** Puts frames together from the pieces in which they arrive. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;
  #needed = headerBytes;
  /** Of a payload, in bytes. */
  limitBytes: number;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /**
   * @returns the first frame that is whole by now, and null when there is none. To be called again until then. @throws
   * FrameTooLongError
   */
  next(): Frame | null {
    if (this.#length < this.#needed) return null;
    const held = this.#held();
    const size = held.readUInt32BE(0);
    if (size > this.limitBytes) throw new FrameTooLongError(`a frame of ${size} bytes`);
    this.#needed = headerBytes + size;
    if (this.#length < this.#needed) return null;
    return this.#cut(held, size);
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.byteLength;
  }

  #held(): Buffer {
    const [first] = this.#chunks;
    const held = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    this.#chunks = [held];
    return held;
  }

  #cut(held: Buffer, size: number): Frame {
    this.#chunks = [held.subarray(headerBytes + size)];
    this.#length -= headerBytes + size;
    this.#needed = headerBytes;
    return { kind: held.readUInt8(4), payload: held.subarray(headerBytes, headerBytes + size) };
  }
}
