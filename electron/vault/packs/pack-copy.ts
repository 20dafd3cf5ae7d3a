import { open, type FileHandle } from 'node:fs/promises';
import { encodeFrameInto, frameBytes, readFrame } from './pack-frame.ts';
import type { PackPlace, PackSpot } from './pack-index-port.ts';

export interface MovedPlace {
  from: PackPlace;
  to: PackPlace;
}

/** Records that lie side by side are copied together, up to so much. */
const runBytes = 1024 * 1024;

/**
 * Copies records of a pack to a new file, as they are, a damaged one too: what can be read of it is still there. Only a
 * damaged frame is made anew. A record that the pack has not is left out. Nothing is synced. @returns where they lie
 * now. Throws the system's errors
 */
export async function copyRecords(
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
