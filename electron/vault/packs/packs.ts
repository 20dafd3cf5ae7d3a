import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerFacts } from '../container/container.ts';
import { factsOfContainer } from '../container/container-bytes.ts';
import { unlessMissing } from '../disk-failures.ts';
import { DurablePack } from './durable-pack.ts';
import { openPacks } from './open-packs.ts';
import { packedContainer, type PackedSpot } from './packed-container.ts';
import { frameBytes, isPackedLength, voidedStart } from './pack-frame.ts';
import type { PackIndex, PackPlace, PackSpot } from './pack-index-port.ts';
import type { PackEnd } from '../storing/storing-messages.ts';
import { isPackName } from '../vault-folder.ts';

const listedAtOnce = 1000;

/** Samples that share files with others. Throws the system's errors, and the index's own. */
export class Packs {
  readonly folder: string;
  readonly #index: PackIndex;
  readonly #unfilled: PackEnd[];
  readonly #written = new Map<string, DurablePack>();

  private constructor(folder: string, index: PackIndex, unfilled: PackEnd[]) {
    this.folder = folder;
    this.#index = index;
    this.#unfilled = unfilled;
    for (const { pack } of unfilled) this.#written.set(pack, new DurablePack(folder, pack, true));
  }

  static async open(folder: string, index: PackIndex): Promise<Packs> {
    return new Packs(folder, index, await openPacks(folder, index));
  }

  /** One that a new worker may go on with; nobody else gets it. */
  takeUnfilled(): PackEnd | null {
    return this.#unfilled.pop() ?? null;
  }

  has(sha256: string): boolean {
    return this.#index.place(sha256) !== null;
  }

  /** @returns null when none has it */
  spotOf(sha256: string): PackedSpot | null {
    const place = this.#index.place(sha256);
    return place && this.#spotAt(place);
  }

  /** By SHA-256, where there is one. */
  spotsOf(sha256s: readonly string[]): Map<string, PackedSpot> {
    return new Map(this.#index.places(sha256s).map((place) => [place.sha256, this.#spotAt(place)]));
  }

  /** @returns null when none has it. @throws DamagedContainerError */
  async factsOf(sha256: string): Promise<ContainerFacts | null> {
    const container = await this.#containerOf(sha256);
    return container && factsOfContainer(container, sha256);
  }

  /** Forgets it first: bytes that nobody can find are better than a place where there is nothing. */
  async remove(sha256: string): Promise<void> {
    const place = this.#index.place(sha256);
    if (place === null) return;
    this.#index.remove(sha256);
    const path = this.#pathOf(place);
    if (path !== null) await unlessMissing(makeUnreadable(path, place));
  }

  /** Makes durable what was written to this pack. Once it fails it fails for good. */
  async sync(pack: string): Promise<void> {
    const written = this.#written.get(pack) ?? new DurablePack(this.folder, pack, false);
    this.#written.set(pack, written);
    await written.sync();
  }

  /** Each SHA-256 once, in order. Samples may come and go meanwhile. */
  *list(): Generator<string, void, void> {
    for (let names = this.#index.list('', listedAtOnce); names.length > 0; names = this.#index.list(names.at(-1) ?? '', listedAtOnce)) yield* names;
  }

  async #containerOf(sha256: string): Promise<Buffer | null> {
    const spot = this.spotOf(sha256);
    return spot && packedContainer(spot);
  }

  #spotAt(place: PackPlace): PackedSpot {
    return { path: this.#pathOf(place), at: place.at, length: place.length };
  }

  #pathOf({ pack, length }: PackPlace): string | null {
    return isPackName(pack) && isPackedLength(length) ? join(this.folder, pack) : null;
  }
}

async function makeUnreadable(path: string, { at, length }: PackSpot): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    const bytes = voidedStart(length);
    await handle.write(bytes, 0, bytes.length, at - frameBytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
