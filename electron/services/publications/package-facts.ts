import type { PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { PackageWarning } from '../../../shared/domain/publication.ts';
import { compareVersions } from '../../../shared/domain/version-order.ts';
import type { PackageRow } from '../../storage/package-store.ts';
import { contradicts } from './manifest-check.ts';
import type { OpenedPackage } from './opened-package.ts';

/** Where a package came from, before it is opened. */
export interface PackageOrigin {
  source: 'service' | 'file';
  remoteId: string | null;
  /** What the service, or the person, says its version is. */
  version: string | null;
  /** For a file: its name, the last resort for a version. */
  fileName: string | null;
  /** What came with it and not in it. */
  manifest: PackageManifest | null;
}

export interface PackageFacts {
  version: string;
  group: string | null;
  published: string | null;
  warnings: PackageWarning[];
}

const longest = 200;

/** What a package is called, and what speaks against it. `active` is the one it would take the place of. */
export function factsOf(sha256: string, opened: OpenedPackage | null, origin: PackageOrigin, active: PackageRow | null): PackageFacts {
  const manifest = opened?.manifest ?? origin.manifest;
  const version = (origin.source === 'file' ? origin.version || manifest?.version : manifest?.version || origin.version) || nameOf(origin, sha256);
  const saysOther = manifest !== null && origin.version !== null && origin.version !== '' && manifest.version !== origin.version;
  const hasOther = opened?.manifest ? contradicts(opened.manifest, opened.files) : false;
  return {
    version: version.slice(0, longest),
    group: manifest?.group ?? null,
    published: manifest?.published ?? null,
    warnings: [...againstActive(sha256, version, active), ...(saysOther || hasOther ? ['manifest-contradicts' as const] : [])],
  };
}

function againstActive(sha256: string, version: string, active: PackageRow | null): PackageWarning[] {
  if (active === null || active.sha256 === sha256) return [];
  if (active.version === version) return ['same-version'];
  return (compareVersions(version, active.version) ?? 1) < 0 ? ['backwards'] : [];
}

const nameOf = ({ fileName, remoteId }: PackageOrigin, sha256: string): string =>
  fileName?.replace(/\.[A-Za-z0-9]{1,5}$/, '').replaceAll(/\p{Cc}/gu, '').trim() || remoteId || sha256.slice(0, 12);
