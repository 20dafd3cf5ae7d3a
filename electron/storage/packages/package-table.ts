import { z } from 'zod';
import {
  type BrokenRule,
  brokenRule,
  type PackageContents,
  packageContents,
  packageSource,
  type PackageView,
  type PackageWarning,
  packageWarning,
  type RuleWarning,
  ruleWarning,
} from '../../../shared/domain/publication.ts';
import { type RuleVariable, ruleVariables } from '../../../shared/domain/rule-variable.ts';
import { readFailure } from '../../../shared/failure-kinds.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';
import type { PackageTurns } from './rule-state.ts';

/**
 * A package this workspace keeps. Times are UTC, ISO 8601; `activeMs` are milliseconds, up to now for the active one.
 */
export interface PackageRow extends PackageView {
  /** What the service calls it. */
  remoteId: string | null;
  /** Its rules were compiled with regular expressions as YARA 4 takes them. */
  isRelaxed: boolean;
  /** Of the workspace, when its rules were compiled. */
  variables: RuleVariable[];
}

/** A package as it was received and opened just now. */
export interface FoundPackage extends Omit<PackageRow, 'activated' | 'activeMs'> {
  broken: readonly BrokenRule[];
  /** What the engine warns of. */
  engineWarnings: readonly RuleWarning[];
  /** What was taken out of its texts. */
  tokens: readonly TokenPlaces[];
}

/** A package whose rules were compiled again, and what is broken in it now. */
export interface JudgedPackage extends Pick<PackageRow, 'sha256' | 'isRelaxed' | 'variables'> {
  contents: PackageContents;
  broken: readonly BrokenRule[];
  engineWarnings: readonly RuleWarning[];
}

const count = z.number().int().nonnegative().catch(0);

const storedPackage = z.object({
  sha256: z.string(),
  remoteId: z.string().nullable(),
  version: z.string(),
  group: z.string().nullable(),
  published: z.string().nullable(),
  source: packageSource.catch('file'),
  fileName: z.string().nullable(),
  sizeBytes: count,
  received: z.string(),
  contents: z.string().nullable(),
  failure: z.string().nullable(),
  warnings: z.string(),
  activated: z.string().nullable(),
  activeMs: count,
  variables: z.string().nullable(),
  isActive: z.number(),
  relaxed: z.number(),
});
type StoredPackage = z.infer<typeof storedPackage>;

const packageColumns = `sha256, remote_id AS remoteId, version, publication_group AS "group", published, source,
  file_name AS fileName, size_bytes AS sizeBytes,
  received, contents, failure, warnings, activated, active_ms AS activeMs, relaxed, variables,
  EXISTS (SELECT 1 FROM rule_state WHERE rule_state.workspace_id = rule_package.workspace_id
    AND active = sha256) AS isActive`;

/**
 * `path`: the database a failure names when what is stored of the package cannot be read. `now`: milliseconds since
 * 1970.
 */
function packageOf({ isActive, relaxed, ...row }: StoredPackage, path: string, now: number): PackageRow {
  const contents = contentsOf(row.contents);
  const failure = failureOf(row.failure);
  const isDamaged = contents === undefined || failure === undefined;
  return {
    ...row,
    isRelaxed: relaxed === 1,
    contents: isDamaged ? null : contents,
    failure: isDamaged ? { kind: 'data-damaged', path, code: 'rule_package' } : failure,
    warnings: warningsOf(row.warnings),
    variables: variablesOf(row.variables),
    activeMs: row.activeMs + (isActive === 1 ? msSince(row.activated, now) : 0),
  };
}

/** A clock that was put back adds nothing. */
function msSince(time: string | null, now: number): number {
  const begun = Date.parse(time ?? '');
  return Number.isNaN(begun) ? 0 : Math.max(0, now - begun);
}

/** undefined: it cannot be read. */
const contentsOf = (text: string | null): PackageContents | null | undefined =>
  text === null ? null : packageContents.safeParse(readJson(text)).data;
const failureOf = (text: string | null): Failure | null | undefined =>
  text === null ? null : (readFailure(readJson(text)) ?? undefined);

const list = z.array(z.unknown()).catch([]);
const warningsOf = (text: string): PackageWarning[] =>
  list.parse(readJson(text)).flatMap((one) => packageWarning.safeParse(one).data ?? []);

const variablesOf = (text: string | null): RuleVariable[] =>
  text === null ? [] : (ruleVariables.safeParse(readJson(text)).data ?? []);
const variablesText = (variables: readonly RuleVariable[]): string | null =>
  variables.length === 0 ? null : JSON.stringify(variables);

/** Those that can be read. */
const brokenOf = (text: string): BrokenRule[] =>
  list.parse(readJson(text)).flatMap((one) => brokenRule.safeParse(one).data ?? []);

/**
 * At most so many of a package's broken rules are kept, and so much of their words, in UTF-16 units: the host waits for
 * them.
 */
const brokenKept = 10_000;
const brokenTextKept = 2_000_000;
/**
 * The engine's message is one line. A path identifies the rule: a path longer than any honest one is not cut, but left
 * out.
 */
const longest = { name: 500, path: 500, text: 200 };

const brokenText = (broken: readonly BrokenRule[]): string => JSON.stringify([...firstOf(broken)]);

function* firstOf(broken: readonly BrokenRule[]): Generator<BrokenRule, void, void> {
  let left = brokenTextKept;
  for (const { rule, file, line, kind, text } of broken.slice(0, brokenKept)) {
    if (file.length > longest.path) continue;
    const one = { rule: rule && rule.slice(0, longest.name), file, line, kind, text: text.slice(0, longest.text) };
    left -= (one.rule ?? '').length + one.file.length + one.text.length;
    if (left < 0) return;
    yield one;
  }
}

const engineWarningsOf = (text: string): RuleWarning[] =>
  list.parse(readJson(text)).flatMap((one) => ruleWarning.safeParse(one).data ?? []);

const engineWarningsText = (warnings: readonly RuleWarning[]): string => JSON.stringify([...firstWarningsOf(warnings)]);

function* firstWarningsOf(warnings: readonly RuleWarning[]): Generator<RuleWarning, void, void> {
  let left = brokenTextKept;
  for (const { rule, file, line, code, text } of warnings) {
    if (file.length > longest.path) continue;
    const one = {
      rule: rule.slice(0, longest.name),
      file,
      line,
      code: code.slice(0, longest.text),
      text: text.slice(0, longest.text),
    };
    left -= one.rule.length + one.file.length + one.code.length + one.text.length;
    if (left < 0) return;
    yield one;
  }
}

const textLength = z.number().int().nonnegative();

/**
 * Where a token was in a text of a package. `sha256`: of the text as received; `at`: first character and length, in
 * UTF-16 units, in order and without overlap.
 */
const tokenPlaces = z.array(z.object({ sha256: z.string(), at: z.array(z.tuple([textLength, textLength])) }));
export type TokenPlaces = z.infer<typeof tokenPlaces>[number];

/**
 * What was taken out of packages when they were received: then the token was there, which was just sent. Later none may
 * be, where the store forgot it or is locked, and the text would be as it came.
 */
class TokenPlacesTable {
  readonly #path: string;
  readonly #places;
  readonly #put;

  constructor(db: Database) {
    this.#path = db.path;
    this.#places = db.query(
      z.object({ places: z.string() }),
      'SELECT places FROM rule_package_token WHERE workspace_id = ? AND sha256 = ?',
    );
    this.#put = db.command('INSERT OR REPLACE INTO rule_package_token (workspace_id, sha256, places) VALUES (?, ?, ?)');
  }

  /** Fails with `data-damaged` where they cannot be read: without them the package must not be read. */
  of(workspaceId: string, sha256: string): TokenPlaces[] {
    const row = this.#places.get(workspaceId, sha256);
    if (row === null) return [];
    return (
      tokenPlaces.safeParse(readJson(row.places)).data ??
      fail({ kind: 'data-damaged', path: this.#path, code: 'rule_package_token' })
    );
  }

  /**
   * A package that is received again without finding a token keeps the earlier places: the token store may not reveal
   * the token at that moment.
   */
  put(workspaceId: string, sha256: string, places: readonly TokenPlaces[]): void {
    if (places.length > 0) this.#put.run(workspaceId, sha256, JSON.stringify(places));
  }
}

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
/** UTF-16 units: longer texts of a service or a file about itself are cut for display. */
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
