import type { PackagePointers } from './rule-state.ts';

export interface PrunablePackage {
  sha256: string;
  received: string;
  activated: string | null;
}

/**
 * What is not kept any more: what was never active and is not to be installed, and, besides the packages that are
 * pointed at, all but the `keep` that were received or made active last.
 */
export function notKept(packages: readonly PrunablePackage[], { active, candidate, pinned }: Omit<PackagePointers, 'lastCheck'>, keep: number): string[] {
  const free = packages.filter(({ sha256 }) => sha256 !== active && sha256 !== candidate && sha256 !== pinned);
  const kept = free.filter(({ activated }) => activated !== null).toSorted(laterFirst).slice(0, keep);
  return free.filter((one) => !kept.includes(one)).map(({ sha256 }) => sha256);
}

const laterFirst = (one: PrunablePackage, other: PrunablePackage): number => {
  const [mine, theirs] = [lastTime(one), lastTime(other)];
  return mine < theirs ? 1 : mine > theirs ? -1 : 0;
};

const lastTime = ({ received, activated }: PrunablePackage): string => (activated !== null && activated > received ? activated : received);
