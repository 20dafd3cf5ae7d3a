import { z } from 'zod';
import {
  type BrokenRule,
  brokenRule,
  type PackageContents,
  packageContents,
  type PackageView,
  type PackageWarning,
  packageWarning,
  type RuleWarning,
  ruleWarning,
} from '../../shared/domain/publication.ts';
import { type RuleVariable, ruleVariables } from '../../shared/domain/rule-variable.ts';
import { readFailure } from '../../shared/failure-kinds.ts';
import type { Failure } from '../../shared/failure.ts';
import { readJson } from './stored-json.ts';
import type { TokenPlaces } from './token-places.ts';

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

export const storedPackage = z.object({
  sha256: z.string(),
  remoteId: z.string().nullable(),
  version: z.string(),
  group: z.string().nullable(),
  published: z.string().nullable(),
  source: z.enum(['service', 'file']).catch('file'),
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
export type StoredPackage = z.infer<typeof storedPackage>;

export const packageColumns = `sha256, remote_id AS remoteId, version, publication_group AS "group", published, source,
  file_name AS fileName, size_bytes AS sizeBytes,
  received, contents, failure, warnings, activated, active_ms AS activeMs, relaxed, variables,
  EXISTS (SELECT 1 FROM rule_state WHERE rule_state.workspace_id = rule_package.workspace_id
    AND active = sha256) AS isActive`;

/**
 * `path`: the database a failure names when what is stored of the package cannot be read. `now`: milliseconds since
 * 1970.
 */
export function packageOf({ isActive, relaxed, ...row }: StoredPackage, path: string, now: number): PackageRow {
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
export function msSince(time: string | null, now: number): number {
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
export const variablesText = (variables: readonly RuleVariable[]): string | null =>
  variables.length === 0 ? null : JSON.stringify(variables);

/** Those that can be read. */
export const brokenOf = (text: string): BrokenRule[] =>
  list.parse(readJson(text)).flatMap((one) => brokenRule.safeParse(one).data ?? []);

/**
 * At most so many of a package's broken rules are kept, and so much of their words, in UTF-16 units: the host waits for
 * them.
 */
const brokenKept = 10_000;
const brokenTextKept = 2_000_000;
/**
 * The engine's words are a line. A path tells which rule it is: one that is longer than honest ones are is not cut, but
 * left out.
 */
const longest = { name: 500, path: 500, text: 200 };

export const brokenText = (broken: readonly BrokenRule[]): string => JSON.stringify([...firstOf(broken)]);

function* firstOf(broken: readonly BrokenRule[]): Generator<BrokenRule, void, void> {
  let room = brokenTextKept;
  for (const { rule, file, line, kind, text } of broken.slice(0, brokenKept)) {
    if (file.length > longest.path) continue;
    const one = { rule: rule && rule.slice(0, longest.name), file, line, kind, text: text.slice(0, longest.text) };
    room -= (one.rule ?? '').length + one.file.length + one.text.length;
    if (room < 0) return;
    yield one;
  }
}

export const engineWarningsOf = (text: string): RuleWarning[] =>
  list.parse(readJson(text)).flatMap((one) => ruleWarning.safeParse(one).data ?? []);

export const engineWarningsText = (warnings: readonly RuleWarning[]): string =>
  JSON.stringify([...firstWarningsOf(warnings)]);

function* firstWarningsOf(warnings: readonly RuleWarning[]): Generator<RuleWarning, void, void> {
  let room = brokenTextKept;
  for (const { rule, file, line, code, text } of warnings) {
    if (file.length > longest.path) continue;
    const one = {
      rule: rule.slice(0, longest.name),
      file,
      line,
      code: code.slice(0, longest.text),
      text: text.slice(0, longest.text),
    };
    room -= one.rule.length + one.file.length + one.code.length + one.text.length;
    if (room < 0) return;
    yield one;
  }
}
