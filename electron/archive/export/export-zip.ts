import type { ArchiveEncryption, ZipProtection } from '../encryption/zip-encryption.ts';
import { encryptionOf, type EntryHead, recordOf } from '../writing/sample-zip.ts';
import { localHeader, zip64Limits, type Zip64Limits, ZipDirectory } from '../writing/write-zip-records.ts';
import type { Copied, CopyOrder, ExportThread } from './export-thread.ts';
import type { FileTarget } from './exported-file.ts';

type Order<Source> = Omit<CopyOrder<Source>, 'offset'>;

interface Entry<Source> {
  order: Order<Source>;
  offset: number;
  /** How it went; null while it is going. */
  copied: Copied | null;
  /** Its way into the file, whichever end it takes. */
  attempt: Promise<void>;
  /** Of its bytes, as far as they were reported; those of another attempt are not reported again. */
  movedBytes: number;
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
  /** What every later call meets too. */
  #failure: { error: unknown } | null = null;

  /** With more than one thread the file must be there, empty. The first of the threads makes it durable. */
  constructor(
    target: FileTarget,
    protection: ZipProtection,
    threads: readonly ExportThread<Source>[],
    limits: Zip64Limits = zip64Limits,
  ) {
    this.#threads = threads;
    this.#encryption = encryptionOf(protection);
    this.#limits = limits;
    this.#directory = new ZipDirectory(limits);
    for (const [index, thread] of threads.entries())
      thread.openZip(index === 0 ? target : { ...target, durable: false }, protection, limits);
  }

  /** Several may be on their way. @returns why it could not be read; null when it is in */
  async copy(order: Order<Source>): Promise<string | null> {
    if (this.#failure !== null) throw this.#failure.error;
    const entry: Entry<Source> = {
      order,
      offset: 0,
      copied: null,
      attempt: Promise.resolve(),
      movedBytes: 0,
      result: Promise.withResolvers(),
    };
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
      entry.copied = await thread.copy({ ...entry.order, offset: entry.offset, moved: movedOnce(entry) });
      this.#settle();
    } catch (error) {
      this.#fail(error);
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

  /**
   * The first one that is going is not in. A thread could still be writing where another is to begin, and could hold
   * bytes back that it writes later: all are over and written first.
   */
  async #closeGap(): Promise<void> {
    this.#isClosingGap = true;
    try {
      await Promise.all(this.#going.map(({ attempt }) => attempt));
      await Promise.all(this.#threads.map((thread) => thread.flush()));
      this.#isClosingGap = false;
      this.#beginAgain();
    } catch (error) {
      this.#fail(error);
    }
  }

  #beginAgain(): void {
    const going = this.#going;
    const gone = going.filter(({ copied }) => copied?.isIn === false);
    this.#offset = gone[0]?.offset ?? this.#offset;
    this.#going = going.filter(({ copied }) => copied?.isIn !== false);
    for (const entry of this.#going) this.#begin(entry);
    for (const { copied, result } of gone) if (copied?.isIn === false) result.resolve(copied.reason);
  }

  /** One thread's failure is the archive's: nothing that is going will be in it. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    for (const { result } of this.#going.splice(0)) result.reject(error);
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

function movedOnce<Source>(entry: Entry<Source>): (bytes: number) => void {
  let movedNow = 0;
  return (bytes) => {
    movedNow += bytes;
    if (movedNow <= entry.movedBytes) return;
    entry.order.moved(movedNow - entry.movedBytes);
    entry.movedBytes = movedNow;
  };
}
