import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import { SyncedAhead } from '../../base/files.ts';
import type { ArchiveEncryption, EntryCipher, ZipProtection } from '../encryption/zip-encryption.ts';
import { encryptionOf, type EntryHead, recordOf } from '../writing/sample-zip.ts';
import { localHeader, type Zip64Limits } from '../writing/write-zip-records.ts';

const heldBytes = 64 * 1024;

export interface FileTarget {
  path: string;
  /** What is finished outlives a power cut. */
  durable: boolean;
  /** It must not be there yet; else it must. */
  isNew: boolean;
}

/**
 * A file that small writes are gathered for. Its calls block, but for those that wait for the disk: for a worker only.
 * Every error is the system's.
 */
export class BufferedFile {
  readonly path: string;
  readonly #sync: SyncedAhead | null;
  readonly #held = Buffer.allocUnsafeSlow(heldBytes);
  #file: number | null;
  #heldLength = 0;
  #writtenUpTo = 0;

  constructor({ path, durable, isNew }: FileTarget) {
    this.path = path;
    this.#sync = durable ? new SyncedAhead() : null;
    this.#file = openSync(path, isNew ? 'wx' : 'r+', 0o600);
  }

  /** Where the next byte goes. */
  get position(): number {
    return this.#writtenUpTo + this.#heldLength;
  }

  moveTo(position: number): void {
    if (position === this.position) return;
    this.flush();
    this.#writtenUpTo = position;
  }

  write(bytes: Uint8Array): void {
    if (this.#heldLength + bytes.length > heldBytes) this.flush();
    if (bytes.length > heldBytes) return this.#writeWhole(bytes);
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength += bytes.length;
  }

  /** Keeps nothing that would be written later. */
  flush(): void {
    const held = this.#held.subarray(0, this.#heldLength);
    this.#heldLength = 0;
    this.#writeWhole(held);
  }

  /** The file ends where the next byte would go. */
  cut(): void {
    this.flush();
    ftruncateSync(this.#opened(), this.#writtenUpTo);
  }

  async finish(): Promise<void> {
    this.flush();
    await this.#sync?.finish(this.#opened());
    this.#close();
  }

  async remove(): Promise<void> {
    await this.#sync?.idle();
    this.#close();
    rmSync(this.path, { force: true });
  }

  #writeWhole(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const count = writeSync(this.#opened(), bytes, done, bytes.length - done, this.#writtenUpTo);
      done += count;
      this.#writtenUpTo += count;
    }
    this.#sync?.wrote(this.#opened(), bytes.length);
  }

  #opened(): number {
    if (this.#file === null) throw new Error('this file is not open');
    return this.#file;
  }

  #close(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) closeSync(file);
  }
}

/** What one worker writes of one file of an export. It blocks. */
export class ExportedFile {
  readonly #file: BufferedFile;
  readonly #form: EntryForm;

  constructor(target: FileTarget, form: EntryForm) {
    this.#file = new BufferedFile(target);
    this.#form = form;
  }

  async begin(head: EntryHead, offset: number): Promise<void> {
    const before = await this.#form.begin(head);
    this.#file.moveTo(offset);
    for (const part of before) this.#file.write(part);
  }

  /** Takes the piece. All pieces of an entry but the last are multiples of 64 KiB. */
  write(piece: Uint8Array<ArrayBuffer>): void {
    this.#form.update(piece);
    this.#file.write(piece);
    releaseBytes(piece);
  }

  end(): void {
    this.#file.write(this.#form.end());
  }

  /** Whether the CRC must be known before an entry is begun. */
  get needsChecksum(): boolean {
    return this.#form.needsChecksum;
  }

  /** Keeps nothing that would be written later, where by then something else may be. */
  flush(): void {
    this.#file.flush();
  }

  /**
   * Without an end, another writer finishes the file.
   *
   * @returns where the last byte is
   */
  async finish(end: FileEnd | null): Promise<number> {
    if (end !== null) {
      this.#file.moveTo(end.offset);
      for (const part of end.parts) this.#file.write(part);
      this.#file.cut();
    }
    await this.#file.finish();
    return this.#file.position;
  }

  remove(): Promise<void> {
    return this.#file.remove();
  }
}

/** What lies in the file for one entry after another. */
interface EntryForm {
  readonly needsChecksum: boolean;
  /** @returns what goes before its bytes */
  begin(head: EntryHead): Promise<Uint8Array[]>;
  /** In place. */
  update(piece: Uint8Array<ArrayBuffer>): void;
  /** @returns what goes behind its bytes */
  end(): Uint8Array;
}

export const plainEntries: EntryForm = {
  needsChecksum: false,
  begin: async () => [],
  update: () => undefined,
  end: () => new Uint8Array(0),
};

export class ZipEntries implements EntryForm {
  readonly #encryption: ArchiveEncryption;
  readonly #limits: Zip64Limits;
  readonly needsChecksum: boolean;
  #cipher: EntryCipher | null = null;

  constructor(protection: ZipProtection, limits: Zip64Limits) {
    this.needsChecksum = protection.encryption === 'zipcrypto';
    this.#encryption = encryptionOf(protection);
    this.#limits = limits;
  }

  async begin(head: EntryHead): Promise<Uint8Array[]> {
    const encryption = this.#encryption.entry(head.crc32);
    this.#cipher = await encryption.open();
    return [localHeader(recordOf(head, encryption), this.#limits), this.#cipher.head];
  }

  update(piece: Uint8Array<ArrayBuffer>): void {
    this.#begun().update(piece);
  }

  end(): Uint8Array {
    const tail = this.#begun().tail();
    this.#cipher = null;
    return tail;
  }

  #begun(): EntryCipher {
    if (this.#cipher === null) throw new Error('no entry is begun');
    return this.#cipher;
  }
}

/** The file ends with these bytes, from that place on. */
export interface FileEnd {
  offset: number;
  parts: Uint8Array[];
}
