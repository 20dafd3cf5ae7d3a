import { isDeepStrictEqual } from 'node:util';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { BrokenRule } from '../../../shared/domain/publication.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { RuleLibrary } from '../../rules/rule-library.ts';
import type { PackageRow, PackageStore } from '../../storage/packages/package-store.ts';
import type { CheckResult } from './check-run.ts';
import { countsOf, libraryKey, type LoadedRules } from './loaded-rules.ts';
import type { OpeningWatch } from './package-opening.ts';

export interface PackageJudgingOptions {
  library: RuleLibrary;
  rules: LoadedRules;
  store: PackageStore;
}

/**
 * Packages whose rules were compiled with other variables or regular expressions than the workspace wants, the active
 * one first. What a variable is set to changes no rule that compiles.
 */
export function packagesToJudge(store: PackageStore, workspaceId: string): string[] {
  const options = store.options(workspaceId);
  const wanted = typesOf(options.variables);
  const { active, candidate } = store.pointers(workspaceId);
  const rank = (sha256: string): number => (sha256 === active ? 0 : sha256 === candidate ? 1 : 2);
  const isAsWanted = ({ isRelaxed, variables }: PackageRow): boolean =>
    isRelaxed === options.relaxed && isDeepStrictEqual(typesOf(variables), wanted);
  const all = store.list(workspaceId).filter((row) => row.contents !== null && !isAsWanted(row));
  return all.map(({ sha256 }) => sha256).toSorted((a, b) => rank(a) - rank(b));
}

const typesOf = (variables: readonly RuleVariable[]): Record<string, string> =>
  Object.fromEntries(variables.map(({ name, type }) => [name, type]));

/**
 * Compiles them again, and writes down of each what is broken in it now. @throws FailureError `cancelled`,
 * `worker-ended`, and why a package cannot be opened
 */
export async function judgeAgain(
  { library, rules, store }: PackageJudgingOptions,
  workspaceId: string,
  { signal, onProgress }: OpeningWatch,
): Promise<CheckResult> {
  for (const sha256 of packagesToJudge(store, workspaceId)) {
    const { relaxed: isRelaxed, variables } = store.options(workspaceId);
    onProgress({ phase: 'opening', done: 0, total: null });
    const { files, refused } = await rules.open(workspaceId, sha256, { signal });
    const gated = await library.gate(libraryKey(workspaceId, sha256), {
      signal,
      files,
      isRelaxed,
      variables,
      unread: unreadOf(refused, store.broken(workspaceId, sha256)),
      onProgress: (done, total) => onProgress({ phase: 'compiling', done, total }),
    });
    const contents = {
      ...store.get(workspaceId, sha256)?.contents,
      files: files.length,
      rules: gated.rules,
      broken: gated.brokenTotal,
      namespaces: gated.namespaces,
      engineWarnings: countsOf(gated.warnings),
    };
    store.recompiled(workspaceId, {
      sha256,
      contents,
      isRelaxed,
      variables,
      broken: gated.broken,
      engineWarnings: gated.warnings,
    });
  }
  return {
    check: { at: currentInstant(), outcome: 'up-to-date', version: null, failure: null, reply: null, missing: [] },
    found: null,
  };
}

/** Some could not be read when the package was put together, and are not in it. */
function unreadOf(refused: readonly BrokenRule[], known: readonly BrokenRule[]): BrokenRule[] {
  const files = new Set(refused.map(({ file }) => file));
  return [...refused, ...known.filter(({ kind, file }) => kind === 'file' && !files.has(file))];
}
