import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unlessMissing } from '../disk-failures.ts';
import { frameBytes } from './pack-frame.ts';
import type { PackIndex, PackPlace } from './pack-index-port.ts';

/** A pack of which so much is nobody's any more that it is worth to be written anew. */
export interface WastedPack {
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
export async function* pagesOf(index: PackIndex): AsyncGenerator<PackPlace[], void, void> {
  for (let names = index.list('', placesATurn); names.length > 0; names = index.list(names.at(-1) ?? '', placesATurn)) {
    yield index.places(names);
    await nextTurn();
  }
}

/**
 * Among these packs, those first of which the least is to be copied: on a full disk they make the room that others
 * need. One that ends before what it should have is none: it has to stay, also beside its copy. Throws the system's
 * errors.
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
