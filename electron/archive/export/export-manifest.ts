import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { csvFileHead, csvLine } from '../../../shared/domain/csv.ts';

/** What an export says of one of its samples. `name` is what the service called it: never a file name here. */
export interface ManifestRow {
  sha256: string;
  /** null where the vault could not say. */
  sha1: string | null;
  md5: string | null;
  sizeBytes: number | null;
  name: string | null;
  /** `exported`, or the kind of the failure that left it out. */
  outcome: string;
}

export interface ManifestFile {
  name: string;
  sizeBytes: number;
  /** May be called more than once. */
  open(): Iterable<Uint8Array>;
}

export const manifestNames: readonly string[] = ['manifest.csv', 'manifest.json'];

const csvHeader = ['sha256', 'sha1', 'md5', 'size_bytes', 'name', 'outcome'];
const pieceCharacters = 64 * 1024;

/**
 * The table that goes with exported samples, gathered while they are written: about 250 bytes of memory a row.
 * As CSV for people (one header line; a cell that a spreadsheet would take for a
 * formula begins with an apostrophe), and as JSON, an array with an object a sample.
 */
export class Manifest {
  readonly #csv = new GatheredText();
  readonly #json = new GatheredText();
  #rows = 0;

  constructor() {
    this.#csv.add(csvFileHead(csvHeader));
  }

  add({ sha256, sha1, md5, sizeBytes, name, outcome }: ManifestRow): void {
    this.#csv.add(csvLine([sha256, sha1, md5, sizeBytes, name, outcome]));
    this.#json.add(
      `${this.#rows === 0 ? '[\n' : ',\n'}${JSON.stringify({ sha256, sha1, md5, sizeBytes, name, outcome })}`,
    );
    this.#rows += 1;
  }

  /** Nothing is added after this. */
  files(): { csv: ManifestFile; json: ManifestFile } {
    this.#json.add(this.#rows === 0 ? '[]\n' : '\n]\n');
    return { csv: this.#csv.asFile('manifest.csv'), json: this.#json.asFile('manifest.json') };
  }
}

/** Half of a table of hashes is air. */
class GatheredText {
  readonly #pieces: Buffer[] = [];
  #latest = '';
  #sizeBytes = 0;

  add(text: string): void {
    this.#latest += text;
    if (this.#latest.length >= pieceCharacters) this.#gather();
  }

  asFile(name: string): ManifestFile {
    this.#gather();
    const pieces = this.#pieces;
    return {
      name,
      sizeBytes: this.#sizeBytes,
      *open() {
        for (const piece of pieces) yield inflateRawSync(piece);
      },
    };
  }

  #gather(): void {
    const piece = Buffer.from(this.#latest, 'utf8');
    this.#pieces.push(deflateRawSync(piece, { level: 1 }));
    this.#sizeBytes += piece.length;
    this.#latest = '';
  }
}
