import { rename } from 'node:fs/promises';
import { persistently } from '../../base/files.ts';
import { ByteBudget } from '../byte-budget.ts';
import type { ContainerFacts } from '../container/container.ts';
import { throwWriteFailure } from '../disk-failures.ts';
import { Intake } from '../intake.ts';
import { openSealingWorkers, type SealingWorkers } from '../sealing/sealing-workers.ts';
import { StoringPool } from '../storing/storing-pool.ts';
import { newId, removeUnfinished, unfinishedPath } from '../vault-folder.ts';

/**
 * Collects bytes until it is known whether they are few. Grows with them, so that ten thousand small files do not take
 * the memory of large ones.
 */
class HeldBytes {
  readonly #mostBytes: number;
  #buffer = Buffer.alloc(0);
  #filled = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  fits(chunk: Uint8Array): boolean {
    return this.#filled + chunk.length <= this.#mostBytes;
  }

  /** Copies the chunk. */
  add(chunk: Uint8Array): void {
    const needed = this.#filled + chunk.length;
    if (needed > this.#buffer.length) this.#grow(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.set(chunk, this.#filled);
    this.#filled = needed;
  }

  /** The view alone has the memory it is in, when it is full. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#filled);
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafeSlow(length);
    grown.set(this.bytes);
    this.#buffer = grown;
  }
}

/** Up to this a file is held until it is whole. */
const heldBytes = 256 * 1024;
/** Held by the threads that write. */
const budgetBytes = 16 * 1024 * 1024;
/** The hashes of a staged file are not known yet. */
const anything = { md5: null, sha256: null };

/**
 * Writes containers that are whole as soon as they have their name. A small file is handed to a thread in one piece, at
 * half the cost of calls that do not block; a large one flows through two threads.
 */
export class ContainerIntake {
  readonly #directory: string;
  readonly #budget = new ByteBudget(budgetBytes);
  readonly #pool: StoringPool;
  readonly #sealing: SealingWorkers = openSealingWorkers();

  constructor(directory: string) {
    this.#directory = directory;
    const setup = { directory, packs: null, unfilled: null };
    this.#pool = new StoringPool({
      incoming: directory,
      isPacked: () => false,
      setup: () => setup,
      budget: this.#budget,
    });
  }

  /** Leaves no file when it throws. @returns the size and the hashes of what came */
  async take(bytes: AsyncIterable<Uint8Array>, path: string): Promise<ContainerFacts> {
    const held = new HeldBytes(heldBytes);
    let large: LargeArrival | null = null;
    try {
      for await (const chunk of bytes) {
        if (large === null && held.fits(chunk)) {
          held.add(chunk);
          continue;
        }
        large ??= await this.#begin(held);
        await large.intake.write(chunk);
      }
      return await (large === null ? this.#finishSmall(held, path) : this.#finishLarge(large, path));
    } finally {
      await large?.intake.abort();
    }
  }

  /** What was being taken in fails as `cancelled`. */
  async close(): Promise<void> {
    this.#budget.close();
    await Promise.all([this.#pool.close(), this.#sealing.close()]);
  }

  async #begin(held: HeldBytes): Promise<LargeArrival> {
    const path = unfinishedPath(this.#directory, newId());
    const intake = new Intake({ path, shownPath: this.#directory, durable: false }, this.#sealing.openSealer);
    await intake.write(held.bytes);
    return { intake, path };
  }

  async #finishSmall({ bytes }: HeldBytes, path: string): Promise<ContainerFacts> {
    const sizeBytes = bytes.length;
    await this.#budget.wait(sizeBytes);
    const written = await this.#pool.store({ bytes, encoding: 'identity', sizeBytes, crc32: null }, anything);
    await this.#name(written.path, path);
    return written.facts;
  }

  async #finishLarge({ intake, path: unfinished }: LargeArrival, path: string): Promise<ContainerFacts> {
    const facts = await intake.finish(anything);
    await this.#name(unfinished, path);
    return facts;
  }

  async #name(unfinished: string, path: string): Promise<void> {
    try {
      await persistently(() => rename(unfinished, path));
    } catch (error) {
      await removeUnfinished(unfinished);
      throwWriteFailure(error, this.#directory);
    }
  }
}

interface LargeArrival {
  intake: Intake;
  path: string;
}
