import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import { sha256 } from '../../../shared/domain/hash.ts';
import { FailureError } from '../../../shared/failure.ts';
import { fill, openBlocking, readContainer } from '../../vault/container/container-file.ts';
import { containerOverheadBytes, DamagedContainerError, decodeContainer } from '../../vault/container/container.ts';
import {
  encodeFrameInto,
  frameBytes,
  fullPackBytes,
  isPackedLength,
  packedContainerBytes,
} from '../../vault/packs/pack-frame.ts';
import { overSqlite } from '../database/sqlite-error.ts';
import type { EarlierStates } from './backup-list.ts';
import { type BackupObjects, objectPath } from './backup-objects.ts';

interface BackupSamplesOptions {
  /** The data directory. */
  from: string;
  /** The backup. */
  to: string;
  /** The SHA-256 of the copied database; null: there is none. */
  database: string | null;
  earlier: EarlierStates;
  objects: Pick<BackupObjects, 'has'>;
}

/**
 * For every sample that a copied database lists in the vault: where it belongs, and where else a whole copy may be.
 * Fails as the database does.
 */
export class BackupSamples {
  readonly #options: BackupSamplesOptions;
  readonly #expected: ExpectedInVault | null;
  #earlier: ExpectedInVault[] | null = null;

  constructor(options: BackupSamplesOptions) {
    this.#options = options;
    this.#expected = options.database === null ? null : new ExpectedInVault(objectPath(options.to, options.database));
  }

  /** The sample that this file is to be the container of. What lies in the vault of a lab is known by its name. */
  ownSampleIn(file: string): string | null {
    return labSampleIn(file) ?? this.#expected?.ownSampleIn(file) ?? null;
  }

  placesIn(file: string): RecordPlace[] {
    return this.#expected?.placesIn(file) ?? [];
  }

  /** A file that is smaller is damaged, however unchanged it is. */
  leastBytesOf(file: string): number {
    return this.ownSampleIn(file) === null ? (this.#expected?.endOf(file) ?? 0) : containerOverheadBytes;
  }

  ownSamples(): string[] {
    return this.#expected?.ownSamples() ?? [];
  }

  packFiles(): string[] {
    return this.#expected?.packFiles() ?? [];
  }

  /**
   * The container of a packed sample, elsewhere in the vault than where it was copied from; or there, where only some
   * of the pack can be read.
   */
  findInVault({ sha256: sample, pack, at, length }: RecordPlace): Promise<Buffer | null> {
    const { from } = this.#options;
    return firstWhole(sample, [
      { path: join(from, packFile(pack)), at, length },
      { path: join(from, ownFile(sample)), at: 0, length },
    ]);
  }

  /** The same in what earlier states of the backup have, wherever it lay then. */
  async findEarlier({ sha256: sample, length }: RecordPlace): Promise<Buffer | null> {
    const places = this.#earlierIndexes()
      .flatMap((index) => index.placeOf(sample) ?? [])
      .filter((place) => place.length === length);
    const found = [{ file: ownFile(sample), at: 0 }, ...places.map(({ pack, at }) => ({ file: packFile(pack), at }))];
    const spots: ContainerSpot[] = [];
    for (const { file, at } of found) {
      const known = this.#options.earlier.files.get(file);
      if (known !== undefined && (await this.#options.objects.has(known)))
        spots.push({ path: objectPath(this.#options.to, known.sha256), at, length });
    }
    return firstWhole(sample, spots);
  }

  close(): void {
    for (const index of [this.#expected, ...(this.#earlier ?? [])]) index?.close();
  }

  /** Opened when they are asked for: most backups need none. */
  #earlierIndexes(): ExpectedInVault[] {
    this.#earlier ??= [...this.#options.earlier.databases].flatMap((database) =>
      opened(objectPath(this.#options.to, database)),
    );
    return this.#earlier;
  }
}

const labVault = join('lab', 'vault') + sep;

function labSampleIn(file: string): string | null {
  const name = file.slice(-64);
  return sha256.safeParse(name).success && file === labVault + join(name.slice(0, 2), name) ? name : null;
}

/** A damaged or missing database lists no samples. */
function opened(path: string): ExpectedInVault[] {
  try {
    return [new ExpectedInVault(path)];
  } catch (error) {
    if (error instanceof FailureError) return [];
    throw error;
  }
}

async function firstWhole(sample: string, spots: readonly ContainerSpot[]): Promise<Buffer | null> {
  for (const spot of spots) {
    const container = await wholeContainerAt(spot, sample);
    if (container !== null) return container;
  }
  return null;
}

const sampleRow = z.object({ sha256 });
const placeRow = z.object({
  sha256,
  pack: z.string().regex(/^[0-9a-f]{32}\.pack$/),
  at: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
});
const packRow = placeRow.pick({ pack: true });
const endRow = z.object({ end: z.number().int().nonnegative().nullable() });
/** The container of a sample: `length` bytes of a pack, from `at` on. */
export type RecordPlace = z.infer<typeof placeRow>;

const packs = join('vault', 'packs') + sep;
const nameIn = (folder: string, file: string): string | null =>
  file.startsWith(folder) ? file.slice(folder.length) : null;
/** Paths in a data directory. */
const packFile = (pack: string): string => packs + pack;
export const ownFile = (sample: string): string => join('vault', sample.slice(0, 2), sample);

interface PackStatements {
  packs: StatementSync;
  inPack: StatementSync;
  endOf: StatementSync;
  placeOf: StatementSync;
}

/**
 * Which samples a copied database, of any version, lists in the vault, and which file of a data directory holds each.
 * The database is not changed, and no file is left beside it. Names that no vault writes are skipped. Fails as the
 * database does.
 */
class ExpectedInVault {
  readonly #sql: DatabaseSync;
  readonly #path: string;
  readonly #own: StatementSync;
  readonly #allOwn: StatementSync;
  readonly #packs: PackStatements | null;

  constructor(path: string) {
    const url = pathToFileURL(path);
    url.search = 'mode=ro&immutable=1';
    this.#path = path;
    this.#sql = overSqlite(path, () => new DatabaseSync(url, { readOnly: true }));
    const hasPacks = this.#over(
      () => this.#sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'pack_place'").get() !== undefined,
    );
    const own = `SELECT sha256 FROM sample WHERE in_vault = 1
      AND sha256 IS NOT NULL${hasPacks ? ' AND sha256 NOT IN (SELECT sha256 FROM pack_place)' : ''}`;
    this.#own = this.#over(() => this.#sql.prepare(`${own} AND sha256 = ?`));
    this.#allOwn = this.#over(() => this.#sql.prepare(own));
    this.#packs = hasPacks ? this.#over(() => preparePacks(this.#sql)) : null;
  }

  /** The sample that is to lie in this file alone; null for another file, and for one that nothing needs. */
  ownSampleIn(file: string): string | null {
    const name = file.split(sep).at(-1) ?? '';
    return sha256.safeParse(name).success &&
      ownFile(name) === file &&
      this.#over(() => this.#own.get(name)) !== undefined
      ? name
      : null;
  }

  /** What is to lie in this pack, in its order; nothing for another file. */
  placesIn(file: string): RecordPlace[] {
    const pack = nameIn(packs, file);
    return pack === null
      ? []
      : this.#over(() => this.#packs?.inPack.all(pack) ?? []).flatMap((row) => placeRow.safeParse(row).data ?? []);
  }

  /** Where the last sample ends that is to lie in this pack; 0 for another file. */
  endOf(file: string): number {
    const pack = nameIn(packs, file);
    return pack === null ? 0 : (endRow.safeParse(this.#over(() => this.#packs?.endOf.get(pack))).data?.end ?? 0);
  }

  placeOf(sample: string): RecordPlace | null {
    return placeRow.safeParse(this.#over(() => this.#packs?.placeOf.get(sample))).data ?? null;
  }

  /** All that are to lie in files of their own. */
  ownSamples(): string[] {
    return this.#over(() => this.#allOwn.all()).flatMap((row) => sampleRow.safeParse(row).data?.sha256 ?? []);
  }

  /** All packs in which something is to lie. */
  packFiles(): string[] {
    return this.#over(() => this.#packs?.packs.all() ?? [])
      .flatMap((row) => packRow.safeParse(row).data ?? [])
      .map(({ pack }) => packFile(pack));
  }

  close(): void {
    this.#sql.close();
  }

  #over<T>(work: () => T): T {
    return overSqlite(this.#path, work);
  }
}

function preparePacks(sql: DatabaseSync): PackStatements {
  const from = 'FROM pack_place JOIN sample USING (sha256) WHERE in_vault = 1';
  return {
    packs: sql.prepare(`SELECT DISTINCT pack ${from}`),
    inPack: sql.prepare(`SELECT sha256, pack, at, length ${from} AND pack = ? ORDER BY at`),
    endOf: sql.prepare(`SELECT max(at + length) AS end ${from} AND pack = ?`),
    placeOf: sql.prepare('SELECT sha256, pack, at, length FROM pack_place WHERE sha256 = ?'),
  };
}

/**
 * Whether this file is the container of that sample, as it was written. Throws the system's errors, and what `onBytes`
 * throws.
 */
export async function isWholeContainer(path: string, sample: string, onPiece: () => void): Promise<boolean> {
  try {
    for await (const piece of readContainer(path, sample, openBlocking)) if (piece.length > 0) onPiece();
    return true;
  } catch (error) {
    if (error instanceof DamagedContainerError) return false;
    throw error;
  }
}

/** Bytes of a file. */
interface ContainerSpot {
  path: string;
  at: number;
  length: number;
}

/** The container of that sample; null where it is not whole, or cannot be read. */
async function wholeContainerAt({ path, at, length }: ContainerSpot, sample: string): Promise<Buffer | null> {
  try {
    const file = await openBlocking(path);
    try {
      const container = Buffer.alloc(length);
      await fill(file, container, at);
      decodeContainer(container, sample);
      return container;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof DamagedContainerError || systemErrorCode(error) !== null) return null;
    throw error;
  }
}

/** A container of the same length from elsewhere; null: there is none. */
type FindContainer = (place: RecordPlace) => Promise<Buffer | null>;

/**
 * Puts into a pack, at their places, the containers that are not whole there and are found elsewhere; all else stays as
 * it is, and so does a record that was made unreadable. @returns what is missing from it still, and whether it was
 * changed. Throws the system's errors
 */
export async function mendPack(
  path: string,
  places: readonly RecordPlace[],
  find: FindContainer,
): Promise<{ missing: string[]; isChanged: boolean }> {
  const mended: { missing: string[]; isChanged: boolean } = { missing: [], isChanged: false };
  const file = openSync(path, 'r+');
  try {
    for (const place of places) {
      if (await isWholeIn(file, place)) continue;
      const container = isPlace(place) ? await find(place) : null;
      if (container === null) {
        mended.missing.push(place.sha256);
        continue;
      }
      writeRecord(file, place, container);
      mended.isChanged = true;
    }
    if (mended.isChanged) fsyncSync(file);
    return mended;
  } finally {
    closeSync(file);
  }
}

const isPlace = ({ at, length }: RecordPlace): boolean =>
  isPackedLength(length) && at >= frameBytes && at <= fullPackBytes + packedContainerBytes;

async function isWholeIn(file: number, { at, length, sha256: sample }: RecordPlace): Promise<boolean> {
  if (!isPackedLength(length)) return false;
  try {
    const container = Buffer.alloc(length);
    await fill(
      {
        sizeBytes: at + length,
        read: (buffer, position) => readSync(file, buffer, 0, buffer.length, position),
        close: () => {},
      },
      container,
      at,
    );
    decodeContainer(container, sample);
    return true;
  } catch (error) {
    if (error instanceof DamagedContainerError) return false;
    throw error;
  }
}

/** A disk that fills up takes a part of the bytes first, and refuses only the next ones. */
function writeRecord(file: number, { at, length }: RecordPlace, container: Buffer): void {
  const record = Buffer.alloc(frameBytes + length);
  encodeFrameInto(record, { isVoid: false, length });
  container.copy(record, frameBytes);
  for (let done = 0; done < record.length;)
    done += writeSync(file, record, done, record.length - done, at - frameBytes + done);
}
