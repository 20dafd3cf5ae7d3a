import { setImmediate as breathe } from 'node:timers/promises';
import {
  ERR_ENCRYPTED_CENTRAL_DIRECTORY, ERR_EOCDR_NOT_FOUND, ERR_OVERLAPPING_ENTRY, ERR_SPLIT_ZIP_FILE, ZipReader, type Entry, type FileEntry,
} from '@zip.js/zip.js';
import { fail, FailureError, type Failure } from '../../../shared/failure.ts';
import { archiveLimits } from '../../../shared/domain/archive-limits.ts';
import { ArchiveBudget } from '../archive-budget.ts';
import { NamesSeen, refusedName, shownName, type NameRefusal } from '../archive-names.ts';
import { entryName, isReadableMethod, mostExpansion } from './read-zip-records.ts';
import { storedMethod } from '../zip-format.ts';
import { encryptionOf, entryChunks, packedBytesOf, passwordOf, type PlacedEntry } from './zip-random-entry.ts';
import type { RandomAccess, RandomPart, ZipAtOptions } from './zip-random.ts';
import { ArchiveBytes } from './zip-random-source.ts';

/** What `readZipAt` promises, and does with this. */
export async function* readParts(source: RandomAccess, options: ZipAtOptions): AsyncGenerator<RandomPart, void, void> {
  const { archiveName, passwords, limits = archiveLimits, from = 0 } = options;
  const bytes = new ArchiveBytes(source, { archiveName, from, probes: 2 * limits.members + otherProbes });
  const reading = new ZipReading(bytes, new ArchiveBudget(archiveName, limits), passwords);
  for await (const entry of entriesOf(bytes, archiveName)) {
    await reading.count();
    if (entry.offset < from) continue;
    const part = await reading.partOf(entry);
    if (part !== null) yield part;
    reading.requireUnmet();
  }
}

/** What zip.js looks at besides the entries until it knows the directory. */
const otherProbes = 200;
/** Entries that give nothing take no turn of the event loop either; others wait for it in between. */
const entriesAtOnce = 100;

/** Every entry, of whatever name: zip.js would end the archive at the first unsafe one. */
async function* entriesOf(bytes: ArchiveBytes, archiveName: string): AsyncGenerator<Entry, void, void> {
  const zip = new ZipReader(bytes, { useWebWorkers: false, checkSignature: true, filenameValidation: 'tolerant' });
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      bytes.endProbing();
      yield entry;
    }
  } catch (error) {
    if (bytes.broken !== null) throw bytes.broken.error;
    if (error instanceof FailureError) throw error;
    fail(archiveFailure(error, archiveName), error);
  }
}

function archiveFailure(error: unknown, name: string): Failure {
  const message = messageOf(error);
  if (message === ERR_SPLIT_ZIP_FILE) return { kind: 'archive-unsupported', name, feature: 'parts of a split archive' };
  if (message === ERR_ENCRYPTED_CENTRAL_DIRECTORY) return { kind: 'archive-unsupported', name, feature: 'an encrypted directory' };
  return { kind: 'archive-damaged', name, reason: message === ERR_EOCDR_NOT_FOUND ? 'Its end is missing' : 'Its directory cannot be read' };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

class ZipReading {
  readonly #bytes: ArchiveBytes;
  readonly #budget: ArchiveBudget;
  readonly #passwords: readonly string[];
  readonly #names = new NamesSeen();
  /** Of the archive, for all entries until now. */
  #readBytes = 0;

  constructor(bytes: ArchiveBytes, budget: ArchiveBudget, passwords: readonly string[]) {
    this.#bytes = bytes;
    this.#budget = budget;
    this.#passwords = passwords;
  }

  async count(): Promise<void> {
    this.#budget.countMember();
    if (this.#budget.members % entriesAtOnce === 0) await breathe();
  }

  requireUnmet(): void {
    this.#budget.requireUnmet();
  }

  /** Null for a folder. */
  async partOf(entry: Entry): Promise<RandomPart | null> {
    const name = entryName(entry.rawFilename, entry.rawBitFlag ?? 0, entry.rawExtraField);
    if (entry.directory) return entry.uncompressedSize === 0 ? null : refused(name, damaged(name, 'It is called a folder and holds bytes'));
    const failure = this.#refusalOf(entry, name);
    if (failure !== null) return refused(name, failure);
    this.#budget.foresee(Math.max(entry.compressedSize, entry.uncompressedSize), this.#inputBytes(entry.compressedSize));
    const placed = await this.#place(entry, name);
    return 'kind' in placed ? refused(name, placed) : this.#opened(placed);
  }

  #refusalOf(entry: FileEntry, name: string): Failure | null {
    const reason = refusedName(name) ?? refusedMode(entry.externalFileAttributes >>> 16);
    if (reason !== null) return { kind: 'archive-name-refused', name: shownName(name), reason };
    if (!this.#names.add(name)) return { kind: 'archive-duplicate', name: shownName(name) };
    return unsupported(entry, name) ?? implausible(entry, name);
  }

  /** Where the entry's bytes lie. Entries over each other are how a small archive becomes a large bomb. */
  async #place(entry: FileEntry, name: string): Promise<PlacedEntry | Failure> {
    try {
      await entry.getData(new WritableStream(), { checkOverlappingEntryOnly: true, rawPassword: anyPassword });
    } catch (error) {
      if (this.#bytes.broken !== null) throw this.#bytes.broken.error;
      return damaged(name, messageOf(error) === ERR_OVERLAPPING_ENTRY ? 'It lies over another entry' : 'Its header contradicts the directory');
    }
    const position = entry.localDirectory?.dataOffset ?? 0;
    const { compressionMethod: method, compressedSize: storedBytes, uncompressedSize: plainBytes } = entry;
    const encryption = encryptionOf(entry);
    return { name, method, position, storedBytes, plainBytes, encryption, crc32: encryption?.authenticates === true ? null : (entry.crc32 ?? 0) };
  }

  async #opened(entry: PlacedEntry): Promise<RandomPart> {
    const { name, plainBytes: sizeBytes, encryption } = entry;
    const password = encryption === null ? null : await passwordOf(this.#bytes, entry, encryption, this.#passwords);
    if (encryption !== null && password === null) return refused(name, { kind: 'archive-password', name: shownName(name) });
    const chunks = { [Symbol.asyncIterator]: () => this.#chunks(entry, password) };
    return { kind: 'streamed', name, sizeBytes, chunks };
  }

  async *#chunks(entry: PlacedEntry, password: string | null): AsyncGenerator<Uint8Array, void, void> {
    let readBytes = 0;
    try {
      yield* entryChunks(this.#bytes, entry, password, (bytes, memberBytes, read) => {
        readBytes = read;
        this.#budget.spend(bytes, memberBytes, this.#inputBytes(read));
      });
    } catch (error) {
      throw isDoubtful(entry, password) && error instanceof FailureError && error.failure.kind === 'archive-damaged'
        ? new FailureError({ kind: 'archive-password', name: shownName(entry.name) }, { cause: error })
        : error;
    } finally {
      this.#readBytes += readBytes;
    }
  }

  /** No archive gives more than it has, however often its entries say the same bytes are theirs. */
  #inputBytes(entryBytes: number): number {
    return Math.min(this.#readBytes + entryBytes, this.#bytes.size);
  }
}

/** One wrong password in 256 seems right to ZipCrypto, and only the checksum at the end knows better. */
const isDoubtful = ({ encryption }: PlacedEntry, password: string | null): boolean => password !== null && encryption !== null && !encryption.isSure;

/** zip.js looks at no encrypted entry without one; none is tried here. */
const anyPassword = new Uint8Array(1);
const strongEncryptionFlags = 0x0040 | 0x2000;

function unsupported({ compressionMethod, rawBitFlag = 0, encrypted, extraFieldAES }: FileEntry, name: string): Failure | null {
  const feature = ((): string | null => {
    if (!isReadableMethod(compressionMethod)) return `compression method ${compressionMethod}`;
    if ((rawBitFlag & strongEncryptionFlags) !== 0) return 'PKWARE’s strong encryption';
    const strength = extraFieldAES?.strength ?? 1;
    return encrypted && (strength < 1 || strength > 3) ? 'an unknown kind of AES' : null;
  })();
  return feature === null ? null : { kind: 'archive-unsupported', name: shownName(name), feature };
}

function implausible(entry: FileEntry, name: string): Failure | null {
  const { uncompressedSize, compressedSize, compressionMethod } = entry;
  const packed = packedBytesOf(compressedSize, encryptionOf(entry));
  const fits = compressionMethod === storedMethod ? uncompressedSize === packed : packed >= 0 && uncompressedSize <= packed * mostExpansion;
  return fits ? null : damaged(name, `It cannot hold ${uncompressedSize} bytes in ${compressedSize}`);
}

/** The kind of file in the upper half of the attributes, where an archive made on Unix has its mode. */
function refusedMode(mode: number): NameRefusal | null {
  const type = mode & 0o170000;
  if (type === 0o120000) return 'link';
  return deviceTypes.has(type) ? 'device' : null;
}

/** Character and block devices. Pipes and sockets are what tools write of an entry that they read from their input: its bytes are as good as any. */
const deviceTypes = new Set([0o020000, 0o060000]);

const damaged = (name: string, reason: string): Failure => ({ kind: 'archive-damaged', name: shownName(name), reason });
const refused = (name: string, failure: Failure): RandomPart => ({ kind: 'refused', name, failure });
