import { Reader } from '@zip.js/zip.js';
import { fail } from '../../../shared/failure.ts';
import type { RandomAccess } from './zip-random.ts';
import { pieceBytes } from './zip-stream-inflate.ts';

export interface ArchiveBytesOptions {
  archiveName: string;
  /** Nothing before it is ever read: zip.js, which looks around, finds zeros there. */
  from: number;
  /** How many places may be looked at before the first entry is known: zip.js tries every entry of a directory that lies. */
  probes: number;
}

/** Room for the directory of ten thousand members with long names; zip.js reads it in one piece, as long as it is said to be. */
const mostAtOnceBytes = 64 * 2 ** 20;
/** Headers are read by the dozen bytes, and often stand close together. */
const smallReadBytes = 1024;
const windowBytes = 8 * 1024;

/** An archive as zip.js reads it and as its entries are read. Keeps what the source threw: zip.js may make it something else. */
export class ArchiveBytes extends Reader<RandomAccess> {
  readonly #source: RandomAccess;
  readonly #options: ArchiveBytesOptions;
  #probesLeft: number;
  #window = { position: 0, bytes: new Uint8Array(0) };
  broken: { error: unknown } | null = null;

  constructor(source: RandomAccess, options: ArchiveBytesOptions) {
    super(source);
    this.#source = source;
    this.#options = options;
    this.#probesLeft = options.probes;
    this.size = source.sizeBytes;
  }

  /** The directory was found: from now on reads are those of entries. */
  endProbing(): void {
    this.#probesLeft = Infinity;
  }

  /** Fewer bytes than asked for where the archive ends. */
  override async readUint8Array(position: number, length: number): Promise<Uint8Array> {
    const end = Math.min(position + length, this.size);
    if (!(position >= 0 && end > position)) return new Uint8Array(0);
    this.#probesLeft -= 1;
    if (this.#probesLeft < 0 || end - position > mostAtOnceBytes) this.#damaged('Its directory is too large');
    if (length > smallReadBytes) return this.#from(position, end);
    return this.#fromWindow(position, end);
  }

  /** A part of the archive, a piece at a time. */
  async *pieces(position: number, length: number): AsyncGenerator<Uint8Array, void, void> {
    for (let at = position; at < position + length; at += pieceBytes) yield await this.#from(at, Math.min(at + pieceBytes, position + length));
  }

  async #fromWindow(position: number, end: number): Promise<Uint8Array> {
    const inside = position >= this.#window.position && end <= this.#window.position + this.#window.bytes.length;
    if (!inside) this.#window = { position, bytes: new Uint8Array(await this.#from(position, Math.min(position + windowBytes, this.size))) };
    return this.#window.bytes.slice(position - this.#window.position, end - this.#window.position);
  }

  async #from(position: number, end: number): Promise<Uint8Array> {
    const start = Math.max(position, this.#options.from);
    if (start === position) return this.#read(position, end);
    const bytes = new Uint8Array(end - position);
    if (start < end) bytes.set(await this.#read(start, end), start - position);
    return bytes;
  }

  async #read(position: number, end: number): Promise<Uint8Array> {
    const bytes = await this.#source.read(position, end - position).catch((error: unknown) => {
      this.broken = { error };
      throw error;
    });
    if (bytes.length !== end - position) this.#truncated(position + bytes.length);
    return bytes;
  }

  #truncated(receivedBytes: number): never {
    return this.#keeping(() => fail({ kind: 'archive-truncated', name: this.#options.archiveName, receivedBytes }));
  }

  #damaged(reason: string): never {
    return this.#keeping(() => fail({ kind: 'archive-damaged', name: this.#options.archiveName, reason }));
  }

  #keeping(failing: () => never): never {
    try {
      return failing();
    } catch (error) {
      this.broken = { error };
      throw error;
    }
  }
}
