import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { WorkspaceEvents } from '../../event-hub.ts';
import type { OpenedArchive, StoredUploadFile, UploadStore } from '../../storage/uploads/upload-store.ts';
import type { HashedFile, InspectedFile, StagedFacts, UnreadFile } from '../../vault/staged-facts/staged-facts.ts';
import { asNamed } from '../../vault/staged-facts/zip-kind.ts';
import { unreadStagedFailure } from '../../vault/staging/staged-bytes.ts';
import { WorkLoop } from './draft-lookups.ts';

/**
 * Files that are being read. As soon as one of them is removed they are put down, so that no time goes into unwanted
 * files.
 */
class FilesInHand {
  #stagedIds: ReadonlySet<string> = new Set();
  #putDown = new AbortController();

  /**
   * Resolves too where they were put down: those that are left are to be taken up again. Rejects as `read` does, and
   * when `signal` aborts.
   */
  async during(
    stagedIds: Iterable<string>,
    signal: AbortSignal,
    read: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const putDown = new AbortController();
    this.#stagedIds = new Set(stagedIds);
    this.#putDown = putDown;
    try {
      await read(AbortSignal.any([signal, putDown.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!putDown.signal.aborted || !isCancelled(error)) throw error;
    } finally {
      this.#stagedIds = new Set();
    }
  }

  gone(stagedIds: readonly string[]): void {
    if (stagedIds.some((id) => this.#stagedIds.has(id))) this.#putDown.abort(new FailureError({ kind: 'cancelled' }));
  }
}

const isCancelled = (error: unknown): boolean => error instanceof FailureError && error.failure.kind === 'cancelled';

interface DraftReadingOptions {
  store: UploadStore;
  facts: StagedFacts;
  /** For large files. Threads of its own: one that reads a terabyte hears of no other file for an hour. */
  largeFacts: StagedFacts;
  news: WorkspaceEvents;
  /** Takes out an archive's members; they are files of the draft when it resolves. */
  openArchive(archive: StoredUploadFile, signal: AbortSignal): Promise<OpenedArchive>;
  /** Something was learnt: files may be ready to be asked about, a copy of an unreadable one among them. */
  read(): void;
  logDefect(error: unknown): void;
}

type Asked = ReadonlyMap<string, StoredUploadFile>;

const filesATurn = 256;
/** In bytes. A larger one takes longer to hash than a person likes to wait for the others. */
const smallUpTo = 64 * 1024 * 1024;

/**
 * Learns what the files of all drafts are: their hashes first, then their kind and their previews, then what archives
 * hold. Large files are hashed, and archives opened, one at a time beside the small ones, which wait for neither.
 */
export class DraftReading {
  readonly #options: DraftReadingOptions;
  readonly #small: WorkLoop;
  readonly #large: WorkLoop;
  readonly #archives: WorkLoop;
  readonly #inHand = { small: new FilesInHand(), large: new FilesInHand(), archive: new FilesInHand() };

  constructor(options: DraftReadingOptions) {
    const failed = (error: unknown): void => options.logDefect(error);
    this.#options = options;
    this.#small = new WorkLoop((signal) => this.#readSmall(signal), failed);
    this.#large = new WorkLoop((signal) => this.#hashLarge(signal), failed);
    this.#archives = new WorkLoop((signal) => this.#openOne(signal), failed);
  }

  kick(): void {
    this.#small.kick();
    this.#archives.kick();
  }

  /** No draft has them any more: what is read of them is given up. */
  gone(stagedIds: readonly string[]): void {
    for (const inHand of Object.values(this.#inHand)) inHand.gone(stagedIds);
  }

  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close(), this.#archives.close()]);
  }

  async #readSmall(signal: AbortSignal): Promise<boolean> {
    const { store, facts, read } = this.#options;
    const files = byStagedId(store.toHash(filesATurn, { upTo: smallUpTo }));
    if (files.size === 0) {
      // Not before: a hundred thousand small ones would be passed over for each large one that is looked for.
      this.#large.kick();
      return this.#lookAtSome(signal);
    }
    await this.#hash(facts, this.#inHand.small, files, signal);
    read();
    return true;
  }

  async #hashLarge(signal: AbortSignal): Promise<boolean> {
    const { store, largeFacts, read } = this.#options;
    const files = byStagedId(store.toHash(1, { above: smallUpTo }));
    if (files.size === 0) return false;
    await this.#hash(largeFacts, this.#inHand.large, files, signal);
    this.#small.kick();
    read();
    return true;
  }

  #hash(facts: StagedFacts, inHand: FilesInHand, files: Asked, signal: AbortSignal): Promise<void> {
    return inHand.during(files.keys(), signal, (stop) =>
      this.#each(files, stop, (batch) => facts.hash(batch, stop, (results) => this.#hashed(files, results))),
    );
  }

  #hashed(files: Asked, results: readonly HashedFile[]): void {
    const known = results.flatMap((result) => {
      const file = files.get(result.id);
      if (file && 'reason' in result) this.#unreadable(file, result);
      return file && 'hashes' in result ? [{ id: file.id, hashes: result.hashes, sizeBytes: result.sizeBytes }] : [];
    });
    this.#options.store.hashed(known);
    this.#report(files);
  }

  async #lookAtSome(signal: AbortSignal): Promise<boolean> {
    const { store, facts, read } = this.#options;
    const files = byStagedId(store.toLook(filesATurn));
    if (files.size === 0) return false;
    await this.#inHand.small.during(files.keys(), signal, (stop) =>
      this.#each(files, stop, (batch) => facts.inspect(batch, stop, (results) => this.#inspected(files, results))),
    );
    this.#archives.kick();
    read();
    return true;
  }

  #inspected(files: Asked, results: readonly InspectedFile[]): void {
    const known = results.flatMap((result) => {
      const file = files.get(result.id);
      if (file && 'reason' in result) this.#unreadable(file, result);
      if (!file || !('mime' in result)) return [];
      const { mime, isZip } = asNamed(file.name, result);
      return [{ id: file.id, mime, strip: result.strip, isZip: isZip && file.parentId === null }];
    });
    this.#options.store.looked(known);
    this.#report(files);
  }

  async #openOne(signal: AbortSignal): Promise<boolean> {
    const { store, read } = this.#options;
    const [archive] = store.toOpen(1);
    if (archive === undefined) return false;
    await this.#inHand.archive.during(byStagedId([archive]).keys(), signal, (stop) => this.#open(archive, stop));
    this.#small.kick();
    read();
    return true;
  }

  async #open(archive: StoredUploadFile, signal: AbortSignal): Promise<void> {
    const { store, openArchive, news } = this.#options;
    const facts = await openArchive(archive, signal).catch((error: unknown): OpenedArchive => {
      signal.throwIfAborted();
      if (!(error instanceof FailureError)) throw error;
      return { state: 'refused', members: 0, failure: error.failure, nameEncoding: archive.nameEncoding, remarks: [] };
    });
    store.setArchive(archive.id, facts);
    news.changed(archive.workspaceId);
  }

  /** All at once; one by one where a thread ended over them, so that one file keeps no other from being read. */
  async #each(
    files: Asked,
    signal: AbortSignal,
    read: (batch: readonly { id: string }[]) => Promise<void>,
  ): Promise<void> {
    const batch = [...files.keys()].map((id) => ({ id }));
    try {
      await read(batch);
    } catch (error) {
      const failure = endOfThread(error, signal);
      const [only] = batch;
      const file = only && files.get(only.id);
      if (file && batch.length === 1) return this.#options.store.failed(file.id, failure);
      for (const [id, one] of files) if (this.#isOpen(one)) await this.#each(new Map([[id, one]]), signal, read);
    }
  }

  /** Not reported before the thread ended. */
  #isOpen({ id, state, mime, strip }: StoredUploadFile): boolean {
    const now = this.#options.store.get(id);
    return now !== null && now.state === state && now.mime === mime && now.strip === strip;
  }

  #unreadable({ id, name }: StoredUploadFile, unread: UnreadFile): void {
    this.#options.store.failed(id, unreadStagedFailure(name, unread));
  }

  #report(files: Asked): void {
    for (const workspaceId of new Set([...files.values()].map((file) => file.workspaceId)))
      this.#options.news.changed(workspaceId);
  }
}

/**
 * Only the end of a thread is about the files: a disk that does not take what was read makes none of them unreadable.
 */
function endOfThread(error: unknown, signal: AbortSignal): Failure {
  signal.throwIfAborted();
  if (error instanceof FailureError && error.failure.kind === 'worker-ended') return error.failure;
  throw error;
}

const byStagedId = (files: readonly StoredUploadFile[]): Asked =>
  new Map(files.flatMap((file) => (file.stagedId === null ? [] : [[file.stagedId, file]])));
