import { FailureError } from '../../../shared/failure.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { Vault } from '../../vault/vault.ts';

export type KeptSample = NonNullable<Awaited<ReturnType<Vault['hashesOf']>>>;

/**
 * The vault's copy of a sample that is known by its MD5, or null. `recordedSha256` is what the service says of it:
 * of several samples with one MD5 only that one counts. A copy that is damaged counts as none: receiving the sample
 * again is what heals it.
 */
export async function soundCopyOf(
  stores: { library: LibraryStore; vault: Vault },
  md5: string,
  recordedSha256: string | null,
): Promise<KeptSample | null> {
  for (const sha256 of stores.library.sha256sOfMd5(md5)) {
    if (recordedSha256 !== null && recordedSha256 !== sha256) continue;
    const kept = await soundCopy(stores, sha256);
    if (kept) return kept;
  }
  return null;
}

async function soundCopy(
  { library, vault }: { library: LibraryStore; vault: Vault },
  sha256: string,
): Promise<KeptSample | null> {
  if (!library.find(sha256)?.inVault) return null;
  try {
    const kept = await vault.hashesOf(sha256);
    // It may have been forgotten while it was read.
    return library.find(sha256)?.inVault ? kept : null;
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === 'vault-damaged') return null;
    throw error;
  }
}
