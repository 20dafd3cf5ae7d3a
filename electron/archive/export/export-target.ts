import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportAs } from '../../../shared/domain/export.ts';
import type { ZipProtection } from '../encryption/zip-encryption.ts';
import { checksumOf, zip64Limits, type Zip64Limits } from '../writing/write-zip-records.ts';
import { onDisk, type Placed, placeFile, placeFolder, removeQuietly } from './export-file.ts';
import type { ManifestFile } from './export-manifest.ts';
import type { ExportThread, ExportThreads } from './export-thread.ts';
import { ExportZip } from './export-zip.ts';

/** A sample on its way. */
export interface SampleCopy<Source> {
  sha256: string;
  sizeBytes: number;
  source: Source;
  /** So many more bytes of it. */
  moved(bytes: number): void;
}

/**
 * Samples on their way into a folder of the person's, under a name that marks them as not finished. `place` makes them
 * appear, all at once; without it `discard` leaves nothing.
 */
export interface ExportTarget<Source> {
  /** A failure of the disk, which the next sample would meet too. */
  readonly hasFailed: boolean;
  /** Several may be on their way. @returns why it could not be read, and is not in; null when it is */
  copy(sample: SampleCopy<Source>): Promise<string | null>;
  /** Once no copy is on its way. */
  addManifest(file: ManifestFile): Promise<void>;
  /** Nothing is added after it. @returns bytes of all files */
  finish(): Promise<number>;
  place(stem: string): Promise<Placed>;
  /** Removes what is not placed; what is on its way fails. May be called at any time and more than once. */
  discard(): Promise<void>;
}

export interface TargetPlace<Source> {
  /** The person's. */
  folder: string;
  /** The name there until it is finished. */
  unfinishedName: string;
  threads: ExportThreads<Source>;
}

/** Encrypting takes many times the work of all else, and there may be no more processors. */
const threadCount = 2;

/** @throws FailureError `not-writable`, `disk-full`, `disk-failed` */
export async function openTarget<Source>(
  { folder, unfinishedName, threads }: TargetPlace<Source>,
  as: ExportAs,
  limits: Zip64Limits = zip64Limits,
): Promise<ExportTarget<Source>> {
  const path = join(folder, unfinishedName);
  await onDisk(folder, () => (as.form === 'one-zip' ? makeEmptyFile(path) : mkdir(path, { mode: 0o700 })));
  const crew = new Crew(threads, folder);
  try {
    if (as.form === 'one-zip') return new OneZip(path, crew, as, limits);
    return new FolderOfSamples(path, crew, as.form === 'raw' ? null : as, limits);
  } catch (error) {
    await crew.end();
    await removeQuietly(path);
    throw error;
  }
}

const makeEmptyFile = async (path: string): Promise<void> => (await open(path, 'wx', 0o600)).close();

/** The threads of one export. */
class Crew<Source> {
  readonly folder: string;
  readonly threads: readonly ExportThread<Source>[];
  readonly #from: ExportThreads<Source>;
  #isResting = false;
  #isEnding = false;

  constructor(from: ExportThreads<Source>, folder: string) {
    this.folder = folder;
    this.threads = Array.from({ length: threadCount }, () => from.take(folder));
    this.#from = from;
  }

  get hasFailed(): boolean {
    return this.threads.some((thread) => thread.hasFailed);
  }

  /** All is done. Does nothing once they end. */
  async rest(): Promise<void> {
    if (this.#isEnding) return;
    this.#isResting = true;
    await Promise.all(this.threads.map((thread) => this.#from.giveBack(thread)));
  }

  /** With whatever they do. Does nothing once they rest. */
  async end(): Promise<void> {
    if (this.#isResting) return;
    this.#isEnding = true;
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}

class OneZip<Source> implements ExportTarget<Source> {
  readonly #path: string;
  readonly #crew: Crew<Source>;
  readonly #zip: ExportZip<Source>;

  constructor(path: string, crew: Crew<Source>, protection: ZipProtection, limits: Zip64Limits) {
    this.#path = path;
    this.#crew = crew;
    this.#zip = new ExportZip({ path, durable: true, isNew: false }, protection, crew.threads, limits);
  }

  get hasFailed(): boolean {
    return this.#crew.hasFailed;
  }

  copy({ sha256, sizeBytes, source, moved }: SampleCopy<Source>): Promise<string | null> {
    return this.#zip.copy({ head: { name: sha256, sizeBytes, crc32: 0 }, source, moved });
  }

  async addManifest({ name, sizeBytes, open: opened }: ManifestFile): Promise<void> {
    await this.#zip.put({ name, sizeBytes, crc32: await checksumOf(opened()) }, opened());
  }

  finish(): Promise<number> {
    return this.#zip.finish();
  }

  async place(stem: string): Promise<Placed> {
    const placed = await placeFile(this.#path, this.#crew.folder, `${stem}.zip`);
    await this.#crew.rest();
    return placed;
  }

  async discard(): Promise<void> {
    await this.#crew.end();
    await removeQuietly(this.#path);
  }
}

/** A thread, and what it does now. */
interface ThreadLoad<Source> {
  thread: ExportThread<Source>;
  samples: number;
  busy: Promise<unknown>;
}

/**
 * A folder of `<sha256>.zip`, or of `<sha256>` as they are. Files are not synced one by one, which would take many
 * times the work: what a power cut then loses is a copy.
 */
class FolderOfSamples<Source> implements ExportTarget<Source> {
  readonly #path: string;
  readonly #crew: Crew<Source>;
  readonly #loads: readonly ThreadLoad<Source>[];
  readonly #protection: ZipProtection | null;
  readonly #limits: Zip64Limits;
  #sizeBytes = 0;

  constructor(path: string, crew: Crew<Source>, protection: ZipProtection | null, limits: Zip64Limits) {
    this.#path = path;
    this.#crew = crew;
    this.#loads = crew.threads.map((thread) => ({ thread, samples: 0, busy: Promise.resolve() }));
    this.#protection = protection;
    this.#limits = limits;
  }

  get hasFailed(): boolean {
    return this.#crew.hasFailed;
  }

  copy(sample: SampleCopy<Source>): Promise<string | null> {
    return this.#inIdlest((thread) =>
      this.#protection === null ? this.#copyPlain(thread, sample) : this.#copyZip(thread, sample, this.#protection),
    );
  }

  addManifest({ name, sizeBytes, open: opened }: ManifestFile): Promise<void> {
    return this.#inIdlest(async (thread) => {
      thread.openPlain({ path: join(this.#path, name), durable: true, isNew: true });
      await thread.put({ name, sizeBytes, crc32: 0 }, 0, opened());
      this.#sizeBytes += await thread.finish();
    });
  }

  async finish(): Promise<number> {
    return this.#sizeBytes;
  }

  async place(stem: string): Promise<Placed> {
    const placed = await placeFolder(this.#path, this.#crew.folder, stem);
    await this.#crew.rest();
    return placed;
  }

  async discard(): Promise<void> {
    await this.#crew.end();
    await removeQuietly(this.#path);
  }

  async #copyPlain(
    thread: ExportThread<Source>,
    { sha256, sizeBytes, source, moved }: SampleCopy<Source>,
  ): Promise<string | null> {
    thread.openPlain({ path: join(this.#path, sha256), durable: false, isNew: true });
    const copied = await thread.copy({ head: { name: sha256, sizeBytes, crc32: 0 }, offset: 0, source, moved });
    if (copied.isIn) this.#sizeBytes += await thread.finish();
    else await thread.remove();
    return copied.isIn ? null : copied.reason;
  }

  async #copyZip(
    thread: ExportThread<Source>,
    { sha256, sizeBytes, source, moved }: SampleCopy<Source>,
    protection: ZipProtection,
  ): Promise<string | null> {
    const zip = new ExportZip(
      { path: join(this.#path, `${sha256}.zip`), durable: false, isNew: true },
      protection,
      [thread],
      this.#limits,
    );
    const reason = await zip.copy({ head: { name: sha256, sizeBytes, crc32: 0 }, source, moved });
    if (reason === null) this.#sizeBytes += await zip.finish();
    else await thread.remove();
    return reason;
  }

  /** One file of a thread's after another. */
  async #inIdlest<T>(work: (thread: ExportThread<Source>) => Promise<T>): Promise<T> {
    const load = this.#loads.reduce((idlest, other) => (other.samples < idlest.samples ? other : idlest));
    load.samples += 1;
    const done = load.busy.then(() => work(load.thread));
    load.busy = Promise.allSettled([done]).finally(() => {
      load.samples -= 1;
    });
    return done;
  }
}
