import { hashKindOf } from '../../../shared/domain/hash.ts';
import { manifestName, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import { fail } from '../../../shared/failure.ts';
import { type RandomAccess, readZipAt } from '../../archive/reading/zip-random.ts';
import type { Packages } from '../../vault/packages.ts';
import { wholeOf } from './package-bytes.ts';
import { packageArchiveLimits, packageBytesAtMost } from './package-limits.ts';
import { readManifest } from './read-manifest.ts';

export interface TakenPackage {
  sha256: string;
  sizeBytes: number;
  /** What an export of another desk says of it. */
  manifest: PackageManifest | null;
}

/** A file the person picked: a package, or the export of one, which is taken out of its password ZIP again. */
export interface PickedFile {
  access: RandomAccess;
  bytes(): AsyncIterable<Uint8Array>;
  passwords: readonly string[];
}

/** @throws FailureError `package-too-large`, `archive-password`, and what the disk, the file and the archive throw */
export async function takePicked(packages: Packages, workspaceId: string, picked: PickedFile): Promise<TakenPackage> {
  return (await takeExported(packages, workspaceId, picked)) ?? { ...await packages.receive(workspaceId, picked.bytes(), { atMostBytes: packageBytesAtMost }), manifest: null };
}

const manifestBytesAtMost = 1024 * 1024;

/** null: it is no export of a package. */
async function takeExported(packages: Packages, workspaceId: string, { access, passwords }: PickedFile): Promise<TakenPackage | null> {
  if (!(await isArchive(access))) return null;
  let received: Omit<TakenPackage, 'manifest'> | null = null;
  let manifest: PackageManifest | null = null;
  for await (const part of readZipAt(access, { archiveName: 'package', passwords, limits: packageArchiveLimits })) {
    if (received === null) {
      if (hashKindOf(part.name) !== 'sha256') return null;
      if (part.kind === 'refused') return fail(part.failure);
      received = await packages.receive(workspaceId, part.chunks, { atMostBytes: packageBytesAtMost });
    } else if (part.kind === 'streamed' && part.name === manifestName) {
      manifest = readManifest(await wholeOf(part.chunks, manifestBytesAtMost));
    }
  }
  return received && { ...received, manifest };
}

const isArchive = async (access: RandomAccess): Promise<boolean> =>
  access.sizeBytes >= 4 && Buffer.from(await access.read(0, 4)).toString('latin1') === 'PK\x03\x04';
