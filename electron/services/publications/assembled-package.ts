import type { BrokenRule } from '../../../shared/domain/publication.ts';
import { isRuleFileName, packagePath } from '../../../shared/domain/rule-names.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { fail, FailureError, type FailureKind } from '../../../shared/failure.ts';
import { readZipAt } from '../../archive/reading/zip-random.ts';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import type { ZipMember } from '../../archive/writing/zip-member.ts';
import { packageLimits } from '../../rules/package-limits.ts';
import type { RuleFile } from '../../rules/rule-file.ts';
import type { Staging } from '../../vault/staging.ts';
import { beginsWithEntry, wholeOf } from './package-bytes.ts';
import { packageArchiveLimits } from './package-limits.ts';
import { beginsRules } from './single-rule-file.ts';

/** A staged file, and where it lies in the package. */
export interface GivenFile {
  stagedId: string;
  path: string;
}

export interface AssemblyOptions {
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
