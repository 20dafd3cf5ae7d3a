import { manifestName, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { BrokenRule, PackageFileCounts } from '../../../shared/domain/publication.ts';
import { isRuleFileName, packagePath } from '../../../shared/domain/rule-names.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { type RandomAccess, type RandomPart, readZipAt } from '../../archive/reading/zip-random.ts';
import { RuleCollection } from '../../rules/rule-collection.ts';
import type { RuleFile } from '../../rules/rule-file.ts';
import { beginningBytes, beginsArchive, wholeOf } from './package-bytes.ts';
import { packageArchiveLimits, ruleBytesAtMost } from './package-limits.ts';
import { manifestBytesAtMost, readManifest } from './read-manifest.ts';
import { readSingleFile } from './single-rule-file.ts';

/** What lies in a package, before anybody asks whether it compiles. */
export interface OpenedPackage {
  files: readonly RuleFile[];
  manifest: PackageManifest | null;
  /** Members that were not read, and why. */
  refused: readonly BrokenRule[];
  reading: PackageFileCounts;
}

export interface PackageOpening {
  /** For failures. */
  sha256: string;
  /** Tried in order on an encrypted one. */
  passwords: readonly string[];
  /** Of thousands of encrypted members each takes its time. */
  signal?: AbortSignal;
  /** UTF-16 without a byte order mark is read too, because a person asked for it. */
  readsUnmarked?: boolean;
}

/**
 * Opens a package whose bytes can be read anywhere: a ZIP with or without a password, or a single file of rules.
 * @throws FailureError `package-unreadable`, `package-too-large`, `archive-password`, what the reader of archives
 * throws, and why it was stopped
 */
export async function openPackage(source: RandomAccess, opening: PackageOpening): Promise<OpenedPackage> {
  const beginning = await source.read(0, Math.min(beginningBytes, source.sizeBytes));
  return beginsArchive(beginning) ? openArchive(source, opening) : openSingleFile(source, opening);
}

async function openSingleFile(
  source: RandomAccess,
  { sha256, readsUnmarked = false }: PackageOpening,
): Promise<OpenedPackage> {
  const collection = new RuleCollection({ readsUnmarked });
  const { path, bytes } = await readSingleFile(source, sha256);
  await collection.add(path, bytes);
  const { files, unread, reading } = collection.collected();
  return { files, manifest: null, refused: unread, reading };
}

async function openArchive(source: RandomAccess, opening: PackageOpening): Promise<OpenedPackage> {
  const { sha256, passwords, signal, readsUnmarked = false } = opening;
  const collection = new RuleCollection({ readsUnmarked });
  const failures: Failure[] = [];
  let manifest: PackageManifest | null = null;
  for await (const part of readZipAt(source, {
    archiveName: 'package',
    passwords,
    limits: packageArchiveLimits,
    isStrict: true,
  })) {
    signal?.throwIfAborted();
    if (part.kind === 'refused') {
      failures.push(part.failure);
      refuse(collection, part);
    } else if (packagePath(part.name) === manifestName) {
      if (part.sizeBytes <= manifestBytesAtMost) manifest = readManifest(await bytesOf(part, manifestBytesAtMost));
    } else if (isRuleFileName(part.name)) {
      await collection.add(part.name, await bytesOf(part, collection.bytesLeft));
    } else collection.leaveOut('leftOut');
  }
  const { files, unread, reading, converted } = collection.collected();
  if (files.length + unread.length === 0 || (files.length === 0 && failures.length > 0))
    fail(whyNothing(sha256, failures));
  return { files, manifest: manifest && manifestOf(manifest, converted), refused: unread, reading };
}

/** A member that is no file of rules and cannot be read either is left out like any other. */
function refuse(collection: RuleCollection, { name, failure }: Extract<RandomPart, { kind: 'refused' }>): void {
  if (isRuleFileName(name)) collection.refuse(name, sentenceFor(failure).what);
  else collection.leaveOut(failure.kind === 'archive-name-refused' && failure.reason === 'link' ? 'links' : 'leftOut');
}

/** A manifest is about the files as they came. */
const manifestOf = (
  { files, ...manifest }: PackageManifest,
  converted: ReadonlyMap<string, string>,
): PackageManifest => ({
  ...manifest,
  files: files.map((file) => ({ ...file, sha256: converted.get(file.sha256) ?? file.sha256 })),
});

function bytesOf(part: Extract<RandomPart, { kind: 'streamed' }>, atMost: number): Promise<Uint8Array> {
  if (part.sizeBytes > atMost) fail({ kind: 'package-too-large', limitBytes: ruleBytesAtMost });
  return wholeOf(part.chunks, atMost);
}

function whyNothing(sha256: string, refusals: readonly Failure[]): Failure {
  return (
    refusals.find(({ kind }) => kind === 'archive-password') ??
    refusals[0] ?? { kind: 'package-unreadable', sha256, text: 'It contains no rule files.' }
  );
}
