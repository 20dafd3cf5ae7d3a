import { type AddedArchive, addedDepth, type AddedFile } from '../../../shared/domain/addition.ts';
import {
  type ArchiveLimits,
  archiveLimits,
  type ArchiveRemark,
  mostArchiveDepth,
  zipMime,
} from '../../../shared/domain/opened-archive.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { shownName } from '../../archive/archive-names.ts';
import { archivePasswords } from '../../archive/reading/zip-random.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import type { Tally } from '../../jobs/job-store.ts';
import type { AdditionStore, WaitingFile } from '../../storage/jobs/addition-store.ts';
import type { AdditionNote, LibraryStore } from '../../storage/library/library-store.ts';
import type { InspectedFile, StagedFacts, UnreadFile } from '../../vault/staged-facts/staged-facts.ts';
import { asNamed } from '../../vault/staged-facts/zip-kind.ts';
import type { Staging } from '../../vault/staging.ts';
import { unreadStagedFailure } from '../../vault/staging/staged-bytes.ts';
import type { Vault } from '../../vault/vault.ts';
import { type ArchiveAllowance, type Member, takeMembers } from './archive-members.ts';
import { type FileToStore, keepTogether, type StoredFile } from './sample-group.ts';

export interface AdditionRunOptions extends Omit<AdditionsOptions, 'settings' | 'jobs'> {
  work: JobWork;
  /** Passwords that a person gave. */
  given: readonly string[];
  exportPassword: string;
}

/** A file in hand: one that was given, or a member of an archive. */
type FileInHand = WaitingFile & { remarks: readonly ArchiveRemark[] };
type KnownFile = Exclude<InspectedFile, UnreadFile>;

/** Files that become known in one transaction. */
const filesAtOnce = 32;

/**
 * One run of a job that adds files to the vault. A file, its row of the library, its name and its row of the journal
 * are one transaction: what is not in one yet when the program ends is taken again.
 */
export class AdditionRun {
  readonly #options: AdditionRunOptions;
  readonly #work: JobWork;
  readonly #passwords: readonly string[];
  readonly #limits: ArchiveLimits;
  /** The types of the samples that were stored last are found out while the next ones are. */
  #previewing: Promise<void> = Promise.resolve();

  constructor(options: AdditionRunOptions) {
    const { work, given, exportPassword, archiveLimits: limits = archiveLimits } = options;
    this.#options = options;
    this.#work = work;
    this.#passwords = archivePasswords(given, exportPassword);
    this.#limits = limits;
  }

  /** @throws FailureError as the vault and the database do; the signal's reason */
  async run(): Promise<void> {
    const { store } = this.#options;
    const { id } = this.#work;
    this.#work.expect(store.waitingBytes(id));
    for (let files = store.waiting(id, filesAtOnce); files.length > 0; files = store.waiting(id, filesAtOnce)) {
      const allowance = { members: this.#limits.members, bytes: this.#limits.totalBytes };
      try {
        await this.#take(
          files.map((file) => ({ ...file, remarks: [] })),
          allowance,
        );
      } finally {
        await this.#discardSettled(files);
      }
    }
    await this.#previewing;
  }

  /** What was copied of files that have their outcome, also of those before one at which the job halted. */
  async #discardSettled(files: readonly WaitingFile[]): Promise<void> {
    const { store, staging } = this.#options;
    const waiting = new Set(store.waiting(this.#work.id, filesAtOnce).map(({ stagedId }) => stagedId));
    for (const { stagedId } of files) if (!waiting.has(stagedId)) await staging.discard(stagedId);
  }

  /** `allowance`: of each file that was given, or what is left of it for members of one. */
  async #take(files: readonly FileInHand[], allowance: ArchiveAllowance): Promise<void> {
    const inspected = await this.#inspect(files);
    const [settled, toStore, archives]: [AddedFile[], FileToStore[], { file: FileInHand; mime: string | null }[]] = [
      [],
      [],
      [],
    ];
    for (const file of files) {
      this.#work.signal.throwIfAborted();
      const facts = inspected.get(file.stagedId);
      if (facts === undefined || 'reason' in facts)
        settled.push(failedFile(file, unreadStagedFailure(file.name, facts ?? { reason: 'gone', code: '' })));
      else if (file.sizeBytes === 0)
        settled.push({ ...failedFile(file, { kind: 'file-empty', name: shownName(file.name) }), state: 'empty' });
      else {
        const named = asNamed(file.name, facts);
        if (this.#isArchive(named)) archives.push({ file, mime: named.mime });
        else toStore.push({ file: newFile(file, facts.mime), stagedId: file.stagedId });
      }
    }
    await this.#keep(toStore, settled);
    for (const { file, mime } of archives)
      await this.#open(file, mime, addedDepth(file) === 0 ? { ...allowance } : allowance);
  }

  async #inspect(files: readonly FileInHand[]): Promise<Map<string, InspectedFile>> {
    const inspected = new Map<string, InspectedFile>();
    await this.#options.facts.inspect(
      files.map(({ stagedId }) => ({ id: stagedId })),
      this.#work.signal,
      (results) => {
        for (const result of results) inspected.set(result.id, result);
      },
    );
    return inspected;
  }

  #isArchive({ isZip }: Pick<KnownFile, 'isZip'>): boolean {
    return this.#work.task.kind === 'library-add' && this.#work.task.opensArchives && isZip;
  }

  /**
   * An archive of which all was taken is not kept itself; what is more than an archive, such as a program with one
   * behind it, is.
   */
  async #open(file: FileInHand, mime: string | null, allowance: ArchiveAllowance): Promise<void> {
    const isPlain = mime === zipMime;
    const archive = addedDepth(file) >= mostArchiveDepth ? tooDeep(file) : await this.#members(file, allowance);
    const known = { ...newFile(file, mime), archive };
    // What only looks as if it had an archive behind it is a program like any other.
    if (!isPlain && archive.state === 'refused')
      return this.#keep([{ file: { ...known, archive: null }, stagedId: file.stagedId }], []);
    // Bytes that no member has stay with the archive.
    const isWhole = archive.members > 0 && !archive.remarks.some(({ kind }) => kind === 'unread-bytes');
    if (isPlain && archive.state === 'open' && isWhole) return this.#keep([], [{ ...known, state: 'opened' }]);
    return this.#keep([{ file: known, stagedId: file.stagedId }], []);
  }

  #members(file: FileInHand, allowance: ArchiveAllowance): Promise<AddedArchive> {
    const { staging, store } = this.#options;
    const { signal, id } = this.#work;
    const known = store.membersOf(id, file.rank);
    return takeMembers(
      {
        staging,
        signal,
        passwords: this.#passwords,
        limits: this.#limits,
        allowance,
        known,
        take: (members) => this.#takeMembers(members, allowance),
      },
      file,
    );
  }

  async #takeMembers(members: readonly Member[], allowance: ArchiveAllowance): Promise<void> {
    await this.#keep(
      [],
      members.flatMap((member) => (member.failure === null ? [] : [failedFile(member, member.failure)])),
    );
    const taken = members.flatMap((member) => (member.failure === null ? [member] : []));
    if (taken.length > 0) await this.#take(taken, allowance);
  }

  async #keep(toStore: readonly FileToStore[], settled: readonly AddedFile[]): Promise<void> {
    if (toStore.length + settled.length === 0) return;
    const { vault, staging, makePreviews } = this.#options;
    let kept: AddedFile[] = [];
    await keepTogether({ vault, staging, signal: this.#work.signal }, toStore, (outcomes) => {
      kept = this.#record([...settled, ...outcomes.map(outcomeOf)]);
    });
    const sha256s = kept.flatMap(({ sha256 }) => sha256 ?? []);
    await this.#previewing;
    if (sha256s.length === 0) return;
    // Those that were given up are made when they are listed.
    this.#previewing = makePreviews(sha256s).then(() => undefined, passOverCancelled);
    // The next to wait for it gets the error.
    this.#previewing.catch(() => undefined);
  }

  /**
   * Inside the transaction in which the vault knows them.
   *
   * @returns them, those that were there before marked
   */
  #record(files: readonly AddedFile[]): AddedFile[] {
    const { library, store } = this.#options;
    return library.together(() => {
      const here = new Set<string>();
      const added = files.map((file): AddedFile => {
        if (file.state !== 'stored' || file.sha256 === null) return file;
        const isHere = here.has(file.sha256) || library.find(file.sha256)?.inVault === true;
        here.add(file.sha256);
        return isHere ? { ...file, state: 'already-here' } : file;
      });
      library.recordAdditions(added.map((file) => noteOf(file, this.#work.id)));
      store.settle(this.#work.id, added);
      this.#report(added);
      return added;
    });
  }

  /** The job counts the files that were given, not what was found in them. */
  #report(files: readonly AddedFile[]): void {
    const tally: Tally = {};
    for (const { state, sizeBytes } of files.filter((file) => addedDepth(file) === 0)) {
      this.#work.moved(sizeBytes);
      const as = tallied[state];
      tally[as] = (tally[as] ?? 0) + 1;
    }
    if (Object.keys(tally).length > 0) this.#work.tally(tally);
  }
}

/** By file-type: PE, and what DOS runs. */
const tallied = {
  stored: 'done',
  opened: 'done',
  'already-here': 'already-here',
  empty: 'failed',
  failed: 'failed',
  waiting: 'failed',
} as const satisfies Record<AddedFile['state'], keyof Tally>;

const newFile = (
  { rank, name, path, sizeBytes, remarks }: Omit<FileInHand, 'stagedId'>,
  mime: string | null,
): AddedFile => ({
  rank,
  name,
  path,
  sizeBytes,
  md5: null,
  sha1: null,
  sha256: null,
  mime,
  state: 'stored',
  failure: null,
  archive: null,
  remarks: [...remarks],
});
const failedFile = (file: Omit<FileInHand, 'stagedId'>, failure: Failure): AddedFile => ({
  ...newFile(file, null),
  state: 'failed',
  failure,
});

function outcomeOf(one: StoredFile): AddedFile {
  if ('failure' in one) return { ...one.file, state: 'failed', archive: null, failure: one.failure };
  const { md5, sha1, sha256, sizeBytes } = one.stored;
  return { ...one.file, md5, sha1, sha256, sizeBytes };
}

const tooDeep = ({ name }: FileInHand): AddedArchive => ({
  state: 'refused',
  members: 0,
  remarks: [],
  failure: { kind: 'archive-limit', name: shownName(name), limit: 'depth', value: mostArchiveDepth },
});

function noteOf(
  { md5, sha1, sha256, sizeBytes, name, path, state, failure, archive }: AddedFile,
  job: number,
): AdditionNote {
  const hashes = md5 === null || sha1 === null || sha256 === null ? null : { md5, sha1, sha256 };
  const outcome = failure?.kind ?? (state === 'stored' ? 'done' : state);
  return {
    hashes,
    sizeBytes,
    name,
    path,
    outcome,
    detail: { job, sizeBytes, ...(archive !== null && { archive: archive.state }) },
  };
}

function passOverCancelled(error: unknown): void {
  if (!(error instanceof FailureError) || error.failure.kind !== 'cancelled') throw error;
}

export interface AdditionsOptions {
  vault: Pick<Vault, 'receive' | 'batch' | 'waitForSpace'>;
  store: AdditionStore;
  library: Pick<LibraryStore, 'find' | 'recordAdditions' | 'together'>;
  staging: Staging;
  facts: Pick<StagedFacts, 'inspect'>;
  settings(): Pick<Settings, 'exportPassword'>;
  /** Makes what the library shows of the type of samples, as listing them does. */
  makePreviews(sha256s: readonly string[]): Promise<unknown>;
  /** Asked for when a job is made: the runner itself needs `run`. */
  jobs(): Pick<JobRunner, 'create' | 'get' | 'addCounted' | 'begin'>;
  /** Of archives that are opened; those of the field where it is left out. */
  archiveLimits?: ArchiveLimits;
}
