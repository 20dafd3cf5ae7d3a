import { hashKindOf } from '../../../shared/domain/hash.ts';
import { manifestName, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import { fail } from '../../../shared/failure.ts';
import { type RandomAccess, type RandomPart, readZipAt } from '../../archive/reading/zip-random.ts';
import type { Packages } from '../../vault/packages.ts';
import type { PackageAssembly } from './assembled-package.ts';
import { beginsWithEntry, wholeOf } from './package-bytes.ts';
import { packageArchiveLimits, packageBytesAtMost } from './package-limits.ts';
import { manifestBytesAtMost, readManifest } from './read-manifest.ts';
import { forgetUnknown, type PackagePlaces } from './unknown-package.ts';

export interface TakenPackage {
  sha256: string;
  sizeBytes: number;
  /** What an export of another desk says of it. */
  manifest: PackageManifest | null;
}

/** A file the person picked: a package, or the export of one, which is taken out of its password ZIP again. */
export interface PickedFile {
  name: string;
  access: RandomAccess;
  bytes(): AsyncIterable<Uint8Array>;
  passwords: readonly string[];
}

export interface IntakePlaces extends PackagePlaces {
  packages: Packages;
}

/**
 * What throws leaves nothing. @throws FailureError `package-too-large`, `archive-password`, and what the disk, the file
 * and the archive throw
 */
export async function takePicked(places: IntakePlaces, workspaceId: string, picked: PickedFile): Promise<TakenPackage> {
  const { packages } = places;
  return (
    (await takeExported(places, workspaceId, picked)) ?? {
      ...(await packages.receive(workspaceId, picked.bytes(), { atMostBytes: packageBytesAtMost })),
      manifest: null,
    }
  );
}

/**
 * Many files and archives as one package; `beside` is of use once they are read. @throws FailureError as the assembly
 * does
 */
export async function takeAssembled(
  { packages }: IntakePlaces,
  workspaceId: string,
  assembly: PackageAssembly,
): Promise<TakenPackage> {
  return {
    ...(await packages.receive(workspaceId, assembly.zip(), { atMostBytes: packageBytesAtMost })),
    manifest: null,
  };
}

/** null: it is no export of a package. */
async function takeExported(
  places: IntakePlaces,
  workspaceId: string,
  { name, access, passwords }: PickedFile,
): Promise<TakenPackage | null> {
  if (!(await beginsWithEntry(access))) return null;
  const parts = readZipAt(access, { archiveName: name, passwords, limits: packageArchiveLimits, isStrict: true });
  const received = await receiveFirst(places, workspaceId, parts);
  try {
    return received && { ...received, manifest: await manifestIn(parts) };
  } catch (error) {
    if (received !== null) await forgetUnknown(places, workspaceId, received.sha256);
    throw error;
  }
}

/** The package of an export comes first, under its SHA-256. */
async function receiveFirst(
  { packages }: IntakePlaces,
  workspaceId: string,
  parts: AsyncGenerator<RandomPart, void, void>,
): Promise<Omit<TakenPackage, 'manifest'> | null> {
  const first = await parts.next();
  if (first.done) return null;
  const part = first.value;
  if (hashKindOf(part.name) !== 'sha256') return null;
  if (part.kind === 'refused') fail(part.failure);
  return packages.receive(workspaceId, part.chunks, { atMostBytes: packageBytesAtMost });
}

async function manifestIn(parts: AsyncIterable<RandomPart>): Promise<PackageManifest | null> {
  for await (const part of parts) {
    if (part.kind === 'streamed' && part.name === manifestName)
      return readManifest(await wholeOf(part.chunks, manifestBytesAtMost));
  }
  return null;
}
