import type { ArchiveFacts } from '../../../shared/domain/upload.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import type { StoredUploadFile, UploadStore } from '../../storage/upload-store.ts';
import type { HashedFile, LookedFile, StagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import type { DraftNews } from './draft-news.ts';
import { WorkLoop } from './work-loop.ts';

export interface DraftReadingOptions {
  store: UploadStore;
  facts: StagedFacts;
  news: DraftNews;
  /** Takes out an archive's members; they are files of the draft when it resolves. */
  openArchive(archive: StoredUploadFile, signal: AbortSignal): Promise<ArchiveFacts>;
  /** Something was learnt: files may be ready to be asked about, a copy of an unreadable one among them. */
  read(): void;
  logDefect(error: unknown): void;
}

type Unreadable = Extract<HashedFile, { reason: string }>;
type Asked = ReadonlyMap<string, StoredUploadFile>;

const filesATurn = 256;

/** Learns what the files of all drafts are: their hashes first, then their kind and their looks, then what archives hold. */
export class DraftReading {
  readonly #options: DraftReadingOptions;
  readonly #loop: WorkLoop;

  constructor(options: DraftReadingOptions) {
    this.#options = options;
    this.#loop = new WorkLoop((signal) => this.#readSome(signal), (error) => options.logDefect(error));
  }

  kick(): void {
    this.#loop.kick();
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  async #readSome(signal: AbortSignal): Promise<boolean> {
    const didRead = (await this.#hashSome(signal)) || (await this.#lookAtSome(signal)) || (await this.#openOne(signal));
    if (didRead) this.#options.read();
    return didRead;
  }

  async #hashSome(signal: AbortSignal): Promise<boolean> {
    const { store, facts } = this.#options;
    const files = byStagedId(store.toHash(filesATurn));
    await this.#each(files, signal, (batch) => facts.hash(batch, signal, (results) => this.#hashed(files, results)));
    return files.size > 0;
  }

  #hashed(files: Asked, results: readonly HashedFile[]): void {
    const known = results.flatMap((result) => {
      const file = files.get(result.id);
      if (file && 'reason' in result) this.#unreadable(file, result);
      return file && 'hashes' in result ? [{ id: file.id, hashes: result.hashes, sizeBytes: result.sizeBytes }] : [];
    });
    this.#options.store.hashed(known);
    this.#tell(files);
  }

  async #lookAtSome(signal: AbortSignal): Promise<boolean> {
    const { store, facts } = this.#options;
    const files = byStagedId(store.toLook(filesATurn));
    await this.#each(files, signal, (batch) => facts.look(batch, signal, (results) => this.#looked(files, results)));
    return files.size > 0;
  }

  #looked(files: Asked, results: readonly LookedFile[]): void {
    const known = results.flatMap((result) => {
      const file = files.get(result.id);
      if (file && 'reason' in result) this.#unreadable(file, result);
      return file && 'mime' in result ? [{ id: file.id, mime: result.mime, strip: result.strip, isZip: result.isZip && file.parentId === null }] : [];
    });
    this.#options.store.looked(known);
    this.#tell(files);
  }

  async #openOne(signal: AbortSignal): Promise<boolean> {
    const { store, openArchive, news } = this.#options;
    const [archive] = store.toOpen(1);
    if (archive === undefined) return false;
    const facts = await openArchive(archive, signal).catch((error: unknown): ArchiveFacts => {
      signal.throwIfAborted();
      if (!(error instanceof FailureError)) throw error;
      return { state: 'refused', members: 0, failure: error.failure };
    });
    store.setArchive(archive.id, facts);
    news.changed(archive.workspaceId);
    return true;
  }

  /** All at once; one by one where a thread ended over them, so that one file keeps no other from being read. */
  async #each(files: Asked, signal: AbortSignal, read: (batch: readonly { id: string }[]) => Promise<void>): Promise<void> {
    const batch = [...files.keys()].map((id) => ({ id }));
    if (batch.length === 0) return;
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

  /** Not told of before the thread ended. */
  #isOpen({ id, state, mime, strip }: StoredUploadFile): boolean {
    const now = this.#options.store.get(id);
    return now !== null && now.state === state && now.mime === mime && now.strip === strip;
  }

  #unreadable({ id, name }: StoredUploadFile, { reason, code }: Unreadable): void {
    this.#options.store.failed(id, unreadableFailure(name, reason, code));
  }

  #tell(files: Asked): void {
    for (const workspaceId of new Set([...files.values()].map((file) => file.workspaceId))) this.#options.news.changed(workspaceId);
  }
}

function unreadableFailure(name: string, reason: Unreadable['reason'], code: string): Failure {
  if (reason === 'gone') return { kind: 'file-gone', name };
  return reason === 'changed' ? { kind: 'file-changed', name } : { kind: 'file-unreadable', name, code };
}

/** Only that a thread ended says something of the files: a disk that does not take what was read makes none of them unreadable. */
function endOfThread(error: unknown, signal: AbortSignal): Failure {
  signal.throwIfAborted();
  if (error instanceof FailureError && error.failure.kind === 'worker-ended') return error.failure;
  throw error;
}

const byStagedId = (files: readonly StoredUploadFile[]): Asked => new Map(files.flatMap((file) => (file.stagedId === null ? [] : [[file.stagedId, file]])));
