import { packageManifest, type PackageManifest } from '../../../shared/domain/package-manifest.ts';

/** null for one that cannot be read: it says nothing. */
export function readManifest(bytes: Uint8Array): PackageManifest | null {
  try {
    return packageManifest.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
