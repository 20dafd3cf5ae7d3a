import type { PackagePointers } from './rule-state.ts';

/** Its turns are numbers of journal rows, and no times: a clock may be put back, and then the last is not the latest. */
export interface PackageTurns {
  sha256: string;
  received: number;
  /** When it was made active last; null: it never was. */
  activated: number | null;
}

/**
 * What is not kept any more: what was never active and is not to be installed, and, besides the packages that are
 * pointed at, all but the `keep` that were made active last.
 */
export function notKept(packages: readonly PackageTurns[], { active, candidate, pinned }: Omit<PackagePointers, 'lastCheck'>, keep: number): string[] {
  const free = packages.filter(({ sha256 }) => sha256 !== active && sha256 !== candidate && sha256 !== pinned);
  const kept = free.filter(({ activated }) => activated !== null).toSorted((one, other) => (other.activated ?? 0) - (one.activated ?? 0)).slice(0, keep);
  return free.filter((one) => !kept.includes(one)).map(({ sha256 }) => sha256);
}

/** It was active before, and what is active now came after it. */
export function isBack(packages: readonly PackageTurns[], next: string, former: string | null): boolean {
  const [to, from] = [next, former].map((wanted) => packages.find(({ sha256 }) => sha256 === wanted));
  return to !== undefined && to.activated !== null && from !== undefined && to.received < from.received;
}
