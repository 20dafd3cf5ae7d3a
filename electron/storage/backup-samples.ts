import { join, sep } from 'node:path';
import { sha256 } from '../../shared/domain/hash.ts';
import { FailureError } from '../../shared/failure.ts';
import type { EarlierStates } from './backup-list.ts';
import { type BackupObjects, objectPath } from './backup-objects.ts';
import { type ContainerSpot, leastContainerBytes, wholeContainerAt } from './container-proof.ts';
import { ExpectedInVault, ownFile, packFile, type RecordPlace } from './expected-in-vault.ts';

export interface BackupSamplesOptions {
  /** The data directory. */
  from: string;
  /** The backup. */
  to: string;
  /** The SHA-256 of the copied database; null: the desk has none. */
  database: string | null;
  earlier: EarlierStates;
  objects: Pick<BackupObjects, 'has'>;
}

/**
 * Of all that a copied database says is in the vault: where it is to lie, and where else it may be whole. Fails as the
 * database does.
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
    return this.ownSampleIn(file) === null ? (this.#expected?.endOf(file) ?? 0) : leastContainerBytes;
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

/** What rotted, or went, says nothing. */
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
