import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { fail } from '../../../shared/failure.ts';
import type { ArchiveBudget } from '../archive-budget.ts';
import {
  centralSignature,
  descriptorSignature,
  endSignature,
  type LocalHeader,
  localSignature,
  max16,
  max32,
  storedMethod,
  u16,
  u32,
  u64,
  zip64EndSignature,
  zip64LocatorSignature,
} from './read-zip-records.ts';
import {
  type ByteFeed,
  damagedEntry,
  inflated,
  inflatedAtOnce,
  type NextPiece,
  pieceBytes,
  verified,
} from './zip-stream-feed.ts';

/** The current entry of a stream, whose bytes begin where the feed is. */
export interface StreamedEntry {
  /** May be iterated once, and only while the entry is the current one. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Brings the feed to where the entry ends, however much of it was read. */
  finish(): Promise<void>;
  /** Lets go of what reading it holds, when nothing more of the archive is read. */
  release(): Promise<void>;
}

/** An entry whose header has its length, if it can be believed. */
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
    const isSound = await readDescriptor(feed, { ...measured, storedBytes: feed.position - startsAt }, archiveName);
    reachedEnd = true;
    if (!isSound) damagedEntry(header.name, 'Its bytes do not match their checksum or their size');
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
 * Chunks for one reader, who may stop early without ending them, and may not come back when the archive has moved on.
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

/** What an entry turned out to be, which its data descriptor should say too. */
interface Measured {
  crc32: number;
  storedBytes: number;
  plainBytes: number;
}

/** The four forms in the field: with a signature or without, sizes of 32 or 64 bits. */
const forms = [
  { signed: true, wide: false },
  { signed: true, wide: true },
  { signed: false, wide: false },
  { signed: false, wide: true },
];
type Form = (typeof forms)[number];

const lengthOf = ({ signed, wide }: Form): number => (signed ? 4 : 0) + 4 + (wide ? 16 : 8);
const longest = 24;
/** An end record is the shortest thing that can follow, and shorter descriptors leave space to see its signature. */
const signatureBytes = 4;
const nextSignatures = new Set([localSignature, centralSignature, zip64EndSignature, endSignature]);

/**
 * Reads past the data descriptor. No field names its form: it is the one that matches what was measured, else the one
 * behind which the archive continues. Resolves to whether it agrees.
 *
 * @throws FailureError `archive-damaged` when no form fits, `archive-truncated`
 */
async function readDescriptor(feed: ByteFeed, measured: Measured, archiveName: string): Promise<boolean> {
  const bytes = await feed.peek(longest + signatureBytes);
  const agreeing = forms.filter((form) => agrees(bytes, form, measured));
  const form =
    agreeing.find((each) => isFollowed(bytes, each)) ?? agreeing[0] ?? forms.find((each) => isFollowed(bytes, each));
  if (form === undefined || lengthOf(form) > bytes.length) return noForm(feed, bytes, archiveName);
  await feed.skip(lengthOf(form));
  return agreeing.length > 0;
}

const isFollowed = (bytes: Uint8Array, form: Form): boolean => nextSignatures.has(u32(bytes, lengthOf(form)));

function noForm(feed: ByteFeed, bytes: Uint8Array, archiveName: string): never {
  if (bytes.length < longest + signatureBytes) feed.truncated();
  fail({ kind: 'archive-damaged', name: archiveName, reason: 'The data descriptor of an entry is missing' });
}

/** Sizes of 32 bits are the lower half of larger ones. */
function agrees(
  bytes: Uint8Array,
  { signed, wide }: Form,
  { crc32: checksum, storedBytes, plainBytes }: Measured,
): boolean {
  if (signed && u32(bytes, 0) !== descriptorSignature) return false;
  const at = signed ? 4 : 0;
  if (u32(bytes, at) !== checksum) return false;
  if (wide) return u64(bytes, at + 4) === storedBytes && u64(bytes, at + 12) === plainBytes;
  return u32(bytes, at + 4) === storedBytes % 2 ** 32 && u32(bytes, at + 8) === plainBytes % 2 ** 32;
}

/** Some writers put a descriptor behind a folder or an empty file that needs none; it has a signature then. */
export async function skipEmptyDescriptor(feed: ByteFeed, name: string): Promise<void> {
  if (u32(await feed.peek(signatureBytes), 0) !== descriptorSignature) return;
  const isEmpty = await readDescriptor(feed, { crc32: 0, storedBytes: 0, plainBytes: 0 }, name);
  if (!isEmpty) damagedEntry(name, 'Its header and data descriptor disagree on whether it is empty');
}

const centralHeaderBytes = 46;
const zip64EndBytes = 56;
const zip64LocatorBytes = 20;
const endBytes = 22;
/** A zip64 end record may grow, by things that no tool writes. */
const mostExtensibleBytes = 64 * 1024;

const recordsATurn = 1024;

/** What an end record declares of the directory, and what the directory is. */
interface Extent {
  entries: number;
  sizeBytes: number;
  offset: number;
}

/**
 * Reads the central directory and the end of the archive, its comment too, and nothing behind it. They say again how
 * many entries there were and where: an archive whose parts contradict each other has lost some, or hides some.
 * @throws FailureError `archive-damaged`, `archive-truncated`
 */
export async function readStreamedDirectory(feed: ByteFeed, entries: number, archiveName: string): Promise<void> {
  const found: Extent = { entries: 0, sizeBytes: 0, offset: feed.position };
  let large: Extent | null = null;
  for (;;) {
    const signature = u32(await atLeast(feed, 4), 0);
    if (signature === centralSignature && large === null) {
      await skipCentralHeader(feed);
      found.entries += 1;
      found.sizeBytes = feed.position - found.offset;
      if (found.entries % recordsATurn === 0) await nextTurn();
    } else if (signature === zip64EndSignature && large === null) large = await readZip64End(feed, archiveName);
    else if (signature === endSignature)
      return readEnd(feed, requireEntries(found, entries, archiveName), large, archiveName);
    else damaged(archiveName, 'Its directory cannot be read');
    if (found.entries > entries) requireEntries(found, entries, archiveName);
  }
}

function requireEntries(found: Extent, entries: number, archiveName: string): Extent {
  if (found.entries !== entries) damaged(archiveName, `Its directory does not list the ${entries} entries it contains`);
  return found;
}

async function skipCentralHeader(feed: ByteFeed): Promise<void> {
  const fixed = await feed.take(centralHeaderBytes);
  await feed.skip(u16(fixed, 28) + u16(fixed, 30) + u16(fixed, 32));
}

async function readZip64End(feed: ByteFeed, archiveName: string): Promise<Extent> {
  const record = await feed.take(zip64EndBytes);
  const extent = { entries: u64(record, 32), sizeBytes: u64(record, 40), offset: u64(record, 48) };
  const extensibleBytes = u64(record, 4) + 12 - zip64EndBytes;
  if (extensibleBytes < 0 || extensibleBytes > mostExtensibleBytes)
    damaged(archiveName, 'Its end record cannot be read');
  await feed.skip(extensibleBytes);
  const locator = await feed.take(zip64LocatorBytes);
  if (u32(locator, 0) !== zip64LocatorSignature) damaged(archiveName, 'Its end record cannot be read');
  return extent;
}

/** Info-ZIP, made to write zip64 to a pipe, points to a zip64 record and writes none: then a mark means nothing. */
async function readEnd(feed: ByteFeed, found: Extent, large: Extent | null, archiveName: string): Promise<void> {
  const record = await feed.take(endBytes);
  const marked = large ?? found;
  const said: Extent = {
    entries: u16(record, 10) === max16 ? marked.entries : u16(record, 10),
    sizeBytes: u32(record, 12) === max32 ? marked.sizeBytes : u32(record, 12),
    offset: u32(record, 16) === max32 ? marked.offset : u32(record, 16),
  };
  if (said.entries !== found.entries)
    damaged(archiveName, `Its end record counts ${said.entries} entries, but it contains ${found.entries}`);
  if (said.sizeBytes !== found.sizeBytes || said.offset !== found.offset)
    damaged(archiveName, 'Its directory is not at the offset in its end record');
  await feed.skip(u16(record, 20));
}

async function atLeast(feed: ByteFeed, length: number): Promise<Uint8Array> {
  const bytes = await feed.peek(length);
  return bytes.length < length ? feed.truncated() : bytes;
}

function damaged(name: string, reason: string): never {
  fail({ kind: 'archive-damaged', name, reason });
}
