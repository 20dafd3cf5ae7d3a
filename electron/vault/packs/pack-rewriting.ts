import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { persistently, syncFile, syncFolder } from '../../base/files.ts';
import { newPackName, removeUnfinished, unpublishedPath } from '../vault-folder.ts';
import { encodeFrameInto, frameBytes, readFrame, voidedStart } from './pack-frame.ts';
import type { PackIndex, PackPlace, PackSpot } from './pack-index.ts';

interface PackRewritingOptions {
  folder: string;
  index: PackIndex;
  /**
   * A reader may have found the place of a sample and not opened it yet: then the old pack stays, until the vault is
   * opened again.
   */
  mayRemove(): boolean;
}

/** A pack that has its name and is durable. */
interface WrittenPack {
  pack: string;
  end: number;
  durable: DurablePack;
}

interface RewrittenPack {
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
  const again = places.length === 0 ? null : await copyRest(folder, old, places);
  if (again) await makeKnown(folder, index, again.moved);
  const written = again?.written ?? null;
  if (index.endOf(pack) !== null || !mayRemove()) return { freedBytes: 0, written };
  await rm(old, { force: true });
  await syncFolder(folder);
  return { freedBytes: size - (written?.end ?? 0), written };
}

async function copyRest(
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

interface MovedPlace {
  from: PackPlace;
  to: PackPlace;
}

/** Records that lie side by side are copied together, up to so much. */
const runBytes = 1024 * 1024;

/**
 * Copies records of a pack to a new file, unchanged, also a damaged one, whose readable parts are kept. Only a damaged
 * frame is written again. A record that the pack lacks is left out. Nothing is synced. @returns their new places.
 * Throws the system's errors
 */
async function copyRecords(
  from: string,
  places: readonly PackPlace[],
  to: { path: string; pack: string },
): Promise<MovedPlace[]> {
  const source = await open(from, 'r');
  try {
    const target = await open(to.path, 'wx', 0o600);
    try {
      return await copyRuns(source, places, { file: target, pack: to.pack });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyRuns(
  source: FileHandle,
  places: readonly PackPlace[],
  target: { file: FileHandle; pack: string },
): Promise<MovedPlace[]> {
  const moved: MovedPlace[] = [];
  let end = 0;
  for (const run of runsOf(places.toSorted((one, other) => one.at - other.at))) {
    const begin = (run[0]?.at ?? 0) - frameBytes;
    const bytes = await readUpTo(source, begin, endOf(run.at(-1)) - begin);
    for (const place of run) {
      const record = bytes.subarray(place.at - frameBytes - begin, endOf(place) - begin);
      if (record.length !== frameBytes + place.length) continue;
      if (readFrame(record)?.length !== place.length) encodeFrameInto(record, { isVoid: false, length: place.length });
      await writeAll(target.file, record, end);
      moved.push({
        from: place,
        to: { sha256: place.sha256, pack: target.pack, at: end + frameBytes, length: place.length },
      });
      end += record.length;
    }
  }
  return moved;
}

const endOf = (place: PackSpot | undefined): number => (place ? place.at + place.length : 0);

/** In their order, with nothing or little between them. */
function* runsOf(places: readonly PackPlace[]): Generator<PackPlace[], void, void> {
  let run: PackPlace[] = [];
  for (const place of places) {
    if (run.length > 0 && endOf(place) - (run[0]?.at ?? 0) > runBytes) {
      yield run;
      run = [];
    }
    run.push(place);
  }
  if (run.length > 0) yield run;
}

/** A disk that fills up takes a part of the bytes first, and refuses only the next ones. */
async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

/** Fewer bytes than asked for where the file ends before. */
async function readUpTo(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/**
 * A pack as the disk knows it. It gets its name with its first samples: until then it is swept like anything else
 * that was not finished.
 */
export class DurablePack {
  readonly #folder: string;
  readonly #pack: string;
  #isPublished: boolean;
  #last: Promise<void> = Promise.resolve();

  constructor(folder: string, pack: string, isPublished: boolean) {
    this.#folder = folder;
    this.#pack = pack;
    this.#isPublished = isPublished;
  }

  /**
   * Syncs everything written so far. One sync at a time, and after a failure never again: a system reports an error
   * once, and a later sync would succeed although the data was lost.
   */
  sync(): Promise<void> {
    this.#last = this.#last.then(() => this.#syncNow());
    return this.#last;
  }

  async #syncNow(): Promise<void> {
    const [unpublished, path] = [unpublishedPath(this.#folder, this.#pack), join(this.#folder, this.#pack)];
    await syncFile(this.#isPublished ? path : unpublished);
    if (this.#isPublished) return;
    await persistently(() => rename(unpublished, path));
    this.#isPublished = true;
    await syncFolder(this.#folder);
  }
}

/** Takes the key from a record, durably. Throws the system's errors. */
export async function makeUnreadable(path: string, { at, length }: Pick<PackSpot, 'at' | 'length'>): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    const bytes = voidedStart(length);
    await handle.write(bytes, 0, bytes.length, at - frameBytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
