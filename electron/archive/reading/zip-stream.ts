import { setImmediate as nextTurn } from 'node:timers/promises';
import { archiveLimits, type ArchiveLimits } from '../../../shared/domain/opened-archive.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { ArchiveBudget } from '../archive-budget.ts';
import { shownName } from '../archive-names.ts';
import {
  centralSignature,
  deflatedMethod,
  endSignature,
  isReadableMethod,
  type LocalHeader,
  localHeaderBytes,
  localSignature,
  localTailBytes,
  methodName,
  mostExpansion,
  readLocalHeader,
  storedMethod,
  u32,
  zip64EndSignature,
} from './read-zip-records.ts';
import {
  entryOfKnownSize,
  entryOfUnknownSize,
  readStreamedDirectory,
  skipEmptyDescriptor,
  type StreamedEntry,
} from './zip-stream-entry.ts';
import { ByteFeed } from './zip-stream-feed.ts';

export type StreamedPart =
  /**
   * All bytes of the entry as they lie in the archive, in a buffer of their own that may be transferred to a worker.
   * They are not inflated and their CRC is not checked: the caller that inflates them does it, and stops at
   * `sizeBytes`.
   */
  | {
      kind: 'whole';
      name: string;
      encoding: 'identity' | 'deflate-raw';
      bytes: Uint8Array<ArrayBuffer>;
      sizeBytes: number;
      crc32: number;
    }
  /**
   * Inflated as it is iterated, once; throws FailureError `archive-damaged` at its end when size or CRC lie, or
   * `archive-limit`. When it is left early or never begun, asking for the next part passes over it.
   */
  | { kind: 'streamed'; name: string; sizeBytes: number | null; chunks: AsyncIterable<Uint8Array> }
  /** One entry that is not read; the rest continues. */
  | { kind: 'refused'; name: string; failure: Failure }
  /**
   * Always the last part: the archive cannot be read further as a stream. `offset` is where the current local header
   * begins in the archive; `rest` gives every byte from there to the end, before the next part is asked for.
   */
  | {
      kind: 'unstreamable';
      name: string;
      reason: 'encrypted' | 'size-unknown' | 'no-header';
      offset: number;
      rest: AsyncIterable<Uint8Array>;
    };

export interface ZipStreamOptions {
  /** For failures. */
  archiveName: string;
  limits?: ArchiveLimits;
  /** Entries up to this size, packed and unpacked, come whole. */
  wholeBytes?: number;
}

/** A megabyte that is here without waiting may hold fifteen thousand. */
const entriesATurn = 128;
const defaultWholeBytes = 8 * 2 ** 20;
const endings = new Set([centralSignature, zip64EndSignature, endSignature]);
const signatures = [localSignature, ...endings];

/**
 * Reads a ZIP forward while it arrives: by its local headers, an entry at a time. Holds one entry of at most
 * `wholeBytes`, or a piece, and a chunk of the source. Ends when the end of the archive was read and agrees with what
 * came before it; bytes behind it are not read.
 * @throws FailureError `archive-truncated`, `archive-damaged`, `archive-limit`; and what the source throws, unchanged
 */
export async function* readZipStream(
  bytes: AsyncIterable<Uint8Array>,
  options: ZipStreamOptions,
): AsyncGenerator<StreamedPart, void, void> {
  const { archiveName, limits = archiveLimits, wholeBytes = defaultWholeBytes } = options;
  const feed = new ByteFeed(bytes, archiveName);
  try {
    yield* new ZipStream(feed, new ArchiveBudget(archiveName, limits), archiveName, wholeBytes).parts();
  } finally {
    await feed.close();
  }
}

class ZipStream {
  readonly #feed: ByteFeed;
  readonly #budget: ArchiveBudget;
  readonly #archiveName: string;
  readonly #wholeBytes: number;

  constructor(feed: ByteFeed, budget: ArchiveBudget, archiveName: string, wholeBytes: number) {
    this.#feed = feed;
    this.#budget = budget;
    this.#archiveName = archiveName;
    this.#wholeBytes = wholeBytes;
  }

  async *parts(): AsyncGenerator<StreamedPart, void, void> {
    for (;;) {
      const start = await this.#feed.peek(4);
      const signature = u32(start, 0);
      if (start.length < 4 && couldBegin(start)) this.#feed.truncated();
      if (endings.has(signature)) return readStreamedDirectory(this.#feed, this.#budget.members, this.#archiveName);
      const isLast = signature === localSignature ? yield* this.#entry() : yield* this.#withoutHeader();
      if (isLast) return undefined;
    }
  }

  /** True when it was the last that can be read as a stream. */
  async *#entry(): AsyncGenerator<StreamedPart, boolean, void> {
    const offset = this.#feed.position;
    const raw = await this.#header();
    const header = readLocalHeader(raw);
    this.#budget.countMember();
    if (this.#budget.members % entriesATurn === 0) await nextTurn();
    const reason = unstreamableReason(header);
    if (reason !== null) {
      yield { kind: 'unstreamable', name: header.name, reason, offset, rest: this.#rest(raw) };
      return true;
    }
    yield* this.#readable(header);
    return false;
  }

  async #header(): Promise<Uint8Array> {
    const fixed = await this.#feed.peek(localHeaderBytes);
    return this.#feed.take(localHeaderBytes + (fixed.length < localHeaderBytes ? 0 : localTailBytes(fixed)));
  }

  async *#readable(header: LocalHeader): AsyncGenerator<StreamedPart, void, void> {
    const known = hasKnownSize(header);
    if (known) this.#foresee(header);
    const failure = refusalOfBytes(header, shownName(header.name));
    const isWhole = failure === null && known && !isFolder(header) && this.#comesWhole(header);
    if (isWhole) yield await this.#whole(header);
    else yield* this.#streamed(header, known, failure);
  }

  async *#streamed(
    header: LocalHeader,
    known: boolean,
    failure: Failure | null,
  ): AsyncGenerator<StreamedPart, void, void> {
    const entry = known
      ? entryOfKnownSize(this.#feed, header, this.#budget)
      : entryOfUnknownSize(this.#feed, header, this.#budget, this.#archiveName);
    try {
      if (failure !== null) yield { kind: 'refused', name: header.name, failure };
      else if (!isFolder(header))
        yield {
          kind: 'streamed',
          name: header.name,
          sizeBytes: known ? header.plainBytes : null,
          chunks: entry.chunks,
        };
      else if (!known && (await hasBytes(entry)))
        yield { kind: 'refused', name: header.name, failure: folderWithBytes(header.name) };
      await this.#finish(entry, header);
    } finally {
      await entry.release();
    }
  }

  /** Of refused entries too, so that nothing makes the reader pass over more than the limits allow. */
  #foresee({ storedBytes, plainBytes }: LocalHeader): void {
    this.#budget.foresee(Math.max(storedBytes, plainBytes), this.#feed.position + storedBytes);
  }

  #comesWhole({ storedBytes, plainBytes }: LocalHeader): boolean {
    return Math.max(storedBytes, plainBytes) <= this.#wholeBytes;
  }

  async #whole({ name, method, storedBytes, plainBytes, crc32 }: LocalHeader): Promise<StreamedPart> {
    const bytes = new Uint8Array(storedBytes);
    for (let filled = 0; filled < storedBytes;) {
      const piece = (await this.#feed.some(storedBytes - filled)) ?? this.#feed.truncated();
      bytes.set(piece, filled);
      filled += piece.length;
    }
    this.#budget.spend(plainBytes, plainBytes, this.#feed.position);
    return {
      kind: 'whole',
      name,
      encoding: method === storedMethod ? 'identity' : 'deflate-raw',
      bytes,
      sizeBytes: plainBytes,
      crc32,
    };
  }

  async #finish(entry: StreamedEntry, header: LocalHeader): Promise<void> {
    await entry.finish();
    if (header.sizesFollow && hasKnownSize(header)) await skipEmptyDescriptor(this.#feed, header.name);
  }

  /** The caller keeps it until it is whole: an archive that never ends must not fill what it is kept on. */
  async *#rest(head: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of this.#feed.restAfter(head)) {
      this.#budget.foresee(0, this.#feed.position);
      yield piece;
    }
  }

  async *#withoutHeader(): AsyncGenerator<StreamedPart, true, void> {
    if (this.#budget.members > 0)
      fail({
        kind: 'archive-damaged',
        name: this.#archiveName,
        reason: 'An entry header is missing',
      });
    yield {
      kind: 'unstreamable',
      name: this.#archiveName,
      reason: 'no-header',
      offset: 0,
      rest: this.#rest(new Uint8Array(0)),
    };
    return true;
  }
}

/** A folder has no bytes: whatever else ends in a slash is an entry. */
const isFolder = ({ name, plainBytes, storedBytes, method }: LocalHeader): boolean =>
  name.endsWith('/') && plainBytes === 0 && (method !== storedMethod || storedBytes === 0);

const hasKnownSize = (header: LocalHeader): boolean =>
  !header.sizesFollow || (header.method === storedMethod && isFolder(header));

function unstreamableReason(header: LocalHeader): 'encrypted' | 'size-unknown' | null {
  if (header.encrypted) return 'encrypted';
  const findsItsEnd = hasKnownSize(header) || header.method === deflatedMethod;
  return findsItsEnd ? null : 'size-unknown';
}

/** To its end: how many bytes come out of a damaged entry before it is seen to be one depends on how they arrived. */
async function hasBytes({ chunks }: StreamedEntry): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes > 0;
}

const folderWithBytes = (name: string): Failure => ({
  kind: 'archive-damaged',
  name: shownName(name),
  reason: 'It is named like a folder but contains data',
});

/** What a header alone shows. */
function refusalOfBytes(header: LocalHeader, name: string): Failure | null {
  const { method, storedBytes, plainBytes, sizesFollow } = header;
  if (!isReadableMethod(method)) return { kind: 'archive-unsupported', name, feature: methodName(method) };
  if (sizesFollow) return null;
  const most = method === storedMethod ? storedBytes : storedBytes * mostExpansion;
  const least = method === storedMethod ? storedBytes : 0;
  if (plainBytes >= least && plainBytes <= most) return null;
  return { kind: 'archive-damaged', name, reason: `Its sizes are impossible: ${plainBytes} bytes from ${storedBytes}` };
}

/** Whether so few bytes are the beginning of a record that is cut off, rather than of something else. */
function couldBegin(start: Uint8Array): boolean {
  return signatures.some((signature) => start.every((byte, index) => byte === ((signature >>> (index * 8)) & 0xff)));
}
