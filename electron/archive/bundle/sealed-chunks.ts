import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { BundledRecord } from '../../../shared/domain/bundle.ts';
import { fail } from '../../../shared/failure.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';

/**
 * A stream as chunks of AES-256-GCM, in the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár: Online
 * Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance, 2015), as age has it: the nonce of a chunk is its
 * number, 11 bytes, and 1 for the last one. The key is of one file alone. A chunk that was altered, left out, moved or
 * put in, and an end that is none, are found when they are read.
 */
export const tagBytes = 16;

const cipherName = 'aes-256-gcm';
const nonceBytes = 12;
const numberAt = 5;

export interface SealedSink {
  /** The bytes are its own. */
  write(bytes: Uint8Array): void | Promise<void>;
}

/** Seals what is written to it, and holds one chunk. */
export class ChunkSealer {
  readonly #key: KeyObject;
  readonly #sink: SealedSink;
  readonly #chunk: Buffer;
  #filled = 0;
  #number = 0;

  constructor(key: KeyObject, chunkBytes: number, sink: SealedSink) {
    this.#key = key;
    this.#sink = sink;
    this.#chunk = Buffer.allocUnsafeSlow(chunkBytes);
  }

  /** Await each call before the next. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length;) {
      // Only now: whether a full chunk is the last one is known when more comes.
      if (this.#filled === this.#chunk.length) await this.#seal(false);
      const part = bytes.subarray(taken, taken + this.#chunk.length - this.#filled);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
    }
  }

  async finish(): Promise<void> {
    await this.#seal(true);
  }

  async #seal(isLast: boolean): Promise<void> {
    const cipher = createCipheriv(cipherName, this.#key, nonceOf(this.#number, isLast));
    const sealed = cipher.update(this.#chunk.subarray(0, this.#filled));
    cipher.final();
    this.#filled = 0;
    this.#number += 1;
    await this.#sink.write(sealed);
    await this.#sink.write(cipher.getAuthTag());
  }
}

export interface SealedBytes {
  readonly sizeBytes: number;
  /** Fewer than asked for only at the end. The bytes are the caller's to give back. */
  read(position: number, length: number): Promise<Buffer>;
}

/** Opens chunk after chunk, which lie in the file from `start` to `end`. */
export class ChunkOpener {
  readonly #bytes: SealedBytes;
  readonly #key: KeyObject;
  readonly #sealedBytes: number;
  readonly #end: number;
  #number = 0;
  #next: number;
  #position: number;

  constructor(
    bytes: SealedBytes,
    { key, chunkBytes, start, end }: { key: KeyObject; chunkBytes: number; start: number; end: number },
  ) {
    this.#bytes = bytes;
    this.#key = key;
    this.#sealedBytes = chunkBytes + tagBytes;
    this.#end = end;
    this.#next = start;
    this.#position = start;
  }

  /** Where the chunk lies that was opened last: the nearest known place to the damage. */
  get position(): number {
    return this.#position;
  }

  /** Where the next one lies: so far it was read. */
  get readUpTo(): number {
    return this.#next;
  }

  /** null behind the last one. @throws FailureError `bundle-damaged` */
  async next(): Promise<Buffer | null> {
    if (this.#next >= this.#end) return null;
    this.#position = this.#next;
    this.#next = Math.min(this.#end, this.#next + this.#sealedBytes);
    const sealed = await this.#bytes.read(this.#position, this.#next - this.#position);
    const chunk = sealed.length > tagBytes ? this.#open(sealed) : null;
    releaseBytes(sealed);
    this.#number += 1;
    return chunk ?? fail({ kind: 'bundle-damaged', atByte: this.#position });
  }

  #open(sealed: Buffer): Buffer | null {
    const border = sealed.length - tagBytes;
    const decipher = createDecipheriv(cipherName, this.#key, nonceOf(this.#number, this.#next === this.#end), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(sealed.subarray(border));
    const chunk = decipher.update(sealed.subarray(0, border));
    try {
      decipher.final();
      return chunk;
    } catch {
      // The one thing `final` throws for: the bytes are not authentic at this place.
      return null;
    }
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUIntBE(number, numberAt, nonceBytes - 1 - numberAt);
  nonce[nonceBytes - 1] = Number(isLast);
  return nonce;
}

/**
 * The limits of all records of one sample, in a bundle that is read or written. They are put into the library in one
 * step on the host's own thread, which is never held up for longer than 50 ms: comments take the longest, as they are
 * found by their words.
 */
const bounds = {
  depth: 32,
  values: 40_000,
  characters: 512 * 1024,
  comments: 1000,
  commentCharacters: 256 * 1024,
  idCharacters: 256,
} as const;

type BundledComment = BundledRecord['record']['comments'][number];
type Spent = { -readonly [K in 'values' | 'characters' | 'comments' | 'commentCharacters']: number };

/** What the records of a sample may still have. */
export class RecordBounds {
  readonly #left: Spent = {
    values: bounds.values,
    characters: bounds.characters,
    comments: bounds.comments,
    commentCharacters: bounds.commentCharacters,
  };

  /** @returns whether there was space for it; where there was none, nothing is taken */
  take({ record }: BundledRecord): boolean {
    const { comments } = record;
    if (comments.some(({ id, parentId }) => Math.max(id.length, parentId?.length ?? 0) > bounds.idCharacters))
      return false;
    const commentCharacters = comments.reduce((sum, comment) => sum + charactersOf(comment), 0);
    const measured = measure(record, this.#left);
    if (measured === null || comments.length > this.#left.comments || commentCharacters > this.#left.commentCharacters)
      return false;
    this.#left.values -= measured.values;
    this.#left.characters -= measured.characters;
    this.#left.comments -= comments.length;
    this.#left.commentCharacters -= commentCharacters;
    return true;
  }

  /** Of more than there is space for the latest, in the order they have. */
  latest(comments: readonly BundledComment[]): BundledComment[] {
    const kept = new Set<BundledComment>();
    let left = this.#left.commentCharacters;
    for (const comment of comments.toSorted(byTime).toReversed()) {
      left -= charactersOf(comment);
      if (left < 0 || kept.size === this.#left.comments) break;
      kept.add(comment);
    }
    return comments.filter((comment) => kept.has(comment));
  }
}

const charactersOf = ({ content, author }: BundledComment): number => content.length + (author?.length ?? 0);

/** A service writes its times in one way; those it did not say come first. */
function byTime({ created: one }: BundledComment, { created: other }: BundledComment): number {
  if (one === other) return 0;
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

/** Without recursion: it may be nested more deeply than the stack is high. @returns null for more than there may be */
function measure(
  whole: object,
  most: Pick<Spent, 'values' | 'characters'>,
): Pick<Spent, 'values' | 'characters'> | null {
  const open: [unknown, number][] = [[whole, 0]];
  let [values, characters] = [0, 0];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next;
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (values > most.values || characters > most.characters) return null;
    if (typeof value !== 'object' || value === null) continue;
    const parts: [string, unknown][] = Object.entries(value);
    if (depth === bounds.depth || parts.length > most.values) return null;
    for (const [name, part] of parts) {
      if (!Array.isArray(value)) characters += name.length;
      open.push([part, depth + 1]);
    }
  }
  return { values, characters };
}
