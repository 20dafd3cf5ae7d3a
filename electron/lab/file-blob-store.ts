import { join } from 'node:path';
import { openVault, type Vault } from '../vault/vault.ts';
import type { BlobReceiver, BlobStore, ByteRange } from './blob-store.ts';

/** Sample bytes as inert files in the vault of the data directory. Only the holder of the directory's lock opens it. */
export async function openFileBlobs(directory: string): Promise<BlobStore> {
  return new FileBlobStore(await openVault(join(directory, 'vault'), null));
}

class FileBlobStore implements BlobStore {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  receive(): BlobReceiver {
    const receiver = this.#vault.receive();
    return {
      write: (chunk) => receiver.write(chunk),
      seal: async () => {
        const { md5, sha1, sha256, sizeBytes } = await receiver.seal({ md5: null, sha256: null });
        return { hashes: { md5, sha1, sha256 }, sizeBytes };
      },
      keep: async () => void (await receiver.keep()),
      abort: () => receiver.abort(),
    };
  }

  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    return range === undefined ? this.#vault.read(sha256) : pieceOf(this.#vault.read(sha256), range);
  }

  async sweep(isKnown: (sha256: string) => Promise<boolean>): Promise<number> {
    let removed = 0;
    for await (const sha256 of this.#vault.list()) {
      if (await isKnown(sha256)) continue;
      await this.#vault.remove(sha256);
      removed += 1;
    }
    return removed;
  }

  close(): Promise<void> {
    return this.#vault.close();
  }
}

/**
 * The vault reads from the start only: what lies before the range is read and dropped, what lies after it is not read.
 */
async function* pieceOf(
  chunks: AsyncIterable<Uint8Array>,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array, void, void> {
  let position = 0;
  for await (const chunk of chunks) {
    const end = position + chunk.length;
    if (end > first) yield chunk.subarray(Math.max(0, first - position), Math.min(chunk.length, last + 1 - position));
    if (end > last) return;
    position = end;
  }
}
