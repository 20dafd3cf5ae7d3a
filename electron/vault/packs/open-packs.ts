import { type FileHandle, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedContainerError, decodeContainer } from '../container/container.ts';
import type { PackEnd } from '../storing/storing-pool.ts';
import { isPackName, prepareFolder } from '../vault-folder.ts';
import { frameBytes, frameMark, fullPackBytes, packedContainerBytes, readFrame } from './pack-frame.ts';
import type { PackIndex, PackPlace } from './pack-index.ts';

const placesAtOnce = 1000;

/**
 * Makes the folder of the packs match the index: what a crash left after the last sample of a pack is cut off, and
 * unknown packs are removed. An index that knows nothing at all was lost: then it is made again from the packs.
 *
 * @returns the packs that have space left. @throws the system's errors
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

const windowBytes = 1024 * 1024;
const largestRecord = frameBytes + packedContainerBytes;

/** Finds every whole sample in a pack without its index, over damage in between. Memory does not grow with the pack. */
export async function* scanPack(path: string, pack: string): AsyncGenerator<PackPlace, void, void> {
  const handle = await open(path, 'r');
  try {
    const window = Buffer.allocUnsafeSlow(windowBytes);
    for (let position = 0; ;) {
      const bytes = window.subarray(0, await fill(handle, window, position));
      const isLast = bytes.length < windowBytes;
      const { places, end } = placesIn(bytes, isLast ? bytes.length : windowBytes - largestRecord);
      for (const { sha256, at, length } of places) yield { sha256, pack, at: position + at, length };
      if (isLast) return;
      position += end;
    }
  } finally {
    await handle.close();
  }
}

/** Those that begin before `limit`. @returns where the next window begins */
function placesIn(bytes: Buffer, limit: number): { places: Omit<PackPlace, 'pack'>[]; end: number } {
  const places: Omit<PackPlace, 'pack'>[] = [];
  let at = 0;
  while (at < limit) {
    const frame = readFrame(bytes.subarray(at));
    const begin = at + frameBytes;
    const sha256 = frame && !frame.isVoid ? soundSha256(bytes.subarray(begin, begin + frame.length)) : null;
    if (frame && sha256 !== null) places.push({ sha256, at: begin, length: frame.length });
    at = frame && (frame.isVoid || sha256 !== null) ? begin + frame.length : nextMark(bytes, at + 1, limit);
  }
  return { places, end: at };
}

function soundSha256(container: Buffer): string | null {
  try {
    return decodeContainer(container, null).facts.sha256;
  } catch (error) {
    if (error instanceof DamagedContainerError) return null;
    throw error;
  }
}

function nextMark(bytes: Buffer, from: number, limit: number): number {
  const found = bytes.indexOf(frameMark, from);
  return found < 0 ? limit : Math.min(found, limit);
}

async function fill(handle: FileHandle, window: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < window.length) {
    const { bytesRead } = await handle.read(window, filled, window.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
