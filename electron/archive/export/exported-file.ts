import { releaseBytes } from '../../../shared/release-bytes.ts';
import { BufferedFile, type FileTarget } from './buffered-file.ts';
import type { FileEnd } from './export-messages.ts';
import type { ArchiveEncryption, EntryCipher, ZipProtection } from '../encryption/zip-encryption.ts';
import { encryptionOf, recordOf, type EntryHead } from '../writing/zip-entry.ts';
import { localHeader, type Zip64Limits } from '../writing/write-zip-records.ts';

export type { FileTarget } from './buffered-file.ts';

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

  /** @returns where the last byte is. Without an end the file is somebody else's to finish. */
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
export interface EntryForm {
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
