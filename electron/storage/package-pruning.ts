import type { PackagePointers } from './rule-state.ts';

/**
 * Its turns are numbers of journal rows, and no times: a clock may be put back, and then the last is not the latest.
 */
export interface PackageTurns {
  sha256: string;
  received: number;
  /** When it was made active last; null: it never was. */
  activated: number | null;
  /** A person brought it. */
  isFromFile: boolean;
}

/**
 * What is not kept any more: what a service offered before what it offers now, and, besides the packages that are
 * pointed at, all but the `keep` that were made active last. A package that a person brought and did not install yet
 * stays until the person removes it.
 */
export function notKept(
  packages: readonly PackageTurns[],
  { active, candidate, pinned }: Omit<PackagePointers, 'lastCheck'>,
  keep: number,
): string[] {
  const isWaiting = ({ activated, isFromFile }: PackageTurns): boolean => isFromFile && activated === null;
  const free = packages.filter(
    (one) => one.sha256 !== active && one.sha256 !== candidate && one.sha256 !== pinned && !isWaiting(one),
  );
  const kept = free
    .filter(({ activated }) => activated !== null)
    .toSorted((one, other) => (other.activated ?? 0) - (one.activated ?? 0))
    .slice(0, keep);
  return free.filter((one) => !kept.includes(one)).map(({ sha256 }) => sha256);
}

/** It was active before, and what is active now came after it. */
export function isBack(packages: readonly PackageTurns[], next: string, former: string | null): boolean {
  const [to, from] = [next, former].map((wanted) => packages.find(({ sha256 }) => sha256 === wanted));
  return to !== undefined && to.activated !== null && from !== undefined && to.received < from.received;
}
