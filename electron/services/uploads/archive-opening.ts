import {
  archiveLimits,
  type ArchiveLimits,
  type ArchiveRemark,
  type NameEncoding,
  zipMime,
} from '../../../shared/domain/opened-archive.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { memberPlace } from '../../archive/archive-names.ts';
import { archivePasswords, inOnePiece, readZipAt, smallMember } from '../../archive/reading/zip-random.ts';
import type { RandomPart, ZipAtOptions } from '../../archive/reading/zip-source.ts';
import type { WorkspaceEvents } from '../../event-hub.ts';
import type {
  NewUploadFile,
  OpenedArchive,
  StoredUploadFile,
  UploadStore,
} from '../../storage/uploads/upload-store.ts';
import type { Staging } from '../../vault/staging.ts';

export interface ArchiveOpeningOptions {
  store: UploadStore;
  staging: Staging;
  news: WorkspaceEvents;
  exportPassword(): string;
  /** Members are in the draft and are to be read. */
  added(): void;
  /** Those of the field where they are left out. */
  archiveLimits?: ArchiveLimits;
}

/** Members that are staged at the same time, and put into the draft in one step. */
const membersAtOnce = 128;

/**
 * Takes the members out of ZIPs that were dropped: each becomes a staged file of its own, stored encrypted as any
 * other.
 */
export class ArchiveOpening {
  readonly #options: ArchiveOpeningOptions;
  /** Passwords that were given, by the staged id of the file they are for. Never stored. */
  readonly #given = new Map<string, readonly string[]>();

  constructor(options: ArchiveOpeningOptions) {
    this.#options = options;
  }

  /** To be tried on these files, if they are archives. */
  give(stagedIds: readonly string[], passwords: readonly string[]): void {
    for (const stagedId of stagedIds) this.#given.set(stagedId, passwords);
  }

  /** No draft has them any more, or they are no archives. */
  gone(stagedIds: readonly string[]): void {
    for (const stagedId of stagedIds) this.#given.delete(stagedId);
  }

  /**
   * Whether it opens any member; then it is the first that is tried when the archive is opened. Throws as the disk and
   * the archive do.
   */
  async tryPassword({ name, stagedId }: StoredUploadFile, password: string): Promise<boolean> {
    const source = await this.#options.staging.openAt(stagedId ?? '');
    try {
      for await (const { kind } of readZipAt(source, {
        archiveName: name,
        passwords: [password],
        limits: this.#limits,
      })) {
        if (kind !== 'streamed') continue;
        this.#given.set(stagedId ?? '', [password]);
        return true;
      }
      return false;
    } finally {
      await source.close();
    }
  }

  /**
   * Whatever an earlier try put into the draft is taken out first. Rejects where not even one member could be reached.
   */
  async open(archive: StoredUploadFile, signal: AbortSignal): Promise<OpenedArchive> {
    const { store, staging } = this.#options;
    const stagedId = archive.stagedId ?? '';
    await this.#discard(store.removeMembers(archive.id));
    const source = await staging.openAt(stagedId);
    const found = new FoundMembers(this.#options, archive);
    try {
      for await (const part of readZipAt(source, {
        ...this.#readingOf(archive),
        signal,
        onEncoding: (encoding) => (found.encoding = encoding),
        onRemark: (remark) => found.remarks.push(remark),
      })) {
        await found.take(part);
      }
      await found.keep();
      return await this.#factsOf(archive, found, null);
    } catch (error) {
      if (signal.aborted) await found.giveUp();
      signal.throwIfAborted();
      if (!(error instanceof FailureError)) throw error;
      await found.keep();
      return await this.#factsOf(archive, found, error.failure);
    } finally {
      await source.close();
      this.#given.delete(stagedId);
    }
  }

  /** An archive of which nothing could be decrypted waits for its password, and shows no members until then. */
  async #factsOf(
    { id }: StoredUploadFile,
    { taken, locked, refused, remarks, encoding: nameEncoding }: FoundMembers,
    failure: Failure | null,
  ): Promise<OpenedArchive> {
    if (taken === 0 && locked > 0) {
      await this.#discard(this.#options.store.removeMembers(id));
      return { state: 'locked', members: 0, failure, nameEncoding, remarks };
    }
    const members = taken + locked + refused;
    return { state: members === 0 && failure !== null ? 'refused' : 'open', members, failure, nameEncoding, remarks };
  }

  /** The names of its members by another encoding, up to where it could be read. Throws as the disk does. */
  async names(
    archive: StoredUploadFile,
    encoding: NameEncoding,
  ): Promise<{ member: number; name: string; path: string }[]> {
    const source = await this.#options.staging.openAt(archive.stagedId ?? '');
    const names: { member: number; name: string; path: string }[] = [];
    try {
      for await (const { name } of readZipAt(source, { ...this.#readingOf(archive), nameEncoding: encoding }))
        names.push({ member: names.length, ...memberPlace(name) });
    } catch (error) {
      // Where it stopped when it was opened, it stops again.
      if (!(error instanceof FailureError) || !error.failure.kind.startsWith('archive-')) throw error;
    } finally {
      await source.close();
    }
    return names;
  }

  get #limits(): ArchiveLimits {
    return this.#options.archiveLimits ?? archiveLimits;
  }

  #readingOf({ name, stagedId, nameEncoding }: StoredUploadFile): ZipAtOptions {
    const passwords = archivePasswords(this.#given.get(stagedId ?? '') ?? [], this.#options.exportPassword());
    return { archiveName: name, passwords, limits: this.#limits, ...(nameEncoding !== null && { nameEncoding }) };
  }

  async #discard(stagedIds: readonly string[]): Promise<void> {
    for (const stagedId of stagedIds) await this.#options.staging.discard(stagedId);
  }
}

/** The members of one archive, on their way into the draft. */
class FoundMembers {
  readonly #options: ArchiveOpeningOptions;
  readonly #archive: StoredUploadFile;
  /** In the order of the archive. */
  #waiting: Promise<NewUploadFile>[] = [];
  /** The members before these, on their way into the draft. */
  #adding: Promise<void> = Promise.resolve();
  readonly remarks: ArchiveRemark[] = [];
  encoding: NameEncoding | null = null;
  #members = 0;
  taken = 0;
  locked = 0;
  refused = 0;

  constructor(options: ArchiveOpeningOptions, archive: StoredUploadFile) {
    this.#options = options;
    this.#archive = archive;
  }

  async take(part: RandomPart): Promise<void> {
    if (part.kind === 'refused') this.#refuse(part, part.failure);
    else await this.#stage(part);
    this.#members += 1;
    if (this.#waiting.length < membersAtOnce) return;
    // The next ones are read while these are staged.
    await this.#added();
    this.#adding = this.#add();
    // `#added` throws it.
    this.#adding.catch(() => {});
  }

  /** Resolves when all members so far are in the draft. */
  async keep(): Promise<void> {
    await this.#added();
    await this.#add();
  }

  /** Throws a failure once: what comes afterwards may still be added. */
  async #added(): Promise<void> {
    const adding = this.#adding;
    this.#adding = Promise.resolve();
    await adding;
  }

  async #add(): Promise<void> {
    const { store, news, added } = this.#options;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    try {
      const members = await Promise.all(waiting);
      store.add(this.#archive.workspaceId, members);
      for (const { failure = null } of members) this.#count(failure);
    } catch (error) {
      // The archive was removed meanwhile, the draft is full, or the disk is.
      await this.#discard(waiting);
      throw error;
    }
    news.changed(this.#archive.workspaceId);
    added();
  }

  /** Discards the members that are not in the draft. */
  async giveUp(): Promise<void> {
    await this.#adding.catch(() => {});
    await this.#discard(this.#waiting.splice(0));
  }

  async #discard(members: readonly Promise<NewUploadFile>[]): Promise<void> {
    for (const settled of await Promise.allSettled(members)) {
      if (settled.status === 'fulfilled' && settled.value.stagedId !== null)
        await this.#options.staging.discard(settled.value.stagedId);
    }
  }

  /** A member that breaks off in the middle is one that cannot be read; what breaks the archive is thrown on. */
  async #stage(part: Extract<RandomPart, { kind: 'streamed' }>): Promise<void> {
    try {
      const small = await smallMember(part);
      // List the members before a large one at once.
      if (small === null) await this.keep();
      const staging = this.#staged(part, small === null ? part.chunks : inOnePiece(small));
      // `keep` throws it.
      staging.catch(() => {});
      if (small === null) await staging;
      this.#waiting.push(staging);
    } catch (error) {
      if (!(error instanceof FailureError) || !isOfMember(error.failure)) throw error;
      this.#refuse(part, error.failure);
    }
  }

  /**
   * Members of what is more than an archive are offered; so are links, whose bytes are a path. A person ticks those
   * that are meant.
   */
  #memberOf({
    name,
    remarks,
  }: RandomPart): Pick<NewUploadFile, 'name' | 'path' | 'parentId' | 'member' | 'remarks' | 'isTicked'> {
    const isTicked = this.#archive.mime === zipMime && !remarks.some(({ kind }) => kind === 'link');
    return { ...memberPlace(name), parentId: this.#archive.id, member: this.#members, remarks, isTicked };
  }

  async #staged(part: RandomPart, chunks: AsyncIterable<Uint8Array>): Promise<NewUploadFile> {
    const { staging } = this.#options;
    const member = this.#memberOf(part);
    const { id, sizeBytes, hashes } = await staging.stageStream(member.name, chunks);
    return { ...member, stagedId: id, place: staging.placeOf(id), sizeBytes, hashes };
  }

  #count(failure: Failure | null): void {
    if (failure === null) this.taken += 1;
    else if (failure.kind === 'archive-password') this.locked += 1;
    else this.refused += 1;
  }

  #refuse(part: RandomPart, failure: Failure): void {
    this.#waiting.push(
      Promise.resolve({ ...this.#memberOf(part), stagedId: null, place: null, sizeBytes: 0, failure }),
    );
  }
}

const isOfMember = ({ kind }: Failure): boolean =>
  kind === 'archive-damaged' || kind === 'archive-unsupported' || kind === 'archive-password';
