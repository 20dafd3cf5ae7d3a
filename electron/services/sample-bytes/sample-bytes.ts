import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ByteMap,
  type BytePattern,
  type ByteSource,
  mostMapParts,
  type ReadBytes,
} from '../../../shared/domain/byte-view.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import { stripOfSource } from '../../vault/staged-facts/byte-strip.ts';
import type { StagedAccess, Staging } from '../../vault/staging.ts';
import type { Vault } from '../../vault/vault.ts';

/** A map is at most 1.5 KB. */
const keptMaps = 32;
/** A user who walks through a list of files does not want the map of a file that was passed. */
const mapsAtMost = 3;

type MakeMap = (isStopped: () => boolean) => Promise<ByteMap>;

/** Maps by the SHA-256 of their file, made one after the other. */
class ByteMaps {
  /** Those used last are at the end. */
  readonly #made = new Map<string, Promise<ByteMap>>();
  #last: Promise<unknown> = Promise.resolve();
  #requests = 0;
  #isClosed = false;

  /** @throws FailureError `cancelled` when three others were wanted after it, and what `make` throws */
  of(sha256: string, make: MakeMap): Promise<ByteMap> {
    const map = this.#made.get(sha256) ?? this.#next(sha256, make);
    this.#made.delete(sha256);
    this.#made.set(sha256, map);
    const [oldest] = this.#made.keys();
    if (oldest !== undefined && this.#made.size > keptMaps) this.#made.delete(oldest);
    return map;
  }

  /** Gives up those that are not made yet. */
  close(): void {
    this.#isClosed = true;
  }

  #next(sha256: string, make: MakeMap): Promise<ByteMap> {
    this.#requests += 1;
    const number = this.#requests;
    const isStopped = (): boolean => this.#isClosed || this.#requests - number >= mapsAtMost;
    const map = this.#last.then(() => (isStopped() ? fail({ kind: 'cancelled' }) : make(isStopped)));
    const forget = (): void => {
      if (this.#made.get(sha256) === map) this.#made.delete(sha256);
    };
    // The requester gets the failure; the next one is made all the same.
    this.#last = map.catch(forget);
    return map;
  }
}

/** More are not worth the host's time: the page has one. */
const searchesAtOnce = 4;

/** Searches under way, by the names the page gave them. */
class ByteSearches {
  readonly #running = new Map<string, AbortController>();

  /** One of the same name is given up, and the oldest when there are too many. */
  async run<T>(name: string, search: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.stop(name);
    const [oldest] = this.#running.keys();
    if (oldest !== undefined && this.#running.size >= searchesAtOnce) this.stop(oldest);
    const giveUp = new AbortController();
    this.#running.set(name, giveUp);
    try {
      return await search(giveUp.signal);
    } finally {
      if (this.#running.get(name) === giveUp) this.#running.delete(name);
    }
  }

  /** Does nothing for one that is over. */
  stop(name: string): void {
    this.#running.get(name)?.abort();
    this.#running.delete(name);
  }

  close(): void {
    for (const name of this.#running.keys()) this.stop(name);
  }
}

/** A file of a scan. `stagedId` is null where it was not handed in, or is not kept: then the vault may have it. */
export interface ScanFile {
  stagedId: string | null;
  sha256: string;
}

export interface SampleBytesPorts {
  vault: Pick<Vault, 'openAt' | 'has'>;
  staging: Pick<Staging, 'openAt'>;
  /** null: there is no such job, or no such file in it. */
  scanFile(jobId: number, position: number): ScanFile | null;
}

/** Where the page's bytes are. */
class ByteSources {
  readonly #ports: SampleBytesPorts;
  readonly #readings = new Set<Promise<unknown>>();

  constructor(ports: SampleBytesPorts) {
    this.#ports = ports;
  }

  /** @throws FailureError `scan-file-missing` */
  sha256Of(source: ByteSource): string {
    return source.kind === 'vault' ? source.sha256 : this.#fileOf(source).sha256;
  }

  /**
   * Opens it, and closes it afterwards. @throws FailureError `scan-file-missing`, `not-in-vault`, `vault-damaged`,
   * `disk-failed`
   */
  async reading<T>(source: ByteSource, read: (bytes: StagedAccess) => Promise<T>): Promise<T> {
    const reading = this.#read(source, read);
    this.#readings.add(reading);
    try {
      return await reading;
    } catch (error) {
      if (source.kind === 'scan' && isGone(error))
        fail({ kind: 'scan-file-missing', job: source.jobId, position: source.position }, error);
      throw error;
    } finally {
      this.#readings.delete(reading);
    }
  }

  /** Resolves when no file is open any more. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#readings);
  }

  async #read<T>(source: ByteSource, read: (bytes: StagedAccess) => Promise<T>): Promise<T> {
    const bytes = await this.#open(source);
    try {
      return await read(bytes);
    } finally {
      await bytes.close();
    }
  }

  async #open(source: ByteSource): Promise<StagedAccess> {
    const { vault, staging } = this.#ports;
    if (source.kind === 'vault') return vault.openAt(source.sha256);
    const { stagedId, sha256 } = this.#fileOf(source);
    if (stagedId === null) return vault.openAt(sha256);
    try {
      return await staging.openAt(stagedId);
    } catch (error) {
      // Discarded, or changed where it lay: the vault may have got the sample meanwhile.
      if (isGone(error) && (await vault.has(sha256))) return vault.openAt(sha256);
      throw error;
    }
  }

  #fileOf({ jobId, position }: Extract<ByteSource, { kind: 'scan' }>): ScanFile {
    return this.#ports.scanFile(jobId, position) ?? fail({ kind: 'scan-file-missing', job: jobId, position });
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof FailureError &&
  (error.failure.kind === 'staged-file-missing' || error.failure.kind === 'not-in-vault');

export interface ByteSearch {
  pattern: BytePattern;
  /** In bytes. Backwards: what is found begins before it. */
  from: number;
  backwards: boolean;
}

type Readable = Pick<StagedAccess, 'sizeBytes' | 'read'>;

const pieceBytes = 256 * 1024;
/** Looked through at once. It takes a microsecond, but with the worst of patterns ten thousand times as long. */
const sliceBytes = 16 * 1024;
/** Then others have the host's thread. */
const turnMs = 8;

/**
 * The first place, in the direction that is looked in; null when there is none. What is found may lie over the end of a
 * piece or a slice: each comes with as many of the bytes behind it as that needs.
 * @throws FailureError `cancelled` by the signal, and what reading throws
 */
export async function findBytes(
  bytes: Readable,
  { pattern, from, backwards }: ByteSearch,
  signal: AbortSignal,
): Promise<number | null> {
  const wanted = wantedOf(pattern);
  /** What is found begins before this. */
  const end = Math.max(0, bytes.sizeBytes - wanted.length + 1);
  const [first, last] = backwards ? [0, Math.min(from, end)] : [from, end];
  let turnEnds = performance.now() + turnMs;
  for (const piece of partsOf(first, last, pieceBytes, backwards)) {
    const held = preparedFor(pattern, await bytes.read(piece.start, piece.end - piece.start + wanted.length - 1));
    for (const { start, end: sliceEnd } of partsOf(0, piece.end - piece.start, sliceBytes, backwards)) {
      if (signal.aborted) fail({ kind: 'cancelled' });
      const slice = held.subarray(start, sliceEnd + wanted.length - 1);
      const at = backwards ? slice.lastIndexOf(wanted) : slice.indexOf(wanted);
      if (at >= 0) return piece.start + start + at;
      if (performance.now() < turnEnds) continue;
      await nextTurn();
      turnEnds = performance.now() + turnMs;
    }
  }
  return null;
}

/** Of the places from `start` to before `end` those of each part, the last one first when it goes backwards. */
function* partsOf(
  start: number,
  end: number,
  length: number,
  backwards: boolean,
): Generator<{ start: number; end: number }, void, void> {
  if (backwards) for (let at = end; at > start; at -= length) yield { start: Math.max(start, at - length), end: at };
  else for (let at = start; at < end; at += length) yield { start: at, end: Math.min(at + length, end) };
}

function wantedOf(pattern: BytePattern): Buffer {
  return preparedFor(pattern, Buffer.from(pattern.hex, 'hex'));
}

function preparedFor({ anyCase }: BytePattern, bytes: Uint8Array): Buffer {
  return anyCase ? inLowerCase(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

/** Letters of ASCII alone. A loop takes a quarter of the time of `map` or a regular expression. */
function inLowerCase(bytes: Uint8Array): Buffer {
  const lowered = Buffer.allocUnsafe(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) lowered[at] = lowerCase[bytes[at] ?? 0] ?? 0;
  return lowered;
}

/**
 * Looking at the bytes of a file. Ranges are read where they are asked for, so a file of any size costs as much as what
 * is seen of it. All calls fail with `scan-file-missing`, `not-in-vault`, `vault-damaged` or `disk-failed` when the
 * bytes cannot be read.
 */
export class SampleBytes {
  readonly #sources: ByteSources;
  readonly #searches = new ByteSearches();
  readonly #maps = new ByteMaps();

  constructor(ports: SampleBytesPorts) {
    this.#sources = new ByteSources(ports);
  }

  /** Fewer bytes than asked for only at the end. */
  read(source: ByteSource, { offset, length }: { offset: number; length: number }): Promise<ReadBytes> {
    return this.#sources.reading(source, async (bytes) => {
      const read = offset < bytes.sizeBytes ? await bytes.read(offset, length) : new Uint8Array();
      return {
        offset,
        base64: Buffer.from(read.buffer, read.byteOffset, read.byteLength).toString('base64'),
        sizeBytes: bytes.sizeBytes,
      };
    });
  }

  /**
   * The first place that begins at `from` or after it, or the last one that begins before it; null when there is none.
   * @throws FailureError `cancelled` when it is stopped, also by another of the same name or by too many others
   */
  async find(
    source: ByteSource,
    pattern: BytePattern,
    from: number,
    backwards: boolean,
    search: string,
  ): Promise<{ offset: number | null }> {
    const offset = await this.#searches.run(search, (signal) =>
      this.#sources.reading(source, (bytes) => findBytes(bytes, { pattern, from, backwards }, signal)),
    );
    return { offset };
  }

  /** Does nothing for a search that is over. */
  stopFind(search: string): void {
    this.#searches.stop(search);
  }

  /** At most 512 parts; of a large part 64 KiB are looked at, spread over it. */
  async map(source: ByteSource): Promise<ByteMap> {
    return this.#maps.of(this.#sources.sha256Of(source), (isStopped) =>
      this.#sources.reading(source, (bytes) => mapOf(bytes, isStopped)),
    );
  }

  /** Resolves when no file is open any more. */
  async close(): Promise<void> {
    this.#searches.close();
    this.#maps.close();
    await this.#sources.close();
  }
}

async function mapOf(bytes: StagedAccess, isStopped: () => boolean): Promise<ByteMap> {
  const parts = await stripOfSource(bytes, isStopped, mostMapParts);
  if (isStopped()) fail({ kind: 'cancelled' });
  return { sizeBytes: bytes.sizeBytes, parts: parts ?? '' };
}
