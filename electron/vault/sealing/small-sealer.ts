import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ContainerFacts } from '../container/container.ts';
import { encodeContainer } from '../container/container-bytes.ts';
import { throwWriteFailure } from '../disk-failures.ts';
import type { EarlyHashes, HashCandidates, Sealer, SealTarget } from './sealer.ts';
import { removeUnfinished } from '../vault-folder.ts';

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
