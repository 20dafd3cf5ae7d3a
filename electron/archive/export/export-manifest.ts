import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { csvFileHead, csvLine } from '../../../shared/domain/csv.ts';
import { hashKindOf } from '../../../shared/domain/hash.ts';
import { nameTraitOf } from '../archive-names.ts';

/** An export's row for one of its samples. `name` is what the service called it: never a file name here. */
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

const manifestNames: readonly string[] = ['manifest.csv', 'manifest.json'];

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

/**
 * The name of a job's export until it is finished: by the installation and the job alone, so that after a crash it can
 * be found and removed, and that of another, which may write into the same folder, is left alone. `computerId`: see
 * `BackupStore.installationId`.
 */
export const unfinishedNameOf = (computerId: string, jobId: number): string =>
  `.vitrine-${computerId.slice(0, idDigits)}-job-${jobId}.part`;

const idDigits = 12;

/** `20261118T142936Z_112`, in UTC. */
export const exportStem = (time: Date, samples: number): string =>
  `${time.toISOString().replace(/[-:]|\.\d+/g, '')}_${samples}`;

/** What Windows takes in no name, and what is not seen in one. */
const unfit = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;
const unfitRuns = /(?:\s*[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}])+/gu;
/** A name that begins like this is an option to a program, or hidden; Windows drops dots and spaces at an end. */
const unfitEnds = /^[-.~\s]+|[-.\s]+$/gu;

/** Bytes: disks take 255, and a file is called longer while it is written, or once its name was taken. */
const longestStem = 150;
const longestName = 220;

/** A file's name without its extension from what a person called something. Letters of every script stay. */
export function stemOfTitle(title: string): string {
  const words = title
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replace(unfitRuns, '-')
    .replaceAll(/\s+/gu, ' ')
    .replace(unfitEnds, '');
  const stem = cutToBytes(words, longestStem).replace(unfitEnds, '');
  if (stem === '') return 'case';
  return nameTraitOf(stem) === 'reserved' ? `_${stem}` : stem;
}

/** Whether an export may be called so in a folder of the person's, on every system. */
export const isFileName = (name: string): boolean =>
  name !== '' &&
  !unfit.test(name) &&
  name.replace(unfitEnds, '') === name &&
  nameTraitOf(name) === null &&
  Buffer.byteLength(name) <= longestName;

/** Whole characters, as a person counts them. */
function cutToBytes(text: string, most: number): string {
  let [cut, bytes] = ['', 0];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > most) break;
    cut += segment;
  }
  return cut;
}

/** Anything else would be a defect: a service's name for a sample never reaches a disk. */
export function requireSafeName(name: string): void {
  const isHash = hashKindOf(name) !== null && name === name.toLowerCase();
  if (!isHash && !manifestNames.includes(name)) throw new TypeError('an exported file is named by its hash');
}
