import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportAs } from '../../shared/contract.ts';
import type { ManifestFile } from './export-manifest.ts';
import { onDisk, placeFile, placeFolder, removeQuietly, type Placed } from './export-place.ts';
import { ExportThread } from './export-thread.ts';
import type { ZipProtection } from './zip-encryption.ts';
import type { EntryHead } from './zip-entry.ts';
import { checksumOf } from './zip-member.ts';
import { zip64Limits, type Zip64Limits } from './write-zip-records.ts';

/**
 * Samples on their way into a folder of the person's, one at a time, under a name that says they are not finished.
 * `place` makes them appear, all at once; without it `discard` leaves nothing.
 */
export interface ExportTarget {
  /** A failure of the disk, which the next sample would meet too. */
  readonly hasFailed: boolean;
  /** For ZIPs with ZipCrypto the head needs the CRC. */
  begin(head: EntryHead): void;
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<void>;
  /** Takes the begun sample back. */
  drop(): Promise<void>;
  addManifest(file: ManifestFile): Promise<void>;
  /** Nothing is added after it. @returns bytes of all files */
  finish(): Promise<number>;
  place(stem: string): Promise<Placed>;
  /** Removes what is not placed. May be called at any time and more than once. */
  discard(): Promise<void>;
}

export interface TargetPlace {
  /** The person's. */
  folder: string;
  /** The name there until it is finished. */
  unfinishedName: string;
}

/** @throws FailureError `not-writable`, `disk-full`, `disk-failed` */
export async function openTarget(place: TargetPlace, as: ExportAs, limits: Zip64Limits = zip64Limits): Promise<ExportTarget> {
  const path = join(place.folder, place.unfinishedName);
  if (as.form !== 'one-zip') await onDisk(place.folder, () => mkdir(path, { mode: 0o700 }));
  const thread = new ExportThread(place.folder, limits);
  if (as.form === 'one-zip') return new OneZip(place.folder, path, as, thread);
  return new FolderOfSamples(place.folder, path, as.form === 'raw' ? null : as, thread);
}

class OneZip implements ExportTarget {
  readonly #folder: string;
  readonly #path: string;
  readonly #thread: ExportThread;

  constructor(folder: string, path: string, protection: ZipProtection, thread: ExportThread) {
    this.#folder = folder;
    this.#path = path;
    this.#thread = thread;
    thread.openZip({ path, durable: true }, { encryption: protection.encryption, password: protection.password });
  }

  get hasFailed(): boolean {
    return this.#thread.hasFailed;
  }

  begin(head: EntryHead): void {
    this.#thread.begin(head);
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.#thread.write(chunk);
  }

  end(): Promise<void> {
    return this.#thread.end();
  }

  async drop(): Promise<void> {
    this.#thread.drop();
  }

  async addManifest({ name, sizeBytes, open }: ManifestFile): Promise<void> {
    this.#thread.begin({ name, sizeBytes, crc32: await checksumOf(open()) });
    for (const piece of open()) await this.#thread.write(piece);
    await this.#thread.end();
  }

  finish(): Promise<number> {
    return this.#thread.finish();
  }

  async place(stem: string): Promise<Placed> {
    const placed = await placeFile(this.#path, this.#folder, `${stem}.zip`);
    await this.#thread.close();
    return placed;
  }

  async discard(): Promise<void> {
    await this.#thread.close();
    await removeQuietly(this.#path);
  }
}

/**
 * A folder of `<sha256>.zip`, or of `<sha256>` as they are. Files are not synced one by one, which would take many
 * times the work: what a power cut then loses is a copy.
 */
class FolderOfSamples implements ExportTarget {
  readonly #folder: string;
  readonly #path: string;
  readonly #protection: ZipProtection | null;
  readonly #thread: ExportThread;
  #sizeBytes = 0;

  constructor(folder: string, path: string, protection: ZipProtection | null, thread: ExportThread) {
    this.#folder = folder;
    this.#path = path;
    this.#protection = protection && { encryption: protection.encryption, password: protection.password };
    this.#thread = thread;
  }

  get hasFailed(): boolean {
    return this.#thread.hasFailed;
  }

  begin(head: EntryHead): void {
    if (this.#protection === null) this.#thread.openPlain({ path: join(this.#path, head.name), durable: false });
    else this.#thread.openZip({ path: join(this.#path, `${head.name}.zip`), durable: false }, this.#protection);
    this.#thread.begin(head);
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.#thread.write(chunk);
  }

  async end(): Promise<void> {
    await this.#thread.end();
    this.#sizeBytes += await this.#thread.finish();
  }

  drop(): Promise<void> {
    return this.#thread.remove();
  }

  async addManifest({ name, sizeBytes, open }: ManifestFile): Promise<void> {
    this.#thread.openPlain({ path: join(this.#path, name), durable: true });
    this.#thread.begin({ name, sizeBytes, crc32: 0 });
    for (const piece of open()) await this.#thread.write(piece);
    await this.end();
  }

  async finish(): Promise<number> {
    return this.#sizeBytes;
  }

  async place(stem: string): Promise<Placed> {
    const placed = await placeFolder(this.#path, this.#folder, stem);
    await this.#thread.close();
    return placed;
  }

  async discard(): Promise<void> {
    await this.#thread.close();
    await removeQuietly(this.#path);
  }
}
