import { manifestName, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { BrokenRule } from '../../../shared/domain/publication.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { shownName } from '../../archive/archive-names.ts';
import { type RandomAccess, type RandomPart, readZipAt } from '../../archive/reading/zip-random.ts';
import type { RuleFile } from '../../rules/rule-file.ts';
import { beginsArchive, beginningBytes, wholeOf } from './package-bytes.ts';
import { packageArchiveLimits, ruleBytesAtMost } from './package-limits.ts';
import { manifestBytesAtMost, readManifest } from './read-manifest.ts';
import { readSingleFile } from './single-rule-file.ts';

/** What lies in a package, before anybody asks whether it compiles. */
export interface OpenedPackage {
  files: readonly RuleFile[];
  manifest: PackageManifest | null;
  /** Members that were not read, and why. */
  refused: readonly BrokenRule[];
}

export interface PackageOpening {
  /** For failures. */
  sha256: string;
  /** Tried in order on an encrypted one. */
  passwords: readonly string[];
  /** Of thousands of encrypted members each takes its time. */
  signal?: AbortSignal;
}

/**
 * Opens a package whose bytes can be read anywhere: a ZIP with or without a password, or a single file of rules.
 * @throws FailureError `package-unreadable`, `package-too-large`, `archive-password`, what the reader of archives throws, and why it was stopped
 */
export async function openPackage(source: RandomAccess, opening: PackageOpening): Promise<OpenedPackage> {
  const beginning = await source.read(0, Math.min(beginningBytes, source.sizeBytes));
  if (!beginsArchive(beginning)) return { files: [await readSingleFile(source, opening.sha256)], manifest: null, refused: [] };
  return openArchive(source, opening);
}

const rulesFile = /\.(?:yara?|yarax?|rules?)$/i;

async function openArchive(source: RandomAccess, { sha256, passwords, signal }: PackageOpening): Promise<OpenedPackage> {
  const files: RuleFile[] = [];
  const refused: { name: string; failure: Failure }[] = [];
  let manifest: PackageManifest | null = null;
  let bytesLeft = ruleBytesAtMost;
  for await (const part of readZipAt(source, { archiveName: 'package', passwords, limits: packageArchiveLimits })) {
    signal?.throwIfAborted();
    const isRules = rulesFile.test(part.name);
    if (part.kind === 'refused') {
      if (isRules || part.failure.kind !== 'archive-unsupported') refused.push({ name: part.name, failure: part.failure });
    } else if (part.name === manifestName) {
      if (part.sizeBytes <= manifestBytesAtMost) manifest = readManifest(await bytesOf(part, manifestBytesAtMost));
    } else if (isRules) {
      const bytes = await bytesOf(part, bytesLeft);
      bytesLeft -= bytes.length;
      files.push({ path: part.name, bytes });
    }
  }
  if (files.length === 0) fail(whyNothing(sha256, refused.map(({ failure }) => failure)));
  return { files, manifest, refused: refused.map(({ name, failure }) => refusedFile(name, failure)) };
}

function bytesOf(part: Extract<RandomPart, { kind: 'streamed' }>, atMost: number): Promise<Uint8Array> {
  if (part.sizeBytes > atMost) fail({ kind: 'package-too-large', limitBytes: ruleBytesAtMost });
  return wholeOf(part.chunks, atMost);
}

function whyNothing(sha256: string, refusals: readonly Failure[]): Failure {
  return refusals.find(({ kind }) => kind === 'archive-password') ?? refusals[0] ?? { kind: 'package-unreadable', sha256, text: 'It holds no file of rules.' };
}

function refusedFile(name: string, failure: Failure): BrokenRule {
  return { rule: null, file: shownName(name), line: 0, kind: 'file', text: sentenceFor(failure).what };
}
