import { crc32 } from 'node:zlib';
import type { ArchiveBudget } from '../archive-budget.ts';
import type { LocalHeader } from './read-zip-records.ts';
import { storedMethod } from '../zip-format.ts';
import { readDescriptor } from './zip-stream-descriptor.ts';
import type { ByteFeed } from './zip-stream-feed.ts';
import { damagedEntry, inflated, inflatedAtOnce, pieceBytes, verified, type NextPiece } from './zip-stream-inflate.ts';

/** The current entry of a stream, whose bytes begin where the feed is. */
export interface StreamedEntry {
  /** May be iterated once, and only while the entry is the current one. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Brings the feed to where the entry ends, however much of it was read. */
  finish(): Promise<void>;
  /** Lets go of what reading it holds, when nothing more of the archive is read. */
  release(): Promise<void>;
}

/** An entry whose header tells how long it is, if it can be believed. */
export function entryOfKnownSize(feed: ByteFeed, header: LocalHeader, budget: ArchiveBudget): StreamedEntry {
  const endsAt = feed.position + header.storedBytes;
  const next: NextPiece = async () => {
    const left = endsAt - feed.position;
    return left === 0 ? null : ((await feed.some(Math.min(left, pieceBytes))) ?? feed.truncated());
  };
  const bytes = header.method === storedMethod ? stored(next) : inflated(next, header.name);
  const spend = (chunkBytes: number, memberBytes: number): void => budget.spend(chunkBytes, memberBytes, feed.position);
  const once = new ReadOnce(
    verified(bytes, { name: header.name, sizeBytes: header.plainBytes, crc32: header.crc32, spend }),
  );
  return {
    chunks: once,
    finish: async () => {
      await once.leave();
      budget.requireUnmet();
      await feed.skip(endsAt - feed.position);
    },
    release: () => once.leave(),
  };
}

async function* stored(next: NextPiece): AsyncGenerator<Uint8Array, void, void> {
  for (let piece = await next(); piece !== null; piece = await next()) yield piece;
}

/** A deflated entry that is as long as its deflate stream; its sizes follow it, and are checked afterwards. */
export function entryOfUnknownSize(
  feed: ByteFeed,
  header: LocalHeader,
  budget: ArchiveBudget,
  archiveName: string,
): StreamedEntry {
  let reachedEnd = false;
  let broken: unknown = null;

  async function* measuredChunks(): AsyncGenerator<Uint8Array, void, void> {
    const startsAt = feed.position;
    const measured = { crc32: 0, plainBytes: 0 };
    for await (const chunk of unboundedChunks(feed, header.name)) {
      measured.crc32 = crc32(chunk, measured.crc32);
      measured.plainBytes += chunk.length;
      budget.spend(chunk.length, measured.plainBytes, feed.position);
      yield chunk;
    }
    const agrees = await readDescriptor(feed, { ...measured, storedBytes: feed.position - startsAt }, archiveName);
    reachedEnd = true;
    if (!agrees) damagedEntry(header.name, 'Its bytes do not match their checksum or their size');
  }

  async function* watched(): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield* measuredChunks();
    } catch (error) {
      broken = error;
      throw error;
    }
  }

  const once = new ReadOnce(watched());
  return {
    chunks: once,
    finish: async () => {
      await once.drain();
      if (!reachedEnd) throw broken;
    },
    release: () => once.leave(),
  };
}

/** Inflates until the deflate stream ends, and leaves the feed there. */
async function* unboundedChunks(feed: ByteFeed, name: string): AsyncGenerator<Uint8Array, void, void> {
  const short = inflatedAtOnce(feed.present());
  if (short !== null) {
    await feed.skip(short.packedBytes);
    if (short.plain.length > 0) yield short.plain;
    return;
  }
  const unusedBytes = yield* inflated(async () => (await feed.some(pieceBytes)) ?? feed.truncated(), name);
  feed.giveBack(unusedBytes);
}

/**
 * Chunks for one reader, who may stop early without ending them, and may not come back when the archive has gone on.
 */
class ReadOnce implements AsyncIterable<Uint8Array> {
  readonly #chunks: AsyncGenerator<Uint8Array, void, void>;
  #taken = false;
  #past = false;

  constructor(chunks: AsyncGenerator<Uint8Array, void, void>) {
    this.#chunks = chunks;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    if (this.#taken) throw new Error('an entry is read once');
    this.#taken = true;
    for (;;) {
      const result = await this.#next();
      if (result.done === true) return;
      yield result.value;
    }
  }

  async leave(): Promise<void> {
    this.#past = true;
    await this.#chunks.return();
  }

  /** Reads what is left of it. Why it cannot be read is for the reader of the entry, who has gone. */
  async drain(): Promise<void> {
    this.#past = true;
    try {
      while ((await this.#chunks.next()).done !== true);
    } catch {
      // What ended it is kept where it is made.
    }
  }

  async #next(): Promise<IteratorResult<Uint8Array, void>> {
    const result = this.#past ? null : await this.#chunks.next();
    if (result === null || this.#past) throw new Error('an entry is read while it is the current one');
    return result;
  }
}
