import { readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { fullPackBytes } from './pack-frame.ts';
import type { PackIndex, PackPlace } from './pack-index-port.ts';
import { scanPack } from './pack-scan.ts';
import type { PackEnd } from '../storing/storing-messages.ts';
import { isPackName, prepareFolder } from '../vault-folder.ts';

const placesAtOnce = 1000;

/**
 * Makes the folder of the packs what the index says: what a crash left behind the last sample of a pack is cut off,
 * and packs of which nothing is known are removed. Only where an index knows nothing at all it was lost: then it is
 * made again from the packs.
 * @returns the packs that have room left. @throws the system's errors
 */
export async function openPacks(folder: string, index: PackIndex): Promise<PackEnd[]> {
  await prepareFolder(folder);
  const packs = (await readdir(folder)).filter(isPackName);
  if (index.list('', 1).length === 0) for (const pack of packs) await indexAgain(folder, pack, index);
  const unfilled: PackEnd[] = [];
  for (const pack of packs) {
    const end = index.endOf(pack);
    const whole =
      end === null ? await rm(join(folder, pack), { force: true }) : await cutBehind(join(folder, pack), end);
    if (end !== null && whole === true && end < fullPackBytes) unfilled.push({ pack, end });
  }
  return unfilled;
}

/** @returns whether the pack is as long as it was known to be: a shorter one is damaged and not added to */
async function cutBehind(path: string, end: number): Promise<boolean> {
  const { size } = await stat(path);
  if (size > end) await truncate(path, end);
  return size >= end;
}

async function indexAgain(folder: string, pack: string, index: PackIndex): Promise<void> {
  let places: PackPlace[] = [];
  for await (const place of scanPack(join(folder, pack), pack)) {
    places.push(place);
    if (places.length < placesAtOnce) continue;
    await index.add(places, () => {});
    places = [];
  }
  await index.add(places, () => {});
}
