import { currentInstant } from '../../../shared/domain/clock.ts';
import type { BrokenRule } from '../../../shared/domain/publication.ts';
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

/** Packages whose rules were compiled with other regular expressions than the workspace wants, the active one first. */
export function packagesToJudge(store: PackageStore, workspaceId: string): string[] {
  const { relaxed } = store.options(workspaceId);
  const { active, candidate } = store.pointers(workspaceId);
  const rank = (sha256: string): number => (sha256 === active ? 0 : sha256 === candidate ? 1 : 2);
  const all = store.list(workspaceId).filter(({ contents, isRelaxed }) => contents !== null && isRelaxed !== relaxed);
  return all.map(({ sha256 }) => sha256).toSorted((a, b) => rank(a) - rank(b));
}

/** Compiles them again, and writes down of each what is broken in it now. @throws FailureError `cancelled`, `worker-ended`, and why a package cannot be opened */
export async function judgeAgain({ library, rules, store }: PackageJudgingOptions, workspaceId: string, { signal, onProgress }: OpeningWatch): Promise<CheckResult> {
  for (const sha256 of packagesToJudge(store, workspaceId)) {
    const isRelaxed = store.options(workspaceId).relaxed;
    onProgress({ phase: 'opening', done: 0, total: null });
    const { files, refused } = await rules.open(workspaceId, sha256, { signal });
    const gated = await library.gate(libraryKey(workspaceId, sha256), { signal, files, isRelaxed, unread: unreadOf(refused, store.broken(workspaceId, sha256)), onProgress: (done, total) => onProgress({ phase: 'compiling', done, total }) });
    const contents = { ...store.get(workspaceId, sha256)?.contents, files: files.length, rules: gated.rules, broken: gated.brokenTotal, namespaces: gated.namespaces };
    store.recompiled(workspaceId, { sha256, contents, isRelaxed, broken: gated.broken });
  }
  return { check: { at: currentInstant(), outcome: 'up-to-date', version: null, failure: null, reply: null, missing: [] }, found: null };
}

/** Some could not be read when the package was put together, and are not in it. */
function unreadOf(refused: readonly BrokenRule[], known: readonly BrokenRule[]): BrokenRule[] {
  const files = new Set(refused.map(({ file }) => file));
  return [...refused, ...known.filter(({ kind, file }) => kind === 'file' && !files.has(file))];
}
