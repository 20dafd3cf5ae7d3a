import { compareVersions, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { BrokenRule, PackageWarning } from '../../../shared/domain/publication.ts';
import type { PackageRow } from '../../storage/package-store.ts';
import { contradicts } from './manifest-check.ts';
import type { OpenedPackage } from './opened-package.ts';

/** Where a package came from, before it is opened. */
export interface PackageOrigin {
  source: 'service' | 'file';
  remoteId: string | null;
  /** What the service, or the person, says its version is. */
  version: string | null;
  /** For files: what they were called, the last resort for a version. */
  fileName: string | null;
  /** What came with it and not in it. */
  manifest: PackageManifest | null;
  /** Of files that were put together here: what was seen beside them, and is not in the package. */
  beside?: { leftOut: number; links: number; unread: readonly BrokenRule[] };
}

export interface PackageFacts {
  version: string;
  group: string | null;
  published: string | null;
  warnings: PackageWarning[];
}

const longest = 200;

/**
 * Words of others, without what would change how the words around them are shown: control characters, marks that turn
 * the direction, ends of lines.
 */
export const shown = (word: string | null | undefined): string =>
  (word ?? '')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, longest)
    .toWellFormed();

/** What a package is called, and what speaks against it. `active` is the one it would take the place of. */
export async function factsOf(
  sha256: string,
  opened: OpenedPackage | null,
  origin: PackageOrigin,
  active: PackageRow | null,
): Promise<PackageFacts> {
  const manifest = opened?.manifest ?? origin.manifest;
  const [told, own] = [shown(origin.version), shown(manifest?.version)];
  const version = (origin.source === 'file' ? told || own : own || told) || nameOf(origin, sha256);
  const saysOther =
    manifest !== null && origin.version !== null && origin.version !== '' && manifest.version !== origin.version;
  const hasOther = opened?.manifest ? await contradicts(opened.manifest, opened.files) : false;
  return {
    version,
    group: shown(manifest?.group) || null,
    published: shown(manifest?.published) || null,
    warnings: [
      ...againstActive(sha256, version, active),
      ...(saysOther || hasOther ? ['manifest-contradicts' as const] : []),
    ],
  };
}

function againstActive(sha256: string, version: string, active: PackageRow | null): PackageWarning[] {
  if (active === null || active.sha256 === sha256) return [];
  if (active.version === version) return ['same-version'];
  return (compareVersions(version, active.version) ?? 1) < 0 ? ['backwards'] : [];
}

const nameOf = ({ fileName, remoteId }: PackageOrigin, sha256: string): string =>
  shown(fileName?.replace(/\.[A-Za-z0-9]{1,5}$/, '')) || shown(remoteId) || sha256.slice(0, 12);
