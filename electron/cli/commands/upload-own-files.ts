import type { OperationOutput } from '../../../shared/contract.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { NameEncoding } from '../../../shared/domain/opened-archive.ts';
import { forbidsThirdParties } from '../../../shared/domain/tag.ts';
import { isPlainArchive, type UploadFile } from '../../../shared/domain/upload.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { type News, stagedFile } from '../client.ts';
import type { CommandRun } from '../command.ts';
import type { GivenFile } from '../given-files.ts';
import { refuseThirdParties, type UploadLabels } from './upload-labels.ts';

const filesACall = 500;
const changesACall = 5000;
const rowsACall = 1000;
/** A draft changes in steps of some hundred files, and is read between two of them. */
const mostReadings = 100;

/** A file that could not even be passed to the host. */
export interface NotStaged {
  file: GivenFile;
  failure: Failure;
}

export interface SendOrder {
  labels: UploadLabels;
  receivers: readonly string[];
  /** null: archives are sent as they are. */
  archives: ArchiveOrder | null;
}

/** How archives are opened, so that their members are sent in their place. */
export interface ArchiveOrder {
  passwords: string[];
  nameEncoding: NameEncoding | null;
  sendsLinks: boolean;
}

/**
 * The files of one command in the upload draft of a workspace, where a person may have others. They are not ticked:
 * nothing but this command sends them, and they hold nothing up.
 */
export class OwnFiles {
  readonly #run: CommandRun;
  readonly #workspaceId: string;
  readonly #given = new Map<number, GivenFile>();
  readonly #members = new Set<number>();
  readonly #order: SendOrder;

  constructor(run: CommandRun, workspaceId: string, order: SendOrder) {
    this.#order = order;
    this.#run = run;
    this.#workspaceId = workspaceId;
  }

  /** @returns those that cannot be read */
  async add(files: readonly GivenFile[]): Promise<NotStaged[]> {
    const client = await this.#run.client();
    const notStaged: NotStaged[] = [];
    for (let at = 0; at < files.length; at += filesACall) {
      const staged: { id: string; path: string; file: GivenFile }[] = [];
      for (const file of files.slice(at, at + filesACall)) {
        this.#run.signal.throwIfAborted();
        const result = await stagedFile(client, file);
        if (result.ok) staged.push({ id: result.value.id, path: file.folder, file });
        else notStaged.push({ file, failure: result.failure });
      }
      await this.#added(staged);
    }
    return notStaged;
  }

  async #added(staged: readonly { id: string; path: string; file: GivenFile }[]): Promise<void> {
    if (staged.length === 0) return;
    const files = staged.map(({ id, path }) => ({ id, path }));
    const { archives } = this.#order;
    const opening =
      archives === null
        ? { archives: 'never' as const }
        : { archives: 'each' as const, passwords: archives.passwords, nameEncoding: archives.nameEncoding };
    const { ids } = await this.#run.ask('uploads.add', {
      workspaceId: this.#workspaceId,
      files,
      isTicked: false,
      ...opening,
    });
    for (const [at, id] of ids.entries()) {
      const one = staged[at];
      if (one) this.#given.set(id, one.file);
    }
  }

  /** What was typed for a file of the draft, with its place in its archive. */
  shown(file: UploadFile): string {
    const given = this.#given.get(file.id) ?? (file.parentId === null ? undefined : this.#given.get(file.parentId));
    if (given === undefined) return file.name;
    return file.parentId === null
      ? given.shown
      : `${given.shown}!${file.path === '' ? '' : `${file.path}/`}${file.name}`;
  }

  /**
   * Their current state, members below their archive. Those that were removed from the draft are not among them.
   *
   * @throws FailureError `draft-busy` where the draft does not stay the same for one reading
   */
  async read(): Promise<UploadFile[]> {
    for (let tries = 0; tries < mostReadings; tries += 1) {
      const files = await this.#readOnce();
      if (files !== null) return files;
    }
    return fail({ kind: 'draft-busy', files: this.#given.size });
  }

  /** null: the draft grew or shrank meanwhile, so that files may have moved out of the window that was read. */
  async #readOnce(): Promise<UploadFile[] | null> {
    const found: UploadFile[] = [];
    const { total } = await this.#window(0, 1);
    // They came last, so they are at the end of what may be a hundred thousand.
    for (let end = total, met = 0; end > 0 && met < this.#given.size;) {
      const from = Math.max(0, end - rowsACall);
      const window = await this.#window(from, end - from);
      if (window.total !== total) return null;
      found.unshift(...window.files.filter((file) => this.#isOwn(file)));
      met = found.filter(({ id }) => this.#given.has(id)).length;
      end = from;
    }
    return found;
  }

  /** A member stays one when what it came out of was sent. */
  #isOwn({ id, parentId }: UploadFile): boolean {
    if (parentId !== null && this.#given.has(parentId)) this.#members.add(id);
    return this.#given.has(id) || this.#members.has(id);
  }

  /** Files that were given, and are not in any of these. */
  without(reported: readonly UploadFile[]): { id: number; file: GivenFile }[] {
    const met = new Set(reported.flatMap(({ id, parentId }) => [id, parentId]));
    return [...this.#given].flatMap(([id, file]) => (met.has(id) ? [] : [{ id, file }]));
  }

  #window(offset: number, limit: number): Promise<OperationOutput<'uploads.files'>> {
    return this.#run.ask('uploads.files', { workspaceId: this.#workspaceId, offset, limit });
  }

  /**
   * Sends them as a job, once what they are is known.
   *
   * @returns the files as they were, and no job where none of them can be sent
   */
  async send(news: News<unknown>): Promise<{ job: Job | null; files: UploadFile[] }> {
    const client = await this.#run.client();
    for (;;) {
      const files = await this.#known(news);
      const ids = files.filter((file) => this.isMeant(file)).map(({ id }) => id);
      if (ids.length === 0) return { job: null, files };
      await this.#label(ids);
      const result = await client.call('uploads.send', {
        workspaceId: this.#workspaceId,
        only: { ids, comment: this.#order.labels.comment },
      });
      if (result.ok) return { job: result.value, files };
      if (result.failure.kind !== 'draft-busy') throw new FailureError(result.failure);
      await news.next(this.#run.signal);
    }
  }

  async #known(news: News<unknown>): Promise<UploadFile[]> {
    const { terminal, signal } = this.#run;
    for (;;) {
      const files = await this.read();
      const busy = files.filter(({ state, archive }) => state === 'hashing' || archive?.state === 'opening').length;
      terminal.progress(
        busy === 0
          ? null
          : `Reading: ${(files.length - busy).toLocaleString('en')} of ${files.length.toLocaleString('en')}`,
      );
      if (busy === 0) return files;
      await news.next(signal);
    }
  }

  /** Never an archive that was to be opened, whether that could be done or not. */
  isMeant(file: UploadFile): boolean {
    if (!hasBytes(file) || isPlainArchive(file) || this.cannotOpen(file) !== null) return false;
    return this.#order.archives?.sendsLinks === true || !file.remarks.some(({ kind }) => kind === 'link');
  }

  /** What an archive is that was to be opened, and that nothing here opens. */
  cannotOpen({ mime, parentId }: UploadFile): string | null {
    return this.#order.archives === null || parentId !== null || mime === null
      ? null
      : (otherArchives.get(mime) ?? null);
  }

  /** Flags come last: what the library knows of these bytes may forbid them. */
  async #label(ids: readonly number[]): Promise<void> {
    const { labels, receivers } = this.#order;
    const { tags, tlp, virusTotal, sandbox } = labels;
    const change = { addTags: tags, ...(tlp !== null && { tlp }), virusTotal, sandbox };
    let refused = 0;
    for (let at = 0; at < ids.length; at += changesACall) {
      const target = { kind: 'files' as const, ids: ids.slice(at, at + changesACall) };
      refused += (await this.#run.ask('uploads.change', { workspaceId: this.#workspaceId, target, change })).refused;
    }
    if (refused === 0) return;
    const closed = (await this.read()).map((file) => file.tlp).find(forbidsThirdParties);
    refuseThirdParties(closed ?? 'red', receivers);
  }

  /** Takes what is left of them out of the draft. */
  async remove(): Promise<void> {
    await this.#remove(await this.read());
  }

  async #remove(files: readonly UploadFile[]): Promise<void> {
    for (let at = 0; at < files.length; at += filesACall) {
      const ids = files.slice(at, at + filesACall).map(({ id }) => id);
      await this.#run.ask('uploads.remove', { workspaceId: this.#workspaceId, target: { kind: 'files', ids } });
    }
  }
}

/** By file-type's names. */
const otherArchives = new Map([
  ['application/x-7z-compressed', '7z'],
  ['application/x-rar-compressed', 'RAR'],
  ['application/x-tar', 'tar'],
  ['application/gzip', 'gzip'],
  ['application/x-bzip2', 'bzip2'],
  ['application/x-xz', 'XZ'],
  ['application/zstd', 'Zstandard'],
  ['application/lzip', 'lzip'],
  ['application/x-lz4', 'LZ4'],
  ['application/x-compress', 'compress'],
  ['application/vnd.ms-cab-compressed', 'CAB'],
  ['application/x-lzh-compressed', 'LZH'],
  ['application/x-arj', 'ARJ'],
  ['application/x-ace-compressed', 'ACE'],
  ['application/x-cpio', 'CPIO'],
]);

const hasBytes = ({ state }: UploadFile): boolean => state === 'ready' || state === 'same';
