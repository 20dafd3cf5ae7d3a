import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { type ContainerFacts, encodeContainer } from '../container/container.ts';
import { throwWriteFailure } from '../disk-failures.ts';
import { removeUnfinished } from '../vault-folder.ts';

/** The hashes that are ready before a sample is sealed, as lower-case hex. */
export interface EarlyHashes {
  md5: string;
  sha1: string;
}

/** Of the bytes with and without their last ones, which may be a server's stray `{}`. */
export interface HashCandidates {
  whole: EarlyHashes;
  withoutTail: EarlyHashes;
}

export interface SealTarget {
  /** Where the container goes; nothing is there yet. */
  path: string;
  /** The folder a disk failure names to the person. */
  shownPath: string;
  /** Wait until the disk has it. Not needed for what a restart throws away. */
  durable: boolean;
}

/**
 * Turns bytes into a container on disk and hashes them on the way: any number of `write`, then `digest`, then `seal`.
 * A call that fails is followed by `discard`, which may come at any time, also after `seal`, and leaves no file.
 */
export interface Sealer {
  /** Takes the batch over and returns an empty one to fill, as soon as there is space for another. */
  write(batch: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  digest(tail: Uint8Array): Promise<HashCandidates>;
  /** `tail` are the last bytes, or none; `hashes` are those of everything including them. */
  seal(tail: Uint8Array, hashes: EarlyHashes): Promise<ContainerFacts>;
  discard(): Promise<void>;
}

/** Starts a sealer for a sample too large to be worked on where it arrives. */
export type OpenSealer = (target: SealTarget) => Sealer;

/** For a sample small enough to be held whole: no thread is asked, and the disk sees one write. */
export class SmallSealer implements Sealer {
  readonly #target: SealTarget;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(target: SealTarget) {
    this.#target = target;
  }

  /** One batch is all there is of a small sample. */
  async write(batch: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    this.#bytes = batch;
    return new Uint8Array(0);
  }

  async digest(tail: Uint8Array): Promise<HashCandidates> {
    return { whole: earlyHashesOf(Buffer.concat([this.#bytes, tail])), withoutTail: earlyHashesOf(this.#bytes) };
  }

  async seal(tail: Uint8Array, hashes: EarlyHashes): Promise<ContainerFacts> {
    const bytes = Buffer.concat([this.#bytes, tail]);
    const facts = { ...hashes, sha256: hash('sha256', bytes), sizeBytes: bytes.length };
    try {
      await writeNew(encodeContainer(bytes, facts), this.#target);
    } catch (error) {
      await this.discard();
      throwWriteFailure(error, this.#target.shownPath);
    }
    return facts;
  }

  async discard(): Promise<void> {
    await removeUnfinished(this.#target.path);
  }
}

const earlyHashesOf = (bytes: Uint8Array): EarlyHashes => ({ md5: hash('md5', bytes), sha1: hash('sha1', bytes) });

async function writeNew(container: Uint8Array, { path, durable }: SealTarget): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(container);
    if (durable) await handle.sync();
  } finally {
    await handle.close();
  }
}
