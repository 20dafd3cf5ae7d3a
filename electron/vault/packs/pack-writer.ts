import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { containerOverheadBytes, encodeContainerInto } from '../container/container.ts';
import type { PackEnd } from '../storing/storing-pool.ts';
import type { VerifiedSample } from '../storing/whole-sample.ts';
import { newPackName, unpublishedPath } from '../vault-folder.ts';
import { encodeFrameInto, frameBytes, fullPackBytes, voidedStart } from './pack-frame.ts';
import type { PackSpot } from './pack-index.ts';

interface OpenPack extends PackEnd {
  file: number;
}

/** Appends records to one pack after the other, with calls that block: for a worker only. Nothing is synced here. */
export class PackWriter {
  readonly #folder: string;
  #unfilled: PackEnd | null;
  #open: OpenPack | null = null;
  #scratch = Buffer.alloc(0);

  constructor(folder: string, unfilled: PackEnd | null) {
    this.#folder = folder;
    this.#unfilled = unfilled;
  }

  /** All of them in one write, or none. @throws the system's error */
  append(samples: readonly VerifiedSample[]): PackSpot[] {
    const pack = this.#packWithSpace();
    const lengths = samples.map(({ bytes }) => bytes.length + containerOverheadBytes);
    const records = this.#scratchOf(lengths.reduce((sum, length) => sum + frameBytes + length, 0));
    const spots: PackSpot[] = [];
    let at = 0;
    for (const [index, { bytes, facts }] of samples.entries()) {
      const length = lengths[index] ?? 0;
      encodeFrameInto(records.subarray(at), { isVoid: false, length });
      at += frameBytes;
      encodeContainerInto(records.subarray(at, at + length), bytes, facts);
      spots.push({ pack: pack.pack, at: pack.end + at, length });
      at += length;
    }
    this.#write(pack, records);
    pack.end += records.length;
    return spots;
  }

  /**
   * Cuts these records off where they are the last ones, and makes the others unreadable. Those of a pack that is no
   * longer open stay: they are whole samples that are not in the index.
   */
  scrap(spots: readonly PackSpot[]): void {
    for (const { pack, at, length } of spots.toSorted((one, other) => other.at - one.at)) {
      if (this.#open?.pack !== pack) continue;
      if (at + length === this.#open.end) this.#cut(this.#open, at - frameBytes);
      else writeSync(this.#open.file, voidedStart(length), 0, null, at - frameBytes);
    }
    if (this.#open?.end === 0) this.#dropEmpty(this.#open);
  }

  leave(pack: string): void {
    if (this.#open?.pack === pack) this.#close();
  }

  /** Used again for each group: memory that is new each time costs more than the encryption. */
  #scratchOf(length: number): Buffer {
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafeSlow(length);
    return this.#scratch.subarray(0, length);
  }

  #packWithSpace(): OpenPack {
    if (this.#open && this.#open.end >= fullPackBytes) this.#close();
    this.#open ??= this.#next();
    return this.#open;
  }

  #next(): OpenPack {
    const unfilled = this.#unfilled;
    this.#unfilled = null;
    if (unfilled) return { ...unfilled, file: openSync(join(this.#folder, unfilled.pack), 'r+') };
    const pack = newPackName();
    return { pack, end: 0, file: openSync(unpublishedPath(this.#folder, pack), 'wx', 0o600) };
  }

  #write(pack: OpenPack, bytes: Buffer): void {
    try {
      for (let done = 0; done < bytes.length;)
        done += writeSync(pack.file, bytes, done, bytes.length - done, pack.end + done);
    } catch (error) {
      this.#cut(pack, pack.end);
      if (pack.end === 0) this.#dropEmpty(pack);
      throw error;
    }
  }

  #cut(pack: OpenPack, end: number): void {
    pack.end = end;
    ftruncateSync(pack.file, end);
  }

  /** A pack with nothing in it was never made known. */
  #dropEmpty({ pack }: OpenPack): void {
    this.#close();
    rmSync(unpublishedPath(this.#folder, pack), { force: true });
  }

  #close(): void {
    if (this.#open) closeSync(this.#open.file);
    this.#open = null;
  }
}
