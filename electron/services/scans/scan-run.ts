import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OperationRequest } from '../../../shared/contract.ts';
import { hashes as readHashes } from '../../../shared/domain/hash.ts';
import type { ItemState, Job, JobItem } from '../../../shared/domain/job.ts';
import type { ScanPackage } from '../../../shared/domain/scan.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { Mutex } from '../../../shared/mutex.ts';
import type { JobRunner, JobWork } from '../../jobs/job-runner.ts';
import { asksForPause } from '../../jobs/job-work.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { OtherFile, ScanFileRow } from '../../storage/scans/scan-files.ts';
import type { ScanStore, StoredResult } from '../../storage/scans/scan-store.ts';
import type { HashedFile, StagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import type { Staging } from '../../vault/staging.ts';
import { unreadStagedFailure } from '../../vault/staging/staged-bytes.ts';
import type { FileScanner } from './file-scanner.ts';
import type { LocalScanner } from './local-scanner.ts';
import type { ScanFile } from './read-scan-source.ts';
import type { ScannedItem, ScanRecorder } from './scan-recorder.ts';
import type { ServiceScanner } from './service-scanner.ts';

interface ScanRunOptions {
  store: ScanStore;
  library: LibraryStore;
  recorder: ScanRecorder;
  work: JobWork;
  /** null: that side is not asked. */
  local: { files: FileScanner; scanner: LocalScanner } | null;
  service: ServiceScanner | null;
}

/** Enough that neither side waits for the other. */
const filesAtOnce = 6;
/** Where a service gets none of them: engines are given many at a time, and what came of them is settled together. */
const localFilesAtOnce = 32;

/** What is settled with the next commit: each costs more than many rows. */
interface Batch {
  items: ScannedItem[];
  settled: Promise<void>;
}

/**
 * Scans the files of one job, each with every side that is asked. A file is settled when all of them have said
 * something.
 */
export class ScanRun {
  readonly #options: ScanRunOptions;
  readonly #halt = new AbortController();
  /** Of what is under way: aborted when the job is to stop, and by the first error. */
  readonly #signal: AbortSignal;
  /** A service asked for a pause: what is under way ends, and nothing more begins. */
  #pause: FailureError | null = null;
  readonly #settling = new Mutex();
  #batch: Batch | null = null;

  constructor(options: ScanRunOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.work.signal, this.#halt.signal]);
  }

  async run(): Promise<void> {
    const { work, service } = this.#options;
    const lines = service === null ? localFilesAtOnce : filesAtOnce;
    const line = async (): Promise<void> => {
      for (let [item] = work.take(1); item !== undefined && !this.#isEnding; [item] = work.take(1))
        await this.#scan(item);
    };
    // The first error ends the others; it is the one to report.
    await Promise.all(Array.from({ length: lines }, () => line().catch((error: unknown) => this.#end(error))));
    work.signal.throwIfAborted();
    this.#halt.signal.throwIfAborted();
    if (this.#pause !== null) throw this.#pause;
  }

  get #isEnding(): boolean {
    return this.#halt.signal.aborted || this.#pause !== null;
  }

  #end(error: unknown): void {
    if (error instanceof FailureError && asksForPause(error.failure)) this.#pause ??= error;
    else this.#halt.abort(error);
  }

  async #scan(item: JobItem): Promise<void> {
    const { store, library, local, service, work } = this.#options;
    const row = store.file(work.id, item.position);
    const file: ScanFile = {
      sha256: item.hash,
      name: row?.name ?? item.name ?? library.nameOf(item.hash) ?? item.hash,
      stagedId: row?.stagedId ?? null,
      also: row?.also ?? [],
    };
    const sizeBytes = item.sizeBytes ?? row?.sizeBytes ?? 0;
    const sent = { item, file, sizeBytes, md5: row?.hashes?.md5 ?? item.md5 };
    const [own, other] = await bothOf([
      local === null ? null : this.#orHalt(local.files.scan(item, file, sizeBytes)),
      service === null ? null : this.#orHalt(service.scan(sent, this.#signal)),
    ]);
    const results = [own?.result ?? [], other ?? []].flat();
    await this.#settle({
      item,
      sizeBytes,
      results,
      ...outcomeOf(results),
      rules: own === null ? 'all' : this.#rules(own.rules),
      looked: own === null ? 'all' : this.#rules(own.looked),
      names: own?.names ?? null,
      hashes: row?.hashes ?? null,
    });
  }

  /** With all that are there when the commit before is over. */
  #settle(one: ScannedItem): Promise<void> {
    const batch = this.#batch ?? this.#newBatch();
    batch.items.push(one);
    return batch.settled;
  }

  #newBatch(): Batch {
    const items: ScannedItem[] = [];
    const settled = this.#settling.run(() => {
      this.#batch = null;
      return this.#options.recorder.settle(items, { journalled: true });
    });
    this.#batch = { items, settled };
    return this.#batch;
  }

  /** At once: the other side of the file may take long to end. */
  async #orHalt<T>(side: Promise<T>): Promise<T> {
    try {
      return await side;
    } catch (error) {
      this.#end(error);
      throw error;
    }
  }

  /** The whole package, unless a rule had to be left out or could not know what it asks for. */
  #rules(lookedWith: ReadonlySet<string>): ScannedItem['rules'] {
    return lookedWith.size === this.#options.local?.scanner.reported.length ? 'all' : lookedWith;
  }
}

/** Both have ended when it resolves or rejects. */
async function bothOf<A, B>([one, other]: [Promise<A> | null, Promise<B> | null]): Promise<[A | null, B | null]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

const forbidding = new Set<Failure['kind']>(['third-party-refused', 'forbidden']);

/** A file is done when every side has scanned it: what failed on one can be tried again. */
function outcomeOf(results: readonly StoredResult[]): {
  state: Exclude<ItemState, 'waiting'>;
  failure: Failure | null;
} {
  const failure = results.find(({ state }) => state !== 'scanned')?.failure ?? null;
  if (failure === null) return { state: 'done', failure };
  return { state: forbidding.has(failure.kind) ? 'forbidden' : 'failed', failure };
}

interface ScanStartOptions {
  store: ScanStore;
  library: LibraryStore;
  staging: Staging;
  facts: Pick<StagedFacts, 'hash'>;
  jobs: Pick<JobRunner, 'create' | 'add' | 'note' | 'begin' | 'forget'>;
  signal: AbortSignal;
  /** Its files came into the watched folder. */
  isWatched?: boolean;
}

type ScanRequest = OperationRequest<'scans.start'>;
type Handed = Pick<ScanFileRow, 'name' | 'hashes' | 'sizeBytes' | 'stagedId' | 'place' | 'also'>;

/** Rows written before the thread is free again. */
const rowsATurn = 100;

/**
 * Makes a job of what is to be scanned. Bytes that were given in several files are scanned once, under the names of all
 * of them; copies that were made of them are thrown away. One that can be read no more is named by the job, and the
 * others are scanned.
 *
 * @throws FailureError `nothing-selected`, `not-in-vault`, and why a staged file cannot be read where there is nothing
 * else; nothing is left of the job then, and all of the files: they can be added again
 */
export async function startScan(
  options: ScanStartOptions,
  request: ScanRequest,
  used: ScanPackage | null,
): Promise<Job> {
  const { jobs, staging, isWatched } = options;
  const { files, unread, copies } = await handedOver(options, request);
  const all = [...files, ...(await samplesOf(options, request, files))];
  if (all.length === 0) fail(unread[0]?.failure ?? { kind: 'nothing-selected' });
  const name = all.length === 1 ? (all[0]?.name ?? null) : null;
  const id = jobs.create(
    { kind: 'scan', engines: request.engines, local: null, package: used, name, ...(isWatched && { isWatched }) },
    request.workspaceId,
  );
  const job = await begun(options, id, { all, unread, tlp: request.tlp });
  await discardAll(staging, [...copies, ...unread.map(({ stagedId }) => stagedId)]);
  return job;
}

interface Filling {
  all: readonly (Handed | Sample)[];
  unread: readonly Unread[];
  tlp: ScanRequest['tlp'];
}

async function begun(options: ScanStartOptions, id: number, { all, unread, tlp }: Filling): Promise<Job> {
  const { jobs } = options;
  try {
    await addAll(options, id, { all, tlp });
    if (unread.length > 0)
      jobs.note(
        id,
        unread.map(({ failure }) => failure),
      );
    return jobs.begin(id);
  } catch (error) {
    forgetDraft(options, id);
    throw error;
  }
}

/** Its files are taken from it before: a job that is forgotten throws away what it was given. */
function forgetDraft({ jobs, store }: ScanStartOptions, id: number): void {
  try {
    store.forgetJob(id);
    jobs.forget(id);
  } catch {
    // The person is shown why it was not begun; the next start of the program removes what was never begun.
  }
}

/** A copy that cannot be removed now is swept at the next start: no job knows it. */
async function discardAll(staging: Staging, stagedIds: readonly string[]): Promise<void> {
  for (const stagedId of stagedIds) {
    await staging.discard(stagedId).catch((error: unknown) => {
      if (!(error instanceof FailureError)) throw error;
    });
  }
}

interface Unread {
  stagedId: string;
  failure: Failure;
}

interface HandedOver {
  /** Each content once, in the order in which they were added. */
  files: Handed[];
  unread: Unread[];
  /** Staged ids of the same contents once more. */
  copies: string[];
}

async function handedOver({ staging, facts, signal }: ScanStartOptions, { files }: ScanRequest): Promise<HandedOver> {
  const hashed = new Map<string, HashedFile>();
  await facts.hash(files, signal, (results) => {
    for (const result of results) hashed.set(result.id, result);
  });
  const bySha256 = new Map<string, Handed & { also: OtherFile[] }>();
  const copies: string[] = [];
  const unread: Unread[] = [];
  for (const { id } of files) {
    const { name } = staging.fileOf(id);
    const found = hashed.get(id) ?? fail({ kind: 'staged-file-missing', id });
    if ('reason' in found) {
      unread.push({ stagedId: id, failure: unreadStagedFailure(name, found) });
      continue;
    }
    const { hashes, sizeBytes } = found;
    const place = staging.placeOf(id);
    const first = bySha256.get(hashes.sha256);
    if (first === undefined) {
      bySha256.set(hashes.sha256, { name, hashes, sizeBytes, stagedId: id, place, also: [] });
    } else {
      copies.push(id);
      if (first.stagedId !== id) first.also.push({ name, path: place.kind === 'in-place' ? place.path : null });
    }
  }
  const kept = [...bySha256.values()];
  const keptIds = new Set(kept.map(({ stagedId }) => stagedId));
  return { files: kept, unread, copies: copies.filter((id) => !keptIds.has(id)) };
}

type Sample = Omit<Handed, 'hashes'> & { hashes: Handed['hashes'] | null; sha256: string; md5: string | null };

async function samplesOf(
  { library }: ScanStartOptions,
  { samples }: ScanRequest,
  files: readonly Handed[],
): Promise<Sample[]> {
  const there = new Set(files.map(({ hashes }) => hashes.sha256));
  const wanted = [...new Set(samples)].filter((sha256) => !there.has(sha256));
  const found: Sample[] = [];
  for (const [index, sha256] of wanted.entries()) {
    if (index % rowsATurn === rowsATurn - 1) await nextTurn();
    const known = library.find(sha256);
    if (known?.inVault !== true) fail({ kind: 'not-in-vault', sha256 });
    found.push({
      name: library.nameOf(sha256),
      sha256,
      md5: known.md5,
      hashes: readHashes.safeParse(known).data ?? null,
      sizeBytes: known.sizeBytes ?? 0,
      stagedId: null,
      place: null,
    });
  }
  return found;
}

async function addAll(
  { jobs, store }: ScanStartOptions,
  id: number,
  { all, tlp }: Omit<Filling, 'unread'>,
): Promise<void> {
  for (let at = 0; at < all.length; at += rowsATurn) {
    const some = all.slice(at, at + rowsATurn);
    store.together(() => {
      jobs.add(
        id,
        some.map((one) => ({ ...hashOf(one), name: one.name, sizeBytes: one.sizeBytes })),
      );
      store.addFiles(
        id,
        some.flatMap((one, index) => rowOf(one, at + index + 1, tlp)),
      );
    });
    await nextTurn();
  }
}

/**
 * A sample has a row for the TLP that the person gives it: the sender reads it there.
 *
 * @throws FailureError `not-in-vault` where that cannot be kept
 */
function rowOf(one: Handed | Sample, position: number, tlp: ScanRequest['tlp']): ScanFileRow[] {
  const { name, hashes, sizeBytes, stagedId, place, also = [] } = one;
  if (stagedId === null && tlp === null) return [];
  return [
    {
      name,
      hashes: hashes ?? fail({ kind: 'not-in-vault', sha256: hashOf(one).sha256 }),
      sizeBytes,
      stagedId,
      place,
      also,
      position,
      tlp,
    },
  ];
}

function hashOf(one: Handed | Sample): { hash: string; md5: string | null; sha256: string } {
  const { sha256, md5 } = 'sha256' in one ? one : one.hashes;
  return { hash: sha256, sha256, md5 };
}
