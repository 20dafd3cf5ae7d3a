import { Buffer } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { archiveLimits, type ArchiveLimits } from '../../../shared/domain/opened-archive.ts';
import { manifestName, type PackageManifest, packageManifest } from '../../../shared/domain/package-manifest.ts';
import type { BrokenRule, PackageFileCounts } from '../../../shared/domain/publication.ts';
import { isRuleFileName, packagePath } from '../../../shared/domain/rule-names.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import { readZipAt } from '../../archive/reading/zip-random.ts';
import type { RandomAccess, RandomPart } from '../../archive/reading/zip-source.ts';
import { packageLimits, type RuleFile } from '../../rules/package-files.ts';
import { RuleCollection } from '../../rules/rule-collection.ts';
import { encodingOf } from '../../rules/rule-encoding.ts';

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

/** Enough for the most files that a package may have, each under a path of a usual length. */
export const manifestBytesAtMost = 6 * 2 ** 20;
/**
 * Commas and opening brackets. JSON is read in one go while all else waits, and takes its time by them more than by its
 * length.
 */
const marksAtMost = 85_000;
const marks: ReadonlySet<number> = new Set(Buffer.from(',[{'));

/** null for one that cannot be read, or is larger than any honest one: it is ignored. */
export function readManifest(bytes: Uint8Array): PackageManifest | null {
  if (bytes.length > manifestBytesAtMost || hasTooManyMarks(bytes)) return null;
  try {
    return packageManifest.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function hasTooManyMarks(bytes: Uint8Array): boolean {
  let count = 0;
  for (const byte of bytes) if (marks.has(byte)) count += 1;
  return count > marksAtMost;
}

/** What a package that is a single file is called in it. */
const singleName = 'rules.yar';
/** Servers of the field add it behind the bytes of a reply (docs/services.md, "downloadfile"). */
const strayBytes = Buffer.from('{}');
const readBytes = 1024 * 1024;

/** A rule begins so; whatever is text and has none is no package. */
const ruleHead = /\brule\s+[A-Za-z_]/;
/** Bytes: what of a piece is looked at with the next one, which a rule may begin in. */
const overlapBytes = 200;

/** Whether text with a rule in it begins so. */
export function beginsRules(beginning: Uint8Array): boolean {
  const isWide = encodingOf(beginning).startsWith('utf-16');
  const text = latin1(beginning);
  return ruleHead.test(isWide ? text.replaceAll('\0', '') : text) && (isWide || !beginning.includes(0));
}

/** @throws FailureError `package-unreadable` */
async function readSingleFile(source: RandomAccess, sha256: string): Promise<RuleFile> {
  const unreadable = (): never => fail({ kind: 'package-unreadable', sha256, text: '' });
  if (source.sizeBytes > ruleBytesAtMost) unreadable();
  const whole = new Uint8Array(source.sizeBytes);
  let hasRule = false;
  let isWide = false;
  for (let at = 0; at < whole.length; at += readBytes) {
    const piece = await source.read(at, Math.min(readBytes, whole.length - at));
    isWide = at === 0 ? encodingOf(piece).startsWith('utf-16') : isWide;
    if (!isWide && piece.includes(0)) unreadable();
    whole.set(piece, at);
    const searched = latin1(whole.subarray(Math.max(0, at - overlapBytes), at + piece.length));
    hasRule ||= ruleHead.test(isWide ? searched.replaceAll('\0', '') : searched);
  }
  return hasRule ? { path: singleName, bytes: withoutStray(whole) } : unreadable();
}

/** A rule's head is ASCII, whatever is around it. */
const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** No file of rules ends so: a rule has a condition. */
export const withoutStray = (bytes: Uint8Array): Uint8Array =>
  strayBytes.equals(bytes.subarray(-strayBytes.length)) ? bytes.subarray(0, -strayBytes.length) : bytes;

/** Of a package as it is received: what cannot be opened is kept too. */
export const packageBytesAtMost = 512 * 2 ** 20;
/** Of its rules, unpacked; they are held in memory. */
export const ruleBytesAtMost = packageLimits.bytes;

/** Repositories of rules hold other files beside them. */
const membersAtMost = 60_000;

export const packageArchiveLimits: ArchiveLimits = {
  ...archiveLimits,
  members: membersAtMost,
  memberBytes: ruleBytesAtMost,
  totalBytes: packageBytesAtMost,
};

/** How much of a package is read to determine its kind: servers put warnings before it. */
const beginningBytes = 64 * 1024;

/** How a ZIP's first entry begins, and a ZIP without entries (PKWARE APPNOTE, 4.3.7 and 4.3.16). */
const entrySignature = Buffer.from('PK\x03\x04', 'latin1');
const endSignature = Buffer.from('PK\x05\x06', 'latin1');

function beginsArchive(beginning: Uint8Array): boolean {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  return bytes.includes(entrySignature) || bytes.subarray(0, endSignature.length).equals(endSignature);
}

/** Of a file that a person made: a server's words may precede a package, but not a person's archive. */
export const beginsWithEntry = async (access: RandomAccess): Promise<boolean> =>
  access.sizeBytes >= entrySignature.length && entrySignature.equals(await access.read(0, entrySignature.length));

/** @throws FailureError `package-too-large` when there are more */
export async function wholeOf(chunks: AsyncIterable<Uint8Array>, atMostBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of chunks) {
    length += piece.length;
    if (length > atMostBytes) fail({ kind: 'package-too-large', limitBytes: atMostBytes });
    pieces.push(piece);
  }
  return joined(pieces, length);
}

/** Bytes that are copied or looked through before others have their turn. */
export const atOnceBytes = 4 * 2 ** 20;

async function joined(pieces: readonly Uint8Array[], length: number): Promise<Uint8Array> {
  const whole = new Uint8Array(length);
  let [at, rested] = [0, 0];
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
    if (at - rested < atOnceBytes) continue;
    rested = at;
    await nextTurn();
  }
  return whole;
}
