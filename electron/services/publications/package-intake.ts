import { randomUUID } from 'node:crypto';
import { currentInstant, minuteOf } from '../../../shared/domain/clock.ts';
import { hashKindOf } from '../../../shared/domain/hash.ts';
import { manifestName, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { BrokenRule } from '../../../shared/domain/publication.ts';
import { isRuleFileName, packagePath } from '../../../shared/domain/rule-names.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { fail, FailureError, type FailureKind } from '../../../shared/failure.ts';
import { readZipAt } from '../../archive/reading/zip-random.ts';
import type { RandomAccess, RandomPart } from '../../archive/reading/zip-source.ts';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import type { ZipMember } from '../../archive/writing/write-zip-records.ts';
import { packageLimits, type RuleFile } from '../../rules/package-files.ts';
import type { FoundPackage } from '../../storage/packages/package-table.ts';
import type { Staging } from '../../vault/staging.ts';
import {
  beginsRules,
  beginsWithEntry,
  manifestBytesAtMost,
  packageArchiveLimits,
  packageBytesAtMost,
  readManifest,
  wholeOf,
} from './opened-package.ts';
import { forgetUnknown, type OpeningWatch, openReceived, type PackageOpeningOptions } from './package-opening.ts';
import type { PackagePasswords } from './package-passwords.ts';

export interface PackageIntakeOptions extends PackageOpeningOptions {
  staging: Staging;
  passwords: Pick<PackagePasswords, 'all'>;
}

/** A staged file, and where it lies in the package. */
export interface GivenFile {
  stagedId: string;
  path: string;
}

/** What comes with the last files of a package. */
export interface LastOfFiles {
  /** The name of all of them together. */
  name: string;
  version: string | null;
  leftOut: number;
  links: number;
  /** Files of rules that could not be uploaded, and why. */
  unread: readonly { path: string; text: string }[];
}

/** Files between two reports of progress. */
const progressFiles = 200;

/**
 * Opens staged files as one package, and discards them. A single file is opened as `openPickedFile` does.
 * @throws FailureError as the assembly and the opening do
 */
export async function openGivenFiles(
  options: PackageIntakeOptions,
  workspaceId: string,
  files: readonly GivenFile[],
  { name, version, leftOut, links, unread }: LastOfFiles,
  watch: OpeningWatch,
): Promise<FoundPackage> {
  const { packages, staging, passwords } = options;
  const [only] = files;
  const beside = { leftOut, links, unread: unread.map(({ path, text }) => unreadFile(path, text)) };
  if (only !== undefined && files.length === 1 && !only.path.includes('/'))
    return openPickedFile(options, workspaceId, { stagedId: only.stagedId, name: only.path, version, beside }, watch);
  const onFile = (done: number): void =>
    done % progressFiles === 0 ? watch.onProgress({ phase: 'gathering', done, total: files.length }) : undefined;
  const assembly = new PackageAssembly(files, beside, {
    staging,
    passwords: await passwords.all(workspaceId),
    signal: watch.signal,
    onFile,
  });
  try {
    const received = await packages.receive(workspaceId, assembly.zip(), { atMostBytes: packageBytesAtMost });
    const dated = `${name} ${minuteOf(currentInstant())}`;
    const origin = {
      source: 'file' as const,
      remoteId: null,
      version: version ?? dated,
      fileName: name,
      manifest: null,
      beside: assembly.beside,
    };
    return await openReceived(options, workspaceId, received, origin, watch);
  } finally {
    for (const { stagedId } of files) await staging.discard(stagedId);
  }
}

/**
 * Opens a staged file, and discards it: a package, or an exported one, which is extracted from its password ZIP. What
 * throws leaves nothing. @throws FailureError `package-too-large`, `archive-password`, and what the disk, the file, the
 * archive and the opening throw
 */
export async function openPickedFile(
  options: PackageIntakeOptions,
  workspaceId: string,
  { stagedId, name, version, beside }: { stagedId: string; name: string; version: string | null; beside?: Beside },
  watch: OpeningWatch,
): Promise<FoundPackage> {
  const { packages, staging, passwords } = options;
  const access = await staging.openAt(stagedId);
  try {
    const given = { name, access, passwords: await passwords.all(workspaceId) };
    const exported = await receiveExported(options, workspaceId, given);
    const { manifest, ...received } = exported ?? {
      ...(await packages.receive(workspaceId, staging.open(stagedId), { atMostBytes: packageBytesAtMost })),
      manifest: null,
    };
    const origin = {
      source: 'file' as const,
      remoteId: null,
      version,
      fileName: name,
      manifest,
      ...(beside && { beside }),
    };
    return await openReceived(options, workspaceId, received, origin, watch);
  } finally {
    await access.close();
    await staging.discard(stagedId);
  }
}

interface ReceivedPackage {
  sha256: string;
  sizeBytes: number;
}

/** null: it is no export of a package. */
async function receiveExported(
  options: PackageIntakeOptions,
  workspaceId: string,
  { name, access, passwords }: { name: string; access: RandomAccess; passwords: readonly string[] },
): Promise<(ReceivedPackage & { manifest: PackageManifest | null }) | null> {
  if (!(await beginsWithEntry(access))) return null;
  const parts = readZipAt(access, { archiveName: name, passwords, limits: packageArchiveLimits, isStrict: true });
  const received = await receiveFirst(options, workspaceId, parts);
  try {
    return received && { ...received, manifest: await manifestIn(parts) };
  } catch (error) {
    if (received !== null) await forgetUnknown(options, workspaceId, received.sha256);
    throw error;
  }
}

/** The package of an export comes first, under its SHA-256. */
async function receiveFirst(
  { packages }: PackageIntakeOptions,
  workspaceId: string,
  parts: AsyncGenerator<RandomPart, void, void>,
): Promise<ReceivedPackage | null> {
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

interface AssemblyOptions {
  staging: Pick<Staging, 'open' | 'openAt' | 'fileOf'>;
  passwords: readonly string[];
  signal: AbortSignal;
  onFile(done: number): void;
}

/** What was seen beside the files of rules. */
interface Beside {
  leftOut: number;
  links: number;
  unread: BrokenRule[];
}

/** Why one of many files is left out and named. Anything else ends the whole. */
const oneFileFails: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'staged-file-missing',
  'file-unreadable',
  'disk-failed',
  'archive-damaged',
  'archive-truncated',
  'archive-password',
  'archive-unsupported',
  'archive-duplicate',
  'archive-name-refused',
]);
/** Of a file without the name of one, this much is looked through for a rule. */
const searchedBytes = 1024 * 1024;

/**
 * Puts files and ZIPs together as one ZIP, by their paths: the same files give the same bytes. One file is in memory at
 * a time.
 */
class PackageAssembly {
  readonly beside: Beside;
  readonly #files: readonly GivenFile[];
  readonly #options: AssemblyOptions;
  readonly #paths = new Set<string>();
  #bytesLeft = packageLimits.bytes;

  constructor(files: readonly GivenFile[], beside: Beside, options: AssemblyOptions) {
    this.#files = files.toSorted((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));
    this.beside = beside;
    this.#options = options;
  }

  /**
   * To be read once. @throws FailureError `no-rule-files`, `package-too-large`, `archive-limit`, `cancelled`, and what
   * the disk throws
   */
  zip(): AsyncGenerator<Uint8Array, void, void> {
    return writePlainZip(this.#members());
  }

  async *#members(): AsyncGenerator<ZipMember, void, void> {
    for (const [done, file] of this.#files.entries()) {
      this.#options.signal.throwIfAborted();
      this.#options.onFile(done);
      try {
        for await (const { path, bytes } of this.#filesOf(file))
          yield { name: this.#freePath(path), sizeBytes: bytes.length, open: () => [bytes] };
      } catch (error) {
        if (!(error instanceof FailureError) || !oneFileFails.has(error.failure.kind)) throw error;
        this.#refuse(file.path, sentenceFor(error.failure).what);
      }
    }
    if (this.#paths.size + this.beside.unread.length === 0)
      fail({ kind: 'no-rule-files', leftOut: this.beside.leftOut + this.beside.links });
  }

  async *#filesOf({ stagedId, path }: GivenFile): AsyncGenerator<RuleFile, void, void> {
    const access = await this.#options.staging.openAt(stagedId);
    try {
      const isRules = isRuleFileName(path);
      if (await beginsWithEntry(access)) yield* this.#archiveFiles(access, path);
      else if (!isRules && !beginsRules(await access.read(0, Math.min(searchedBytes, access.sizeBytes))))
        this.beside.leftOut += 1;
      else
        yield {
          path: isRules ? path : `${path}.yar`,
          bytes: await this.#wholeOf(this.#options.staging.open(stagedId), access.sizeBytes),
        };
    } finally {
      await access.close();
    }
  }

  /** In a folder named after the archive: two of them may hold files of one name. */
  async *#archiveFiles(access: Parameters<typeof readZipAt>[0], path: string): AsyncGenerator<RuleFile, void, void> {
    const folder = this.#files.length === 1 ? '' : `${path.replace(/\.zip$/i, '')}/`;
    for await (const part of readZipAt(access, {
      archiveName: path,
      passwords: this.#options.passwords,
      limits: packageArchiveLimits,
      isStrict: true,
    })) {
      this.#options.signal.throwIfAborted();
      if (!isRuleFileName(part.name)) this.beside.leftOut += 1;
      else if (part.kind === 'refused') this.#refuse(folder + part.name, sentenceFor(part.failure).what);
      else yield { path: folder + part.name, bytes: await this.#wholeOf(part.chunks, part.sizeBytes) };
    }
  }

  async #wholeOf(chunks: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<Uint8Array> {
    if (sizeBytes > this.#bytesLeft) fail({ kind: 'package-too-large', limitBytes: packageLimits.bytes });
    const bytes = await wholeOf(chunks, this.#bytesLeft);
    this.#bytesLeft -= bytes.length;
    return bytes;
  }

  /** Two files may be given from two folders under one name: neither takes the place of the other. */
  #freePath(given: string): string {
    const path = packagePath(given);
    let free = path;
    for (let number = 2; this.#paths.has(free); number += 1) free = path.replace(/(?=\.[^.]*$)/, `-${number}`);
    this.#paths.add(free);
    if (this.#paths.size > packageLimits.files)
      fail({ kind: 'archive-limit', name: 'files of the package', limit: 'members', value: packageLimits.files });
    return free;
  }

  #refuse(path: string, text: string): void {
    this.beside.unread.push(unreadFile(packagePath(path), text));
  }
}

const unreadFile = (path: string, text: string): BrokenRule => ({
  rule: null,
  file: visibleLine(path),
  line: 0,
  kind: 'file',
  text,
});

/** Lists of files that are passed in several calls: one call takes a few thousand names. */
const listsAtMost = 8;
/** More than a package has: what is no file of rules is found out later. */
const filesAtMost = 40_000;

/**
 * Files of packages to come, as far as they were named. Held in memory: the caller that named them is informed when
 * they are gone.
 */
export class GatheredFiles {
  readonly #lists = new Map<string, GivenFile[]>();

  /**
   * @returns the name of the list to continue with
   *
   * @throws FailureError `staged-file-missing` for a list that is not here, `draft-too-large`
   */
  add(list: string | null, files: readonly GivenFile[]): string {
    const id = list ?? this.#begin();
    const all = this.#lists.get(id) ?? fail({ kind: 'staged-file-missing', id });
    if (all.length + files.length > filesAtMost) fail({ kind: 'draft-too-large', limit: filesAtMost });
    all.push(...files);
    return id;
  }

  /** All of a list, which is gone then. */
  take(list: string): GivenFile[] {
    const all = this.#lists.get(list) ?? fail({ kind: 'staged-file-missing', id: list });
    this.#lists.delete(list);
    return all;
  }

  /** The least recently continued list is dropped. */
  #begin(): string {
    const [oldest] = this.#lists.keys();
    if (oldest !== undefined && this.#lists.size >= listsAtMost) this.#lists.delete(oldest);
    const id = randomUUID();
    this.#lists.set(id, []);
    return id;
  }
}
