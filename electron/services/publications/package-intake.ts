import type { RandomAccess, RandomPart } from '../../archive/reading/zip-source.ts';
import { randomUUID } from 'node:crypto';
import { hashKindOf } from '../../../shared/domain/hash.ts';
import { manifestName, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { BrokenRule } from '../../../shared/domain/publication.ts';
import { isRuleFileName, packagePath } from '../../../shared/domain/rule-file-names.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { fail, FailureError, type FailureKind } from '../../../shared/failure.ts';
import { readZipAt } from '../../archive/reading/zip-random.ts';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import type { ZipMember } from '../../archive/writing/write-zip-records.ts';
import { packageLimits } from '../../rules/package-limits.ts';
import type { RuleFile } from '../../rules/rule-file.ts';
import type { Packages } from '../../vault/packages.ts';
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
import { forgetUnknown, type PackagePlaces } from './package-opening.ts';

interface TakenPackage {
  sha256: string;
  sizeBytes: number;
  /** What an export of another desk says of it. */
  manifest: PackageManifest | null;
}

/** A file the person picked: a package, or the export of one, which is taken out of its password ZIP again. */
interface PickedFile {
  name: string;
  access: RandomAccess;
  bytes(): AsyncIterable<Uint8Array>;
  passwords: readonly string[];
}

interface IntakePlaces extends PackagePlaces {
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

/** A staged file, and where it lies in the package. */
export interface GivenFile {
  stagedId: string;
  path: string;
}

interface AssemblyOptions {
  staging: Pick<Staging, 'open' | 'openAt' | 'fileOf'>;
  passwords: readonly string[];
  signal: AbortSignal;
  onFile(done: number): void;
}

/** What was seen beside the files of rules. */
export interface Beside {
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
const lookedBytes = 1024 * 1024;

/**
 * Puts files and ZIPs together as one ZIP, by their paths: the same files give the same bytes. One file is in memory at
 * a time.
 */
export class PackageAssembly {
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
      else if (!isRules && !beginsRules(await access.read(0, Math.min(lookedBytes, access.sizeBytes))))
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

export const unreadFile = (path: string, text: string): BrokenRule => ({
  rule: null,
  file: visibleLine(path),
  line: 0,
  kind: 'file',
  text,
});

/** Lists of files that are handed over in several calls: one call takes a few thousand names. */
const listsAtMost = 8;
/** More than a package has: what is no file of rules is found out later. */
const filesAtMost = 40_000;

/**
 * Files of packages to come, as far as they were named. Held in memory: whoever named them hears when they are gone.
 */
export class GatheredFiles {
  readonly #lists = new Map<string, GivenFile[]>();

  /**
   * @returns the name of the list to go on with. @throws FailureError `staged-file-missing` for a list that is not
   * here, `draft-too-large`
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

  /** The list that nobody went on with for longest gives way. */
  #begin(): string {
    const [oldest] = this.#lists.keys();
    if (oldest !== undefined && this.#lists.size >= listsAtMost) this.#lists.delete(oldest);
    const id = randomUUID();
    this.#lists.set(id, []);
    return id;
  }
}

/** What comes with the last files of a package. */
export interface LastOfFiles {
  /** What they are called together. */
  name: string;
  version: string | null;
  leftOut: number;
  links: number;
  /** Files of rules that could not be handed over, and why. */
  unread: readonly { path: string; text: string }[];
}
