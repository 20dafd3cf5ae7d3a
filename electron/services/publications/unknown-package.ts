import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { Packages } from '../../vault/packages.ts';

export interface PackagePlaces {
  packages: Pick<Packages, 'remove'>;
  store: Pick<PackageStore, 'isKnown'>;
}

/** Removes what was received and came to nothing, unless the same bytes were here before. */
export async function forgetUnknown(
  { packages, store }: PackagePlaces,
  workspaceId: string,
  sha256: string,
): Promise<void> {
  if (!store.isKnown(workspaceId, sha256)) await packages.remove(workspaceId, sha256);
}
