import { isDeepStrictEqual } from 'node:util';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import type { RuleLibrary } from '../../rules/rule-library.ts';
import type { PackageStore } from '../../storage/package-store.ts';
import type { CheckResult } from './check-run.ts';
import { libraryKey, type LoadedRules } from './loaded-rules.ts';
import type { OpeningWatch } from './package-opening.ts';

export interface PackageJudgingOptions {
  library: RuleLibrary;
  rules: LoadedRules;
  store: PackageStore;
}

/** Packages whose rules were compiled with other variables than the workspace has, the active one first. What a variable is set to changes no rule that compiles. */
export function packagesToJudge(store: PackageStore, workspaceId: string): string[] {
  const wanted = typesOf(store.options(workspaceId).variables);
  const { active, candidate } = store.pointers(workspaceId);
  const rank = (sha256: string): number => (sha256 === active ? 0 : sha256 === candidate ? 1 : 2);
  const all = store.list(workspaceId).filter(({ contents, variables }) => contents !== null && !isDeepStrictEqual(typesOf(variables), wanted));
  return all.map(({ sha256 }) => sha256).toSorted((a, b) => rank(a) - rank(b));
}

const typesOf = (variables: readonly RuleVariable[]): Record<string, string> => Object.fromEntries(variables.map(({ name, type }) => [name, type]));

/** Compiles them again, and writes down of each what is broken in it now. @throws FailureError `cancelled`, `worker-ended`, and why a package cannot be opened */
export async function judgeAgain({ library, rules, store }: PackageJudgingOptions, workspaceId: string, { signal, onProgress }: OpeningWatch): Promise<CheckResult> {
  for (const sha256 of packagesToJudge(store, workspaceId)) {
    const { variables } = store.options(workspaceId);
    onProgress({ phase: 'opening', done: 0, total: null });
    const { files, refused } = await rules.open(workspaceId, sha256, { signal });
    const row = store.get(workspaceId, sha256);
    // Files that never arrived are not among those that are opened.
    const unread = store.broken(workspaceId, sha256).filter(({ kind, file }) => kind === 'file' && !refused.some((one) => one.file === file));
    const gated = await library.gate(libraryKey(workspaceId, sha256), { signal, files, variables, unread: [...unread, ...refused], onProgress: (done, total) => onProgress({ phase: 'compiling', done, total }) });
    const contents = { ...row?.contents, files: files.length, rules: gated.rules, broken: gated.brokenTotal, namespaces: gated.namespaces };
    store.recordJudged(workspaceId, { sha256, contents, variables, broken: gated.broken });
  }
  return { check: { at: currentInstant(), outcome: 'up-to-date', version: null, failure: null, reply: null, missing: [] }, found: null };
}
