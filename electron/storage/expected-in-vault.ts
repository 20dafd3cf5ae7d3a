import { join, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { translateSqliteError } from './sqlite-error.ts';

const rows = z.array(z.object({ sha256: z.string() }));
const own = new RegExp(`^${escaped(join('vault', '_'))}`.replace('_', String.raw`[0-9a-f]{2}${escaped(sep)}([0-9a-f]{64})$`));
const pack = new RegExp(`^${escaped(join('vault', 'packs', '_'))}`.replace('_', '([^/\\\\]+)$'));

/**
 * Which samples a copied database, of any version, says are in the vault and lie in the file of that path of a data directory. The
 * database is not changed, and nothing is left beside it. Fails as the database does.
 */
export class ExpectedInVault {
  readonly #sql: DatabaseSync;
  readonly #path: string;
  readonly #hasPacks: boolean;

  constructor(path: string) {
    const url = pathToFileURL(path);
    url.search = 'mode=ro&immutable=1';
    this.#path = path;
    this.#sql = new DatabaseSync(url, { readOnly: true });
    this.#hasPacks = this.#sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'pack_place'").get() !== undefined;
  }

  /** @returns SHA-256s; none for a file that nothing needs */
  samplesIn(file: string): string[] {
    try {
      const [sha256, packName] = [own.exec(file)?.[1], pack.exec(file)?.[1]];
      if (sha256 !== undefined) return this.#ask(`SELECT sha256 FROM sample WHERE sha256 = ? AND in_vault = 1${this.#hasPacks ? ' AND sha256 NOT IN (SELECT sha256 FROM pack_place)' : ''}`, sha256);
      if (packName !== undefined && this.#hasPacks) return this.#ask('SELECT sha256 FROM pack_place JOIN sample USING (sha256) WHERE pack = ? AND in_vault = 1', packName);
      return [];
    } catch (error) {
      throw translateSqliteError(error, this.#path);
    }
  }

  close(): void {
    this.#sql.close();
  }

  #ask(sql: string, value: string): string[] {
    return rows.parse(this.#sql.prepare(sql).all(value)).map(({ sha256 }) => sha256);
  }
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\');
}
