import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { syncFolder } from '../../base/files.ts';
import { newPackName, removeUnfinished, unpublishedPath } from '../vault-folder.ts';
import { DurablePack } from './durable-pack.ts';
import { makeUnreadable } from './make-unreadable.ts';
import { copyRecords, type MovedPlace } from './pack-copy.ts';
import type { PackIndex, PackPlace } from './pack-index-port.ts';

export interface PackRewritingOptions {
  folder: string;
  index: PackIndex;
  /**
   * Whoever found out where a sample lies may still be on the way to it: then the old pack stays, until the vault is
   * opened again.
   */
  mayRemove(): boolean;
}

/** A pack that has its name and is durable. */
export interface WrittenPack {
  pack: string;
  end: number;
  durable: DurablePack;
}

export interface RewrittenPack {
  freedBytes: number;
  /** null: nothing of the old pack was left. */
  written: WrittenPack | null;
}

/** Made known before the thread is free again: some milliseconds' worth. */
const placesATurn = 200;

/**
 * Writes what is left of a pack to a new one. The new one is durable before any of its places is known, and the old one
 * goes when the index knows no place in it any more: at no moment is a sample in neither. Throws the system's errors,
 * and then nothing is lost.
 */
export async function rewritePack(
  { folder, index, mayRemove }: PackRewritingOptions,
  pack: string,
  places: readonly PackPlace[],
): Promise<RewrittenPack> {
  const old = join(folder, pack);
  const { size } = await stat(old);
  const anew = places.length === 0 ? null : await writeAnew(folder, old, places);
  if (anew) await makeKnown(folder, index, anew.moved);
  const written = anew?.written ?? null;
  if (index.endOf(pack) !== null || !mayRemove()) return { freedBytes: 0, written };
  await rm(old, { force: true });
  await syncFolder(folder);
  return { freedBytes: size - (written?.end ?? 0), written };
}

async function writeAnew(
  folder: string,
  old: string,
  places: readonly PackPlace[],
): Promise<{ written: WrittenPack; moved: MovedPlace[] } | null> {
  const pack = newPackName();
  const path = unpublishedPath(folder, pack);
  try {
    const moved = await copyRecords(old, places, { path, pack });
    const last = moved.at(-1);
    if (last === undefined) {
      await removeUnfinished(path);
      return null;
    }
    const durable = new DurablePack(folder, pack, false);
    await durable.sync();
    return { written: { pack, durable, end: last.to.at + last.to.length }, moved };
  } catch (error) {
    await removeUnfinished(path);
    throw error;
  }
}

/** What was removed or stored again meanwhile is not put back: its copy is made unreadable. */
async function makeKnown(folder: string, index: PackIndex, moved: readonly MovedPlace[]): Promise<void> {
  for (let at = 0; at < moved.length; at += placesATurn) {
    const some = moved.slice(at, at + placesATurn);
    const now = new Map(index.places(some.map(({ from }) => from.sha256)).map((place) => [place.sha256, place]));
    const [still, gone] = [some.filter((each) => isAt(now, each)), some.filter((each) => !isAt(now, each))];
    await index.add(
      still.map(({ to }) => to),
      () => {},
    );
    for (const { to } of gone) await makeUnreadable(join(folder, to.pack), to);
    await nextTurn();
  }
}

function isAt(now: ReadonlyMap<string, PackPlace>, { from }: MovedPlace): boolean {
  const place = now.get(from.sha256);
  return place?.pack === from.pack && place.at === from.at;
}
