import { z } from 'zod';
import type { BrokenRule, RuleWarning } from '../../shared/domain/publication.ts';
import type { Database } from './database.ts';
import {
  brokenOf,
  brokenText,
  engineWarningsOf,
  engineWarningsText,
  type FoundPackage,
  type JudgedPackage,
  msSince,
  packageColumns,
  packageOf,
  type PackageRow,
  storedPackage,
  variablesText,
} from './package-rows.ts';
import type { PackageTurns } from './package-pruning.ts';
import { type TokenPlaces, TokenPlacesTable } from './token-places.ts';

const nameRow = z.object({ sha256: z.string() });
const turnsRow = z.object({
  sha256: z.string(),
  received: z.number(),
  activated: z.number().nullable(),
  isFromFile: z.number().transform((value) => value === 1),
});
const warningsRow = z.object({ warnings: z.string() });
const brokenRow = z.object({ rules: z.string() });
const lastTurn = (
  isActivation: string,
): string => `coalesce((SELECT number FROM journal WHERE journal.hash = rule_package.sha256
  AND journal.workspace_id = rule_package.workspace_id
  AND operation = 'rule-update' AND outcome ${isActivation} ('installed', 'rolled-back') ORDER BY number DESC LIMIT 1),
    0)`;
/** UTF-16 units: what a service or a file says of itself is shown no longer. */
const longestWord = 200;

/** The rows of packages, each with its broken rules. The caller gives the transaction. */
export class PackageTable {
  readonly #path: string;
  readonly #all;
  readonly #one;
  readonly #turns;
  readonly #known;
  readonly #put;
  readonly #judge;
  readonly #broken;
  readonly #putBroken;
  readonly #engineWarnings;
  readonly #putEngineWarnings;
  readonly #tokens: TokenPlacesTable;
  readonly #begin;
  readonly #end;
  readonly #drop;

  constructor(db: Database) {
    this.#path = db.path;
    this.#all = db.query(
      storedPackage,
      `SELECT ${packageColumns} FROM rule_package WHERE workspace_id = ? ORDER BY received DESC, rowid DESC`,
    );
    this.#one = db.query(
      storedPackage,
      `SELECT ${packageColumns} FROM rule_package WHERE workspace_id = ? AND sha256 = ?`,
    );
    this.#turns = db.query(
      turnsRow,
      `SELECT sha256, ${lastTurn('NOT IN')} AS received, iif(activated IS NULL, NULL, ${lastTurn('IN')}) AS activated,
        source = 'file' AS isFromFile FROM rule_package WHERE workspace_id = ?
        ORDER BY rule_package.received DESC, rowid DESC`,
    );
    this.#known = db.query(nameRow, 'SELECT sha256 FROM rule_package WHERE workspace_id = ? AND sha256 = ?');
    this.#put = db.command(
      `INSERT INTO rule_package (workspace_id, sha256, remote_id, version, publication_group, published, source,
        file_name, size_bytes, received, contents, failure, warnings, relaxed, variables)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (workspace_id, sha256) DO UPDATE SET remote_id = excluded.remote_id, version = excluded.version,
        publication_group = excluded.publication_group,
        published = excluded.published, source = excluded.source, file_name = excluded.file_name,
          size_bytes = excluded.size_bytes, received = excluded.received,
        contents = excluded.contents, failure = excluded.failure, warnings = excluded.warnings,
          relaxed = excluded.relaxed, variables = excluded.variables`,
    );
    this.#judge = db.command(
      'UPDATE rule_package SET contents = ?, relaxed = ?, variables = ? WHERE workspace_id = ? AND sha256 = ?',
    );
    this.#broken = db.query(brokenRow, 'SELECT rules FROM rule_package_broken WHERE workspace_id = ? AND sha256 = ?');
    this.#putBroken = db.command(
      'INSERT OR REPLACE INTO rule_package_broken (workspace_id, sha256, rules) VALUES (?, ?, ?)',
    );
    this.#engineWarnings = db.query(
      warningsRow,
      'SELECT warnings FROM rule_package_warning WHERE workspace_id = ? AND sha256 = ?',
    );
    this.#putEngineWarnings = db.command(
      'INSERT OR REPLACE INTO rule_package_warning (workspace_id, sha256, warnings) VALUES (?, ?, ?)',
    );
    this.#tokens = new TokenPlacesTable(db);
    this.#begin = db.command('UPDATE rule_package SET activated = ? WHERE workspace_id = ? AND sha256 = ?');
    this.#end = db.command('UPDATE rule_package SET active_ms = active_ms + ? WHERE workspace_id = ? AND sha256 = ?');
    this.#drop = db.command('DELETE FROM rule_package WHERE workspace_id = ? AND sha256 = ?');
  }

  /** Newest received first. */
  list(workspaceId: string): PackageRow[] {
    const now = Date.now();
    return this.#all.all(workspaceId).map((row) => packageOf(row, this.#path, now));
  }

  get(workspaceId: string, sha256: string): PackageRow | null {
    const row = this.#one.get(workspaceId, sha256);
    return row && packageOf(row, this.#path, Date.now());
  }

  has(workspaceId: string, sha256: string): boolean {
    return this.#known.get(workspaceId, sha256) !== null;
  }

  turns(workspaceId: string): PackageTurns[] {
    return this.#turns.all(workspaceId);
  }

  broken(workspaceId: string, sha256: string): BrokenRule[] {
    const row = this.#broken.get(workspaceId, sha256);
    return row === null ? [] : brokenOf(row.rules);
  }

  engineWarnings(workspaceId: string, sha256: string): RuleWarning[] {
    const row = this.#engineWarnings.get(workspaceId, sha256);
    return row === null ? [] : engineWarningsOf(row.warnings);
  }

  /** One that is there becomes as it was found now; since when and how long it was active stays. */
  put(workspaceId: string, { broken, engineWarnings, tokens, ...found }: FoundPackage): void {
    const { sha256, remoteId, source, fileName, sizeBytes, received, contents, failure, warnings } = found;
    this.#put.run(
      workspaceId,
      sha256,
      remoteId,
      word(found.version),
      found.group && word(found.group),
      found.published && word(found.published),
      source,
      fileName ? word(fileName) : null,
      sizeBytes,
      received,
      contents && JSON.stringify(contents),
      failure && JSON.stringify(failure),
      JSON.stringify(warnings),
      found.isRelaxed ? 1 : 0,
      variablesText(found.variables),
    );
    this.#putBroken.run(workspaceId, sha256, brokenText(broken));
    this.#putEngineWarnings.run(workspaceId, sha256, engineWarningsText(engineWarnings));
    this.#tokens.put(workspaceId, sha256, tokens);
  }

  /** Its rules were compiled again. */
  judge(workspaceId: string, { sha256, contents, isRelaxed, variables, broken, engineWarnings }: JudgedPackage): void {
    this.#judge.run(JSON.stringify(contents), isRelaxed ? 1 : 0, variablesText(variables), workspaceId, sha256);
    this.#putBroken.run(workspaceId, sha256, brokenText(broken));
    this.#putEngineWarnings.run(workspaceId, sha256, engineWarningsText(engineWarnings));
  }

  /** What was taken out of its texts when it was received. */
  tokens(workspaceId: string, sha256: string): TokenPlaces[] {
    return this.#tokens.of(workspaceId, sha256);
  }

  begin(workspaceId: string, sha256: string, now: Date): void {
    this.#begin.run(now.toISOString(), workspaceId, sha256);
  }

  end(workspaceId: string, { sha256, activated }: { sha256: string; activated: string | null }, now: Date): void {
    this.#end.run(msSince(activated, now.getTime()), workspaceId, sha256);
  }

  drop(workspaceId: string, sha256: string): void {
    this.#drop.run(workspaceId, sha256);
  }
}

const word = (text: string): string => text.slice(0, longestWord);
