import { BufferedFile } from './buffered-file.ts';
import { ZipDirectory } from './zip-directory.ts';
import type { EntryCipher, ZipProtection } from './zip-encryption.ts';
import { encryptionOf, recordOf, type EntryHead } from './zip-entry.ts';
import { localHeader, type EntryRecord, type Zip64Limits } from './write-zip-records.ts';

/** One file of an export while it is written: a ZIP, or a sample as it is. For a worker: it blocks. */
export interface ExportedFile {
  begin(head: EntryHead): void;
  /** May change the bytes. All pieces of an entry but the last are multiples of 64 KiB. */
  write(piece: Uint8Array<ArrayBuffer>): void;
  end(): void;
  /** Takes the entry back that was begun. */
  drop(): void;
  /** @returns bytes of the file */
  finish(): Promise<number>;
  remove(): Promise<void>;
}

export interface FileTarget {
  path: string;
  durable: boolean;
}

/** No file of an export can be executed, and a raw one has no extension: mode 0600, named by its hash. */
export class PlainExport implements ExportedFile {
  readonly #file: BufferedFile;

  constructor({ path, durable }: FileTarget) {
    this.#file = new BufferedFile(path, durable);
  }

  begin(): void {}

  write(piece: Uint8Array): void {
    this.#file.write(piece);
  }

  end(): void {}

  drop(): void {
    this.#file.cutTo(0);
  }

  async finish(): Promise<number> {
    await this.#file.finish();
    return this.#file.length;
  }

  remove(): Promise<void> {
    return this.#file.remove();
  }
}

export class ZipExport implements ExportedFile {
  readonly #file: BufferedFile;
  readonly #protection: ZipProtection;
  readonly #limits: Zip64Limits;
  readonly #directory: ZipDirectory;
  #entry: { record: EntryRecord; cipher: EntryCipher; offset: number } | null = null;

  constructor({ path, durable }: FileTarget, protection: ZipProtection, limits: Zip64Limits) {
    this.#file = new BufferedFile(path, durable);
    this.#protection = protection;
    this.#limits = limits;
    this.#directory = new ZipDirectory(limits);
  }

  begin(head: EntryHead): void {
    const encryption = encryptionOf(this.#protection, head.crc32);
    const record = recordOf(head, encryption);
    const offset = this.#file.length;
    const cipher = encryption.open();
    this.#file.write(localHeader(record, this.#limits));
    this.#file.write(cipher.head);
    this.#entry = { record, cipher, offset };
  }

  write(piece: Uint8Array<ArrayBuffer>): void {
    this.#begun().cipher.update(piece);
    this.#file.write(piece);
  }

  end(): void {
    const { record, cipher, offset } = this.#begun();
    this.#file.write(cipher.tail());
    this.#directory.add(record, offset);
    this.#entry = null;
  }

  drop(): void {
    this.#file.cutTo(this.#begun().offset);
    this.#entry = null;
  }

  async finish(): Promise<number> {
    for (const part of this.#directory.end(this.#file.length)) this.#file.write(part);
    await this.#file.finish();
    return this.#file.length;
  }

  remove(): Promise<void> {
    return this.#file.remove();
  }

  #begun(): { record: EntryRecord; cipher: EntryCipher; offset: number } {
    return this.#entry ?? raise('no entry is begun');
  }
}

function raise(message: string): never {
  throw new Error(message);
}
