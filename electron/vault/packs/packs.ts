import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { type ContainerFacts, factsOfContainer } from '../container/container.ts';
import { unlessMissing } from '../disk-failures.ts';
import { packedContainer, type PackedSpot } from '../sample-source.ts';
import type { PackEnd } from '../storing/storing-pool.ts';
import { isPackName } from '../vault-folder.ts';
import { openPacks } from './open-packs.ts';
import { frameBytes, fullPackBytes, isPackedLength } from './pack-frame.ts';
import type { PackIndex, PackPlace } from './pack-index.ts';
import { DurablePack, makeUnreadable, rewritePack } from './pack-rewriting.ts';

/** A pack with so much unused space that rewriting it is worthwhile. */
interface WastedPack {
  pack: string;
  sizeBytes: number;
  wastedBytes: number;
  /** Samples that are still there. */
  samples: number;
}

/** Read of the index before the thread is free again: some milliseconds' worth. */
const placesATurn = 1000;
/** From an eighth on: what is copied is then at most seven times what is given back. */
const leastShare = 8;

/** Of all that the index knows, page by page. What comes or goes meanwhile may be missed. */
async function* pagesOf(index: PackIndex): AsyncGenerator<PackPlace[], void, void> {
  for (let names = index.list('', placesATurn); names.length > 0; names = index.list(names.at(-1) ?? '', placesATurn)) {
    yield index.places(names);
    await nextTurn();
  }
}

/**
 * The wasteful ones among these packs, those with the least to copy first: on a full disk they free the space that
 * others need. A pack that is shorter than the index states is excluded: it has to stay, also beside its copy. Throws
 * the system's errors.
 */
export async function wastedPacks(folder: string, index: PackIndex, packs: readonly string[]): Promise<WastedPack[]> {
  const used = await usedOf(index);
  const wasted: WastedPack[] = [];
  for (const pack of packs) {
    const facts = await unlessMissing(stat(join(folder, pack)));
    const { bytes, samples, end } = used.get(pack) ?? unused;
    const wastedBytes = (facts?.size ?? 0) - bytes;
    if (facts !== null && facts.size >= end && wastedBytes > 0 && wastedBytes * leastShare >= facts.size)
      wasted.push({ pack, sizeBytes: facts.size, wastedBytes, samples });
  }
  return wasted.toSorted((one, other) => leftBytes(one) - leftBytes(other));
}

const leftBytes = ({ sizeBytes, wastedBytes }: WastedPack): number => sizeBytes - wastedBytes;

/** What the index knows of a pack. */
interface PackUse {
  bytes: number;
  samples: number;
  /** Where the last sample ends. */
  end: number;
}

const unused: PackUse = { bytes: 0, samples: 0, end: 0 };

async function usedOf(index: PackIndex): Promise<Map<string, PackUse>> {
  const used = new Map<string, PackUse>();
  for await (const places of pagesOf(index)) {
    for (const { pack, at, length } of places) {
      const { bytes, samples, end } = used.get(pack) ?? unused;
      used.set(pack, { bytes: bytes + frameBytes + length, samples: samples + 1, end: Math.max(end, at + length) });
    }
  }
  return used;
}

const listedAtOnce = 1000;
/** Places of packs under rewriting that are in memory at a time. */
const mostPlaces = 100_000;

/** Samples that share files with others. Throws the system's errors, and the index's own. */
export class Packs {
  readonly folder: string;
  readonly #index: PackIndex;
  #unfilled: PackEnd[];
  readonly #written = new Map<string, DurablePack>();
  /** A worker may be adding to them. */
  readonly #open = new Set<string>();

  private constructor(folder: string, index: PackIndex, unfilled: PackEnd[]) {
    this.folder = folder;
    this.#index = index;
    this.#unfilled = unfilled;
    for (const { pack } of unfilled) this.#written.set(pack, new DurablePack(folder, pack, true));
  }

  static async open(folder: string, index: PackIndex): Promise<Packs> {
    return new Packs(folder, index, await openPacks(folder, index));
  }

  /** A pack that a new worker may continue; no other worker gets it. */
  takeUnfilled(): PackEnd | null {
    const next = this.#unfilled.pop() ?? null;
    if (next) this.#open.add(next.pack);
    return next;
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

  /** Removes it from the index first: bytes that cannot be found are better than a place that holds nothing. */
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
    if (!this.#written.has(pack)) this.#open.add(pack);
    this.#written.set(pack, written);
    await written.sync();
  }

  /**
   * To be called before the workers there are begin to end. @returns what is to be called when they have: a worker that
   * starts meanwhile has packs of its own
   */
  leaving(): () => void {
    const left = [...this.#open];
    return () => {
      for (const pack of left) this.#open.delete(pack);
    };
  }

  /**
   * Packs that could be smaller. Bytes that a worker has written and the index does not know yet count as waste: its
   * packs are included only with `withOpen`.
   */
  async wasted(withOpen: boolean): Promise<WastedPack[]> {
    const packs = (await readdir(this.folder)).filter(
      (name) => isPackName(name) && (withOpen || !this.#open.has(name)),
    );
    return wastedPacks(this.folder, this.#index, packs);
  }

  /**
   * Rewrites wasteful packs, except those that a worker may be adding to. `mayRemove` is checked before each rewrite,
   * and before each old pack is removed: a reader may have found the place of a sample and not opened it yet. The rest
   * is left for the next time. @returns the freed bytes; a read or write error of the disk is thrown after the other
   * packs were tried
   */
  async shrink(mayRemove: () => boolean): Promise<number> {
    const wasted = (await this.wasted(false)).filter(({ pack }) => !this.#open.has(pack));
    const names = new Set(wasted.map(({ pack }) => pack));
    // No worker gets them any more.
    this.#unfilled = this.#unfilled.filter(({ pack }) => !names.has(pack));
    const failed: unknown[] = [];
    let freed = 0;
    for (const some of inMemory(wasted)) {
      for (const [pack, places] of await this.#placesIn(some)) {
        if (!mayRemove()) return freed;
        freed += await this.#rewrite(pack, places, mayRemove).catch((error: unknown) => noteDamage(failed, error));
      }
    }
    if (failed.length > 0) throw failed[0];
    return freed;
  }

  async #placesIn(packs: readonly WastedPack[]): Promise<Map<string, PackPlace[]>> {
    const found = new Map<string, PackPlace[]>(packs.map(({ pack }) => [pack, []]));
    for await (const places of pagesOf(this.#index)) for (const place of places) found.get(place.pack)?.push(place);
    return found;
  }

  async #rewrite(pack: string, places: readonly PackPlace[], mayRemove: () => boolean): Promise<number> {
    this.#written.delete(pack);
    const { freedBytes, written } = await rewritePack(
      { folder: this.folder, index: this.#index, mayRemove },
      pack,
      places,
    );
    if (written && written.end < fullPackBytes) {
      this.#written.set(written.pack, written.durable);
      this.#unfilled.push({ pack: written.pack, end: written.end });
    }
    return freedBytes;
  }

  /** Each SHA-256 once, in order. Samples may come and go meanwhile. */
  *list(): Generator<string, void, void> {
    for (
      let names = this.#index.list('', listedAtOnce);
      names.length > 0;
      names = this.#index.list(names.at(-1) ?? '', listedAtOnce)
    )
      yield* names;
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

/** An unreadable place on the disk does not affect the next pack; a full disk does. @returns 0, as nothing was freed */
function noteDamage(failed: unknown[], error: unknown): number {
  if (systemErrorCode(error) !== 'EIO') throw error;
  failed.push(error);
  return 0;
}

function* inMemory(wasted: readonly WastedPack[]): Generator<WastedPack[], void, void> {
  let some: WastedPack[] = [];
  let places = 0;
  for (const each of wasted) {
    if (some.length > 0 && places + each.samples > mostPlaces) {
      yield some;
      [some, places] = [[], 0];
    }
    some.push(each);
    places += each.samples;
  }
  if (some.length > 0) yield some;
}
