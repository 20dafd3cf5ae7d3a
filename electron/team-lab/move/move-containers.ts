import { open, rm } from 'node:fs/promises';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { FailureError } from '../../../shared/failure.ts';
import { ignoreMissing } from '../../base/files.ts';
import { type BlobStore, StoreUnavailable } from '../../lab/stores/blob-store.ts';
import type { FolderToFill } from '../../lab/stores/folder/moved-folder.ts';
import type { StoredBlob, StoredSample } from '../../lab/stores/metadata-store.ts';
import { fill, openFile, readContainer, readContainerFacts } from '../../vault/container/container-file.ts';
import {
  type ContainerFacts,
  containerOverheadBytes,
  DamagedContainerError,
  headerBytes,
  readBody,
  readFacts,
  trailerBytes,
} from '../../vault/container/container.ts';
import { throwReadFailure, throwWriteFailure } from '../../vault/disk-failures.ts';
import { objectBytesAtMost, PartBuffers } from '../s3/part-buffers.ts';
import { mostSealedMs } from '../s3/s3-blobs.ts';
import { type S3Client, S3Refused } from '../s3/s3-client.ts';
import { S3Upload } from '../s3/s3-upload.ts';

/** What rows say of bytes. Those of a publication have no other hashes. */
export interface ExpectedBytes extends StoredBlob {
  hashes: StoredSample['hashes'] | null;
}

/** A container that was copied, for rows to name. */
export interface CopiedContainer {
  sha256: string;
  place: string;
  sizeBytes: number;
}

/** The message is for a person. */
export class ContainerTooLarge extends Error {
  override readonly name = 'ContainerTooLarge';

  constructor() {
    super(`it is larger than the ${Math.floor(objectBytesAtMost / gibibyte)} GiB that a bucket takes`);
  }
}

/** Where containers are copied to, as they are: nothing is decrypted and encrypted again. */
export interface ContainerTarget<Copied extends CopiedContainer = CopiedContainer> {
  /**
   * @throws DamagedContainerError where it is missing, or not what the rows say, and ContainerTooLarge where the target
   *   cannot hold it; then nothing is left
   */
  copy(expected: ExpectedBytes): Promise<Copied>;
  /** Before the rows that name them are written. */
  settle(copied: readonly Copied[]): Promise<void>;
  /** They have no rows. Never fails: a sweep removes what stays. */
  discard(copied: readonly Copied[]): Promise<void>;
  /** The bytes in a container, decrypted and verified. @throws DamagedContainerError while they are read */
  read(blob: StoredBlob): AsyncIterable<Uint8Array>;
}

const gibibyte = 1024 ** 3;

interface ToBucketOptions {
  client: S3Client;
  blobs: BlobStore;
  containerAt: (sha256: string) => string;
  report: (error: unknown) => void;
}

interface UploadedContainer extends CopiedContainer {
  upload: S3Upload;
}

/** From the files of a folder into a bucket. */
export class ToBucket implements ContainerTarget<UploadedContainer> {
  readonly #options: ToBucketOptions;
  readonly #buffers = new PartBuffers();

  constructor(options: ToBucketOptions) {
    this.#options = options;
  }

  async copy(expected: ExpectedBytes): Promise<UploadedContainer> {
    if (expected.sizeBytes + containerOverheadBytes > objectBytesAtMost) throw new ContainerTooLarge();
    const { client, report, containerAt } = this.#options;
    const upload = new S3Upload({ client, report, buffers: this.#buffers });
    try {
      for await (const piece of checkedContainer(containerAt(expected.sha256), expected)) await upload.add(piece);
      await upload.finish();
    } catch (error) {
      await upload.remove();
      throw error;
    }
    return { sha256: expected.sha256, sizeBytes: expected.sizeBytes, place: upload.place, upload };
  }

  async settle(copied: readonly UploadedContainer[]): Promise<void> {
    if (copied.some(({ upload }) => upload.storedForMs > mostSealedMs))
      throw new StoreUnavailable('These bytes were stored too long ago to be added: a sweep may have removed them.');
  }

  async discard(copied: readonly UploadedContainer[]): Promise<void> {
    for (const { upload } of copied) await upload.remove();
  }

  async *read(blob: StoredBlob): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield* this.#options.blobs.read(blob);
    } catch (error) {
      const kind = error instanceof FailureError ? error.failure.kind : null;
      if (kind === 'not-in-vault') throw new DamagedContainerError('missing', { cause: error });
      if (kind === 'vault-damaged') throw new DamagedContainerError('altered', { cause: error });
      throw error;
    }
  }
}

const pieceBytes = 512 * 1024;

/**
 * A container as it is in its file, in pieces that each have memory of their own. The last one is given only when the
 * whole is what the rows say: header, trailer and length, and the tag of the body, or its SHA-256 in the first version.
 */
async function* checkedContainer(path: string, expected: ExpectedBytes): AsyncGenerator<Uint8Array, void, void> {
  const file = await opened(path);
  try {
    const { sizeBytes } = file;
    if (sizeBytes < containerOverheadBytes) throw new DamagedContainerError('cut off');
    const trailer = Buffer.alloc(trailerBytes);
    await fill(file, trailer, sizeBytes - trailerBytes);
    let body: ReturnType<typeof readBody> | null = null;
    const bodyEnd = sizeBytes - trailerBytes;
    for (let position = 0; position < sizeBytes; position += pieceBytes) {
      const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, sizeBytes - position));
      await fill(file, piece, position);
      const from = body === null ? headerBytes : 0;
      body ??= checkedEnds(piece.subarray(0, headerBytes), trailer, sizeBytes, expected);
      body.update(piece.subarray(from, Math.max(from, bodyEnd - position)));
      if (position + piece.length === sizeBytes) body.requireWhole();
      yield piece;
    }
  } catch (error) {
    if (error instanceof DamagedContainerError || systemErrorCode(error) === null) throw error;
    throwReadFailure(error, path);
  } finally {
    await file.close();
  }
}

async function opened(path: string): Promise<Awaited<ReturnType<typeof openFile>>> {
  const file = await ignoreMissing(Promise.resolve(openFile(path)));
  if (file === null) throw new DamagedContainerError('missing');
  return file;
}

function checkedEnds(
  header: Buffer,
  trailer: Buffer,
  totalBytes: number,
  expected: ExpectedBytes,
): ReturnType<typeof readBody> {
  requireExpected(readFacts(header, trailer, totalBytes), expected);
  return readBody(header, trailer);
}

function requireExpected(facts: ContainerFacts, { sha256, sizeBytes, hashes }: ExpectedBytes): void {
  if (facts.sha256 !== sha256) throw new DamagedContainerError('another sample');
  if (facts.sizeBytes !== sizeBytes) throw new DamagedContainerError('another size than its record');
  if (hashes !== null && (facts.md5 !== hashes.md5 || facts.sha1 !== hashes.sha1))
    throw new DamagedContainerError('other hashes than its record');
}

interface WrittenContainer extends CopiedContainer {
  /** Null where it was in its place already. */
  path: string | null;
}

/** From a bucket into the files of a folder. */
export class ToFolder implements ContainerTarget<WrittenContainer> {
  readonly #client: S3Client;
  readonly #folder: FolderToFill;

  constructor(client: S3Client, folder: FolderToFill) {
    this.#client = client;
    this.#folder = folder;
  }

  async copy(expected: ExpectedBytes): Promise<WrittenContainer> {
    const { sha256, sizeBytes } = expected;
    const copied = { sha256, place: sha256, sizeBytes };
    // It was verified before it got its name.
    if (await this.#isThere(expected)) return { ...copied, path: null };
    const path = this.#folder.newPath();
    try {
      await this.#write(expected, path);
      for await (const _ of readContainer(path, sha256));
      requireExpected(await readContainerFacts(path, sha256), expected);
      return { ...copied, path };
    } catch (error) {
      await removed(path);
      return asDamage(error, path);
    }
  }

  async settle(copied: readonly WrittenContainer[]): Promise<void> {
    const files = copied.flatMap(({ path, sha256 }) => (path === null ? [] : [{ path, sha256 }]));
    const [first] = files;
    if (first !== undefined)
      await this.#folder.moveIn(files).catch((error: unknown) => throwWriteFailure(error, first.path));
  }

  async discard(copied: readonly WrittenContainer[]): Promise<void> {
    for (const { path } of copied) if (path !== null) await removed(path);
  }

  async *read({ sha256 }: StoredBlob): AsyncGenerator<Uint8Array, void, void> {
    const path = this.#folder.containerAt(sha256);
    try {
      yield* readContainer(path, sha256);
    } catch (error) {
      if (error instanceof DamagedContainerError) throw error;
      if (systemErrorCode(error) === 'ENOENT') throw new DamagedContainerError('missing', { cause: error });
      throwReadFailure(error, path);
    }
  }

  async #isThere(expected: ExpectedBytes): Promise<boolean> {
    const { sha256 } = expected;
    try {
      const facts = await ignoreMissing(readContainerFacts(this.#folder.containerAt(sha256), sha256));
      if (facts === null) return false;
      requireExpected(facts, expected);
      return true;
    } catch (error) {
      if (error instanceof DamagedContainerError) return false;
      return throwReadFailure(error, this.#folder.containerAt(sha256));
    }
  }

  async #write({ place, sizeBytes }: ExpectedBytes, path: string): Promise<void> {
    const file = await open(path, 'wx', 0o600);
    try {
      const { totalBytes, bytes, discard } = await this.#client.get(place);
      if (totalBytes !== sizeBytes + containerOverheadBytes) {
        discard();
        throw new DamagedContainerError('wrong length');
      }
      for await (const chunk of bytes) await file.writeFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

const removed = (path: string): Promise<unknown> => Promise.allSettled([rm(path, { force: true })]);

function asDamage(error: unknown, path: string): never {
  if (error instanceof DamagedContainerError) throw error;
  if (!(error instanceof S3Refused)) return throwWriteFailure(error, path);
  const reason = damageOf.get(error.code);
  throw reason === undefined ? error : new DamagedContainerError(reason, { cause: error });
}

/** A name is written once: what was there a moment ago has been replaced, or cut off. */
const damageOf = new Map([
  ['NoSuchKey', 'missing'],
  ['PreconditionFailed', 'altered'],
  ['InvalidRange', 'altered'],
]);
