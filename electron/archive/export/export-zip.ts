import type { Copied, CopyOrder, ExportThread } from './export-thread.ts';
import type { FileTarget } from './exported-file.ts';
import { ZipDirectory } from '../writing/zip-directory.ts';
import type { ArchiveEncryption, ZipProtection } from '../encryption/zip-encryption.ts';
import { encryptionOf, recordOf, type EntryHead } from '../writing/zip-entry.ts';
import { localHeader, zip64Limits, type Zip64Limits } from '../writing/write-zip-records.ts';

type Order<Source> = Omit<CopyOrder<Source>, 'offset'>;

interface Entry<Source> {
  order: Order<Source>;
  offset: number;
  /** How it went; null while it is going. */
  copied: Copied | null;
  /** Its way into the file, whichever end it takes. */
  attempt: Promise<void>;
  result: PromiseWithResolvers<string | null>;
}

/**
 * One ZIP that several threads write side by side: where an entry begins follows from the sizes of those before it.
 * Entries get into the directory in their order. One that could not be read leaves no gap: those behind it are
 * written again, from its place on.
 */
export class ExportZip<Source> {
  readonly #threads: readonly ExportThread<Source>[];
  readonly #encryption: ArchiveEncryption;
  readonly #limits: Zip64Limits;
  readonly #directory: ZipDirectory;
  /** In the order of the file. */
  #going: Entry<Source>[] = [];
  #offset = 0;
  #isClosingGap = false;

  /** With more than one thread the file must be there, empty. The first of the threads makes it durable. */
  constructor(target: FileTarget, protection: ZipProtection, threads: readonly ExportThread<Source>[], limits: Zip64Limits = zip64Limits) {
    this.#threads = threads;
    this.#encryption = encryptionOf(protection);
    this.#limits = limits;
    this.#directory = new ZipDirectory(limits);
    for (const [index, thread] of threads.entries()) thread.openZip(index === 0 ? target : { ...target, durable: false }, protection, limits);
  }

  /** Several may be on their way. @returns why it could not be read; null when it is in */
  copy(order: Order<Source>): Promise<string | null> {
    const entry: Entry<Source> = { order, offset: 0, copied: null, attempt: Promise.resolve(), result: Promise.withResolvers() };
    this.#going.push(entry);
    if (!this.#isClosingGap) this.#begin(entry);
    return entry.result.promise;
  }

  /** An entry whose bytes are here, once no copy is on its way. */
  async put(head: EntryHead, bytes: Iterable<Uint8Array>): Promise<void> {
    await this.#idlest().put(head, this.#offset, bytes);
    this.#list(head, this.#offset);
    this.#offset += this.#lengthOf(head);
  }

  /** @returns bytes of the file */
  async finish(): Promise<number> {
    const [first, ...others] = this.#threads;
    await Promise.all(others.map((thread) => thread.finish()));
    const parts = [...this.#directory.end(this.#offset)];
    return (await first?.finish({ offset: this.#offset, parts })) ?? 0;
  }

  #begin(entry: Entry<Source>): void {
    entry.offset = this.#offset;
    entry.copied = null;
    this.#offset += this.#lengthOf(entry.order.head);
    entry.attempt = this.#attempt(entry, this.#idlest());
  }

  async #attempt(entry: Entry<Source>, thread: ExportThread<Source>): Promise<void> {
    try {
      entry.copied = await thread.copy({ ...entry.order, offset: entry.offset });
      this.#settle();
    } catch (error) {
      entry.result.reject(error);
    }
  }

  #settle(): void {
    if (this.#isClosingGap) return;
    for (let [entry] = this.#going; entry?.copied; [entry] = this.#going) {
      if (!entry.copied.isIn) return void this.#closeGap();
      this.#list({ ...entry.order.head, crc32: entry.copied.crc32 }, entry.offset);
      entry.result.resolve(null);
      this.#going.shift();
    }
  }

  /** Of the first one that is going. A thread could still be writing where another is to begin: all are over first. */
  async #closeGap(): Promise<void> {
    this.#isClosingGap = true;
    await Promise.all(this.#going.map(({ attempt }) => attempt));
    const [gone, ...behind] = this.#going;
    this.#isClosingGap = false;
    this.#going = behind;
    this.#offset = gone?.offset ?? this.#offset;
    for (const entry of behind) this.#begin(entry);
    if (gone?.copied?.isIn === false) gone.result.resolve(gone.copied.reason);
  }

  #list(head: EntryHead, offset: number): void {
    this.#directory.add(recordOf(head, this.#encryption.entry(head.crc32)), offset);
  }

  #lengthOf(head: EntryHead): number {
    const record = recordOf(head, this.#encryption.entry(head.crc32));
    return localHeader(record, this.#limits).length + record.storedBytes;
  }

  #idlest(): ExportThread<Source> {
    return this.#threads.reduce((idlest, other) => (other.load < idlest.load ? other : idlest));
  }
}
