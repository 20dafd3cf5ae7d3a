import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { LabPublication } from '../../shared/domain/lab.ts';
import { archiveLimits, type ArchiveLimits } from '../../shared/domain/opened-archive.ts';
import { manifestName, packageManifest, type PackageManifest } from '../../shared/domain/package-manifest.ts';
import { isRuleFileName } from '../../shared/domain/rule-names.ts';
import { nameTraitOf, shownName } from '../archive/archive-names.ts';
import { readZipStream, type StreamedPart } from '../archive/reading/zip-stream.ts';
import { writePlainZip } from '../archive/writing/plain-zip.ts';
import { writeSampleZip } from '../archive/writing/sample-zip.ts';
import type { ZipMember } from '../archive/writing/write-zip-records.ts';
import { packageLimits, type RuleFile } from '../rules/package-files.ts';
import { sealAll, type Stores } from './stores/blob-store.ts';

/**
 * The package as a ZIP without a password (docs/services.md, "The package"): the manifest, then the files by their
 * paths. The same files under the same version, group and time are the same bytes.
 */
export async function* packageZip(
  facts: Omit<PackageManifest, 'files'>,
  files: readonly RuleFile[],
): AsyncGenerator<Uint8Array, void, void> {
  const inOrder = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const manifest: PackageManifest = { ...facts, files: [] };
  for (const { path, bytes } of inOrder)
    manifest.files.push({ path, sha256: await sha256Of(bytes), sizeBytes: bytes.length });
  const members = [{ path: manifestName, bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) }, ...inOrder];
  yield* writePlainZip(
    members.map(({ path, bytes }) => ({ name: path, sizeBytes: bytes.length, open: () => [bytes] })),
  );
}

/** Its manifest is a member too. */
const limits: ArchiveLimits = { ...archiveLimits, members: packageLimits.files + 1 };

const hashedAtOnce = 1024 ** 2;

/** In turns of the event loop: the lab answers others meanwhile. */
async function sha256Of(bytes: Uint8Array): Promise<string> {
  const sum = createHash('sha256');
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    sum.update(bytes.subarray(at, at + hashedAtOnce));
    await yieldToEvents();
  }
  return sum.digest('hex');
}

/** The members of such a ZIP in an AES-256 one, made as it is read: nothing but a piece of it is in memory. */
export function encryptedPackage(zip: AsyncIterable<Uint8Array>, password: string): AsyncIterable<Uint8Array> {
  return writeSampleZip(membersOf(zip), { encryption: 'aes-256', password }, undefined, requireMemberName);
}

function requireMemberName(name: string): void {
  if (name !== manifestName && refusedPath(name) !== null)
    throw new TypeError('a package holds a manifest and rule files');
}

/**
 * In their order. The size of an encrypted member precedes it, and the size of a packed one follows it: the manifest,
 * which is first, knows it.
 */
async function* membersOf(zip: AsyncIterable<Uint8Array>): AsyncGenerator<ZipMember, void, void> {
  const sizes = new Map<string, number>();
  for await (const part of readZipStream(zip, { archiveName: 'package', limits })) {
    if (part.name === manifestName) {
      const bytes = await manifestBytes(part);
      for (const { path, sizeBytes } of packageManifest.parse(JSON.parse(bytes.toString())).files)
        sizes.set(path, sizeBytes);
      yield { name: part.name, sizeBytes: bytes.length, open: () => [bytes] };
      continue;
    }
    const sizeBytes = sizes.get(part.name);
    if (sizeBytes === undefined) throw new Error('a published package holds a file that its manifest does not name');
    yield { name: part.name, sizeBytes, open: () => bytesOf(part) };
  }
}

/** The rule files of such a ZIP, as it holds them. */
export async function packageFiles(zip: AsyncIterable<Uint8Array>, mostBytes: number): Promise<RuleFile[]> {
  const files: RuleFile[] = [];
  for await (const part of readZipStream(zip, { archiveName: 'package', limits })) {
    if (part.name === manifestName) continue;
    const bytes = await gathered(bytesOf(part), mostBytes);
    if (bytes === null) throw new Error('a published package is over its limit');
    files.push({ path: part.name, bytes });
  }
  return files;
}

/** Enough for the most files with the longest paths. */
const manifestAtMost = 6 * 1024 ** 2;

async function manifestBytes(part: StreamedPart): Promise<Buffer> {
  const bytes = await gathered(bytesOf(part), manifestAtMost);
  if (bytes === null) throw new Error('the manifest of a published package is over its limit');
  return bytes;
}

const inflate = promisify(inflateRaw);

async function* bytesOf(part: StreamedPart): AsyncGenerator<Uint8Array, void, void> {
  if (part.kind === 'streamed') yield* part.chunks;
  else if (part.kind === 'whole')
    yield part.encoding === 'identity'
      ? part.bytes
      : await inflate(part.bytes, { maxOutputLength: Math.max(part.sizeBytes, 1) });
  else throw new Error('a published package cannot be read');
}

const longestPath = 300;

/** Why a file of rules cannot have this path in a package, in words for a person; null when it can. */
export function refusedPath(path: string): string | null {
  const because = (reason: string): string => `${JSON.stringify(shownName(path))} ${reason}`;
  if (path.length > longestPath) return because(`is longer than ${longestPath} characters.`);
  if (!isRuleFileName(path)) return because('is no rule file: its name does not end in .yar, .yara, .rule or .rules.');
  const isSafe = path.isWellFormed() && nameTraitOf(path) === null && !path.includes('\\');
  if (!isSafe || path.split('/').some(isEmptyPart)) return because('is no safe path in a package.');
  return null;
}

const isEmptyPart = (part: string): boolean => part.trim() === '' || part === '.';

/** All bytes in one piece; null when there are more than so many, and then the rest is not read. */
export async function gathered(chunks: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of chunks) {
    sizeBytes += piece.length;
    if (sizeBytes > mostBytes) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export interface NewPackage extends Omit<LabPublication, 'id' | 'files'> {
  files: readonly RuleFile[];
}

/**
 * Publishes: first the bytes, made durable, then the row that makes them visible. A process killed in between leaves
 * bytes that a sweep removes. Null when the version is taken.
 */
export async function storePackage(
  { metadata, blobs }: Stores,
  { files, rules, ...facts }: NewPackage,
): Promise<LabPublication | null> {
  const receiver = blobs.receive();
  const { hashes, sizeBytes, place } = await sealAll(receiver, packageZip(facts, files));
  const publication: LabPublication = { id: randomBytes(8).toString('hex'), ...facts, files: files.length, rules };
  const stored = { ...publication, sha256: hashes.sha256, sizeBytes, place };
  const [outcome] = await blobs.commit([receiver], async () => [await metadata.addPublication(stored)]);
  return outcome === 'added' ? publication : null;
}
