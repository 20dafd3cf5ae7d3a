import type {
  ArchiveLimits,
  ArchiveRemark,
  MemberRemark,
  NameEncoding,
} from '../../../shared/domain/opened-archive.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { pieceBytes } from './zip-stream-feed.ts';

/** Bytes that can be read anywhere, such as a file. `read` resolves to exactly `length` bytes that lie inside. */
export interface RandomAccess {
  readonly sizeBytes: number;
  read(position: number, length: number): Promise<Uint8Array>;
}

export type RandomPart =
  /** Decrypted and inflated as it is iterated; throws as a streamed part of `readZipStream` does. */
  | { kind: 'streamed'; name: string; sizeBytes: number; chunks: AsyncIterable<Uint8Array>; remarks: MemberRemark[] }
  /** A member that cannot be read; the others are. */
  | { kind: 'refused'; name: string; failure: Failure; remarks: MemberRemark[] };

export interface ZipAtOptions {
  /** For failures. */
  archiveName: string;
  /** Tried in order, each as UTF-8. */
  passwords: readonly string[];
  limits?: ArchiveLimits;
  /** How names that are no UTF-8 are read; guessed where it is left out. */
  nameEncoding?: NameEncoding;
  /** Called with how such names are read, before the first part; not where all names are UTF-8. */
  onEncoding?(encoding: NameEncoding): void;
  /** Called with what is unusual about the archive as a whole. */
  onRemark?(remark: ArchiveRemark): void;
  /**
   * For packages of rules, where a name is a path and two of one name are a contradiction: members that are links,
   * devices, named twice or named to lead elsewhere are refused, and nothing is read that the directory does not list.
   */
  isStrict?: boolean;
  /** Aborts between entries and inside of large ones; its reason is thrown. */
  signal?: AbortSignal;
  /** Entries that begin before it are left out, and nothing before it is read. */
  from?: number;
}

/** Headers, names and small members often lie close together: they come out of one read. */
const windowBytes = 128 * 1024;

/** An archive read at any place, small reads through a window. What the source throws comes out unchanged. */
export class ArchiveBytes {
  readonly #source: RandomAccess;
  readonly #archiveName: string;
  /** Nothing before it is ever read. */
  readonly from: number;
  #window: { position: number; bytes: Buffer } = { position: 0, bytes: Buffer.alloc(0) };
  #broken: { error: unknown } | null = null;

  constructor(source: RandomAccess, archiveName: string, from: number) {
    this.#source = source;
    this.#archiveName = archiveName;
    this.from = from;
  }

  get size(): number {
    return this.#source.sizeBytes;
  }

  /** Throws again what the source threw: it is not about the entry that was read. */
  requireSound(): void {
    if (this.#broken !== null) throw this.#broken.error;
  }

  /** At most a window at a time; fewer bytes where the archive ends. A view: not to be changed. */
  async read(position: number, length: number): Promise<Buffer> {
    const end = Math.min(position + length, this.size);
    if (position < this.from || end <= position) return Buffer.alloc(0);
    const inside = position >= this.#window.position && end <= this.#window.position + this.#window.bytes.length;
    if (!inside) {
      const windowEnd = Math.min(Math.max(end, position + windowBytes), this.size);
      this.#window = { position, bytes: await this.#read(position, windowEnd) };
    }
    return this.#window.bytes.subarray(position - this.#window.position, end - this.#window.position);
  }

  /** A part of the archive, a piece at a time, each in a buffer of its own. */
  async *pieces(position: number, length: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
    for (let at = position; at < position + length; at += pieceBytes) {
      const piece = new Uint8Array(await this.read(at, Math.min(pieceBytes, position + length - at)));
      if (piece.length < Math.min(pieceBytes, position + length - at)) this.#truncated(at + piece.length);
      yield piece;
    }
  }

  async #read(position: number, end: number): Promise<Buffer> {
    const bytes = await this.#source.read(position, end - position).catch((error: unknown) => {
      this.#broken = { error };
      throw error;
    });
    if (bytes.length !== end - position) this.#truncated(position + bytes.length);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  #truncated(receivedBytes: number): never {
    try {
      return fail({ kind: 'archive-truncated', name: this.#archiveName, receivedBytes });
    } catch (error) {
      this.#broken = { error };
      throw error;
    }
  }
}
