import { centralHeader, endRecords, type EntryRecord, type Zip64Limits } from './write-zip-records.ts';

const headersTogether = 512;

/** The table at the end of a ZIP, gathered while its entries are written: about 120 bytes of memory for each. */
export class ZipDirectory {
  readonly #limits: Zip64Limits;
  readonly #whole: Buffer[] = [];
  #latest: Buffer[] = [];
  #sizeBytes = 0;
  #entries = 0;

  constructor(limits: Zip64Limits) {
    this.#limits = limits;
  }

  /** `offset` is where the entry's local header begins; `limits` are those its other records keep. */
  add(record: EntryRecord, offset: number, limits = this.#limits): void {
    const header = centralHeader({ ...record, offset }, limits);
    this.#entries += 1;
    this.#sizeBytes += header.length;
    this.#latest.push(header);
    if (this.#latest.length < headersTogether) return;
    this.#whole.push(Buffer.concat(this.#latest));
    this.#latest = [];
  }

  /** What ends the archive, `offset` being where it begins. */
  *end(offset: number): Generator<Buffer, void, void> {
    yield* this.#whole;
    yield* this.#latest;
    yield endRecords({ entries: this.#entries, offset, sizeBytes: this.#sizeBytes }, this.#limits);
  }
}
