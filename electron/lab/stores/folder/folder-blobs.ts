import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../../../../shared/disk-failure.ts';
import type { SampleReceiver } from '../../../vault/receiver.ts';
import { openVault, type Vault } from '../../../vault/vault.ts';
import type { BlobReceiver, BlobStore, ByteRange, SealedBlob, SweepOptions } from '../blob-store.ts';
import type { StoredBlob } from '../metadata-store.ts';

/**
 * Sample bytes as encrypted files in the vault of the data directory. Their place is their SHA-256. Only the holder of
 * the directory's lock opens it.
 */
export async function openFolderBlobs(directory: string): Promise<BlobStore> {
  return new FolderBlobs(await openVault(join(directory, 'vault'), null));
}

class FolderReceiver implements BlobReceiver {
  readonly #receiver: SampleReceiver;
  #sealed: SealedBlob | null = null;

  constructor(receiver: SampleReceiver) {
    this.#receiver = receiver;
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.#receiver.write(chunk);
  }

  async seal(): Promise<SealedBlob> {
    const { md5, sha1, sha256, sizeBytes } = await this.#receiver.seal({ md5: null, sha256: null });
    this.#sealed = { hashes: { md5, sha1, sha256 }, sizeBytes, place: sha256 };
    return this.#sealed;
  }

  get place(): string {
    if (this.#sealed === null) throw new Error('these bytes are not sealed');
    return this.#sealed.place;
  }

  async keep(): Promise<void> {
    await this.#receiver.keep();
  }

  abort(): Promise<void> {
    return this.#receiver.abort();
  }
}

/** Bytes read at a time where a piece of a sample is asked for. */
const pieceBytes = 128 * 1024;
/** Places that one question of a sweep is about. */
const sweptAtOnce = 1_000;

class FolderBlobs implements BlobStore {
  readonly #vault: Vault;
  /** How many commits under way have bytes at a place. A sweep leaves these places alone. */
  readonly #committing = new Map<string, number>();
  /** What a sweep decides about now. A commit at one of these places waits: its bytes would be removed. */
  #swept: { places: ReadonlySet<string>; over: Promise<void> } | null = null;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  receive(): BlobReceiver {
    return new FolderReceiver(this.#vault.receive());
  }

  async commit<Outcome extends string>(
    receivers: readonly BlobReceiver[],
    write: () => Promise<readonly Outcome[]>,
  ): Promise<readonly Outcome[]> {
    const own = receivers.map(ownReceiver);
    const places = own.map(({ place }) => place);
    await this.#begin(places);
    try {
      for (const receiver of own) await receiver.keep();
      // Bytes without a row may be those of another sample's row, or of a commit beside this one: a sweep decides.
      return await write();
    } finally {
      this.#end(places);
    }
  }

  read({ sha256 }: StoredBlob, range?: ByteRange): AsyncIterable<Uint8Array> {
    return range === undefined ? this.#vault.read(sha256) : this.#piece(sha256, range);
  }

  async sweep(options: SweepOptions): Promise<number> {
    let removed = 0;
    let places: string[] = [];
    for await (const sha256 of this.#vault.list()) {
      places.push(sha256);
      if (places.length < sweptAtOnce) continue;
      if (options.signal?.aborted === true) return removed;
      removed += await this.#sweepAmong(places, options);
      places = [];
    }
    return removed + (await this.#sweepAmong(places, options));
  }

  close(): Promise<void> {
    return this.#vault.close();
  }

  /** From here to `#end` no sweep removes what is at these places. */
  async #begin(places: readonly string[]): Promise<void> {
    while (this.#swept !== null && places.some((place) => this.#swept?.places.has(place))) await this.#swept.over;
    for (const place of places) this.#committing.set(place, (this.#committing.get(place) ?? 0) + 1);
  }

  #end(places: readonly string[]): void {
    for (const place of places) {
      const left = (this.#committing.get(place) ?? 0) - 1;
      if (left > 0) this.#committing.set(place, left);
      else this.#committing.delete(place);
    }
  }

  async #sweepAmong(
    places: readonly string[],
    { olderThanMs, unknownAmong, isDryRun = false }: SweepOptions,
  ): Promise<number> {
    const old: string[] = [];
    for (const place of places) if ((await this.#ageMs(place)) >= olderThanMs) old.push(place);
    const considered = new Set(old.filter((place) => !this.#committing.has(place)));
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#swept = { places: considered, over };
    try {
      const unknown = await unknownAmong([...considered]);
      if (!isDryRun) for (const place of unknown) await this.#vault.remove(place);
      return unknown.length;
    } finally {
      this.#swept = null;
      end();
    }
  }

  /** Since it was written; none for what is gone meanwhile. */
  async #ageMs(sha256: string): Promise<number> {
    try {
      const { mtimeMs } = await stat(this.#vault.sourceOf(sha256).path);
      return Date.now() - mtimeMs;
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  /** Not verified: only a whole read can be. */
  async *#piece(sha256: string, { first, last }: ByteRange): AsyncGenerator<Uint8Array, void, void> {
    const bytes = await this.#vault.openAt(sha256);
    try {
      for (let at = first; at <= last; at += pieceBytes)
        yield await bytes.read(at, Math.min(pieceBytes, last + 1 - at));
    } finally {
      await bytes.close();
    }
  }
}

function ownReceiver(receiver: BlobReceiver): FolderReceiver {
  if (receiver instanceof FolderReceiver) return receiver;
  throw new TypeError('a receiver of another store');
}
