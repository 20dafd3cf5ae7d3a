import { join, sep } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { sha256 } from '../../shared/domain/hash.ts';
import { overSqlite } from './sqlite-error.ts';

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
export const packFile = (pack: string): string => packs + pack;
export const ownFile = (sample: string): string => join('vault', sample.slice(0, 2), sample);

interface PackStatements {
  packs: StatementSync;
  inPack: StatementSync;
  endOf: StatementSync;
  placeOf: StatementSync;
}

/**
 * Which samples a copied database, of any version, says are in the vault, and in which file of a data directory each
 * lies. The database is not changed, and nothing is left beside it. What is named in a way that no vault writes is
 * passed over. Fails as the database does.
 */
export class ExpectedInVault {
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
