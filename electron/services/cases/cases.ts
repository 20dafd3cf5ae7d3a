import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CaseOptions,
  type CaseSelection,
  type CaseTaker,
  isCaseTable,
  mostCaseSamples,
  mostUnknownShown,
  type PreparedCase,
} from '../../../shared/domain/case.ts';
import { currentTime } from '../../../shared/domain/clock.ts';
import type { BrowserDownload } from '../../../shared/domain/export.ts';
import type { CaseFormat, Job, JobTask } from '../../../shared/domain/job.ts';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import { fail, type Failure, failureKindOf } from '../../../shared/failure.ts';
import { writeFileSafely, type WrittenFile } from '../../archive/export/export-file.ts';
import { unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import type { EventHub } from '../../event-hub.ts';
import type { JobRun, JobRunner, JobWork } from '../../jobs/job-runner.ts';
import type { LibraryChangeStore } from '../../storage/library/library-change-store.ts';
import type { LibraryReader } from '../../storage/library/library-reader.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import { caseFileName } from './case-file.ts';
import {
  type CaseMarking,
  type CaseOrder,
  CaseRun,
  type CaseRunOptions,
  HeldKeys,
  requireStrict,
  type Strictness,
} from './case-run.ts';
import { type CaseSummary, CaseSums } from './case-sample.ts';
import { caseKeys, type CaseSelectionPorts, factsOf } from './case-selection.ts';

interface BrowserCasePorts {
  keys(): AsyncIterable<readonly string[]>;
  journal: CaseJournal;
  detail: CaseDetail;
  /** It is whole, but for the bytes of so many samples. */
  leftWithout(count: number, first: Failure): void;
}

/**
 * A case that is made while the browser takes it. Its rows are there before what they speak of leaves; where it was cut
 * off, second rows say so.
 */
class BrowserCase {
  readonly #run: CaseRun;
  readonly #ports: BrowserCasePorts;
  readonly #whole = new HeldKeys();
  readonly #factsOnly = new HeldKeys();
  readonly #withoutBytes: [hash: string, failure: Failure][] = [];

  constructor(options: CaseRunOptions, order: CaseOrder, ports: BrowserCasePorts) {
    this.#ports = ports;
    this.#run = new CaseRun(options, order, {
      keys: ports.keys,
      leaving: (hashes, withBytes) => this.#leaving(hashes, withBytes),
      leftOut: (hash, failure) => void this.#withoutBytes.push([hash, failure]),
    });
  }

  async *bytes(): AsyncGenerator<Uint8Array, void, void> {
    const { journal } = this.#ports;
    let outcome = 'aborted';
    try {
      yield* this.#run.bytes();
      outcome = 'done';
    } catch (error) {
      outcome = failureKindOf(error);
      throw error;
    } finally {
      if (outcome !== 'done') await this.#noteAll(outcome);
      for (const [hash, { kind }] of this.#withoutBytes) await journal.note([hash], kind, this.#detail(false));
      const [first] = this.#withoutBytes;
      if (outcome === 'done' && first !== undefined) this.#ports.leftWithout(this.#withoutBytes.length, first[1]);
    }
  }

  async #leaving(hashes: readonly string[], withBytes: boolean): Promise<void> {
    (withBytes ? this.#whole : this.#factsOnly).add(hashes);
    await this.#ports.journal.note(hashes, 'done', this.#detail(withBytes));
  }

  async #noteAll(outcome: string): Promise<void> {
    for (const hashes of this.#whole.pages()) await this.#ports.journal.note(hashes, outcome, this.#detail(true));
    for (const hashes of this.#factsOnly.pages()) await this.#ports.journal.note(hashes, outcome, this.#detail(false));
  }

  #detail(withBytes: boolean): CaseDetail {
    const { detail } = this.#ports;
    return withBytes ? detail : { ...detail, encryption: null };
  }
}

/** How a sample, or what is known of it, left in a case. `encryption`: of the bytes, where these went along. */
interface CaseDetail {
  of: 'case';
  to: 'folder' | CaseTaker;
  form: CaseFormat;
  encryption: 'zipcrypto' | null;
}

const rowsATurn = 100;

/** Writes cases into the journal. */
class CaseJournal {
  readonly #library: Pick<LibraryStore, 'recordExports'>;

  constructor(library: Pick<LibraryStore, 'recordExports'>) {
    this.#library = library;
  }

  /** A row each; whatever else waits for this thread has its turn in between. */
  async note(hashes: readonly string[], outcome: string, detail: CaseDetail): Promise<void> {
    for (let at = 0; at < hashes.length; at += rowsATurn) {
      this.#library.recordExports(hashes.slice(at, at + rowsATurn), { outcome, detail: { ...detail } });
      await nextTurn();
    }
  }
}

export interface CasesOptions extends Omit<CaseRunOptions, 'reader' | 'library'> {
  library: Pick<LibraryStore, 'sample' | 'recordExports'>;
  reader: Pick<LibraryReader, 'facts' | 'hashes'>;
  items: CaseSelectionPorts['items'];
  /** Keeps which samples a job includes. */
  kept: LibraryChangeStore;
  events: EventHub;
  /** Offers a file to the browser, once. */
  offer(prepared: { fileName: string; sizeBytes: number | null; open(): AsyncIterable<Uint8Array> }): BrowserDownload;
  jobs(): Pick<JobRunner, 'create' | 'addCounted' | 'begin' | 'forget' | 'get'>;
}

interface CaseRequest {
  selection: CaseSelection;
  options: CaseOptions;
}

interface JobOrder extends CaseOrder {
  /** Of what was asked for, so many the library did not know. */
  leftOut: number;
}

const keysAPage = 500;

/** Cases on their way out: samples, and what is known of them, as one file that other tools and people read. */
export class Cases {
  readonly #options: CasesOptions;
  readonly #journal: CaseJournal;
  /** How each job is to be written. Never stored, because of the password: it is gone when the program ends. */
  readonly #orders = new Map<number, JobOrder>();

  constructor(options: CasesOptions) {
    this.#options = options;
    this.#journal = new CaseJournal(options.library);
  }

  /**
   * @throws FailureError `no-export-folder`, `password-empty`, `case-empty`, `case-too-large`, `tlp-too-open`,
   * `tlp-unknown`, `job-missing`
   */
  async start({ selection, options: requested }: CaseRequest, folder: string | null): Promise<Job> {
    const options = checkedOptions(requested);
    const { format, title, samples } = options;
    const task: JobTask = {
      kind: 'case-export',
      format,
      title,
      withSamples: samples !== null,
      folder: folder ?? fail({ kind: 'no-export-folder' }),
      result: null,
    };
    const jobs = this.#options.jobs();
    if (selection.kind === 'job') jobs.get(selection.id);
    const id = jobs.create(task, null);
    try {
      const { found, unknown } = await this.#keep(id, selection, options);
      const summary = await this.#summaryOf(this.#keptKeys(id), options);
      this.#orders.set(id, { ...orderOf(options, summary), leftOut: unknown });
      jobs.addCounted(id, found + unknown);
      return jobs.begin(id);
    } catch (error) {
      this.#orders.delete(id);
      jobs.forget(id);
      throw error;
    }
  }

  /**
   * @throws FailureError `password-empty`, `case-empty`, `case-too-large`, `tlp-too-open`, `tlp-unknown`, `job-missing`
   */
  async prepare({ selection, options: requested }: CaseRequest, to: CaseTaker = 'browser'): Promise<PreparedCase> {
    const options = checkedOptions(requested);
    if (selection.kind === 'job') this.#options.jobs().get(selection.id);
    const [held, unknown] = [new HeldKeys(), new HeldKeys()];
    for await (const keys of caseKeys(selection, this.#options, (hashes) => unknown.add(hashes))) held.add(keys);
    const keys = () => withTurns(held.pages());
    requireSome(held.length, options);
    const order = orderOf(options, await this.#summaryOf(keys(), options));
    const { samples, withoutBytes } = order.summary;
    const fileName = caseFileName(options);
    const offered = this.#options.offer({
      fileName,
      sizeBytes: null,
      open: () =>
        new BrowserCase(this.#options, order, {
          keys,
          journal: this.#journal,
          detail: detailOf(to, options),
          leftWithout: (count, failure) =>
            this.#options.events.emit({ name: 'cases.left', payload: { fileName, withoutBytes: count, failure } }),
        }).bytes(),
    });
    return {
      ...offered,
      samples,
      withoutBytes: options.samples === null ? 0 : withoutBytes,
      unknown: { count: unknown.length, hashes: [...unknown.pages()].flat().slice(0, mostUnknownShown) },
    };
  }

  /** The step of jobs of kind `case-export`. */
  readonly run: JobRun = async (work) => {
    const { task } = work;
    if (task.kind !== 'case-export') throw new TypeError('this is no export of a case');
    const order = this.#orders.get(work.id) ?? fail({ kind: 'interrupted' });
    const run = new CaseRun(this.#options, order, {
      keys: () => this.#keptKeys(work.id),
      leaving: async () => work.signal.throwIfAborted(),
      leftOut: (_hash, failure) => work.notice(failure),
    });
    const { fileName } = await this.#write(work, run, order, task.folder);
    work.setTask({ ...task, result: fileName });
    const { included, failed, unknown } = run.outcome;
    work.tally({ done: included - failed, failed, unknown: unknown + order.leftOut });
  };

  /** After a crash: removes what the job had begun to write. @throws the system's error */
  async cleanUp({ id, task }: Job): Promise<void> {
    if (task.kind === 'case-export')
      await rm(join(task.folder, unfinishedNameOf(this.#options.computerId, id)), { force: true });
  }

  jobForgotten(id: number): void {
    this.#orders.delete(id);
  }

  /** The rows are there before the file is; when it comes to nothing then, second rows say so. */
  async #write(work: JobWork, run: CaseRun, { options }: CaseOrder, folder: string): Promise<WrittenFile> {
    const detail = detailOf('folder', options);
    const noted = { is: false };
    try {
      return await writeFileSafely(
        folder,
        caseFileName(options),
        this.#journalled(work, run, detail, noted),
        unfinishedNameOf(this.#options.computerId, work.id),
      );
    } catch (error) {
      if (noted.is) await this.#noteAll(run, work.signal.aborted ? 'cancelled' : failureKindOf(error), detail);
      work.signal.throwIfAborted();
      throw error;
    }
  }

  async *#journalled(
    work: JobWork,
    run: CaseRun,
    detail: CaseDetail,
    noted: { is: boolean },
  ): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of run.bytes()) {
      work.signal.throwIfAborted();
      work.moved(piece.length);
      yield piece;
    }
    noted.is = true;
    await this.#noteAll(run, 'done', detail);
    // So many rows took their time
    await run.requireStrict();
    work.signal.throwIfAborted();
  }

  async #noteAll(run: CaseRun, outcome: string, detail: CaseDetail): Promise<void> {
    for (const { whole, withoutBytes } of run.left()) {
      await this.#journal.note(whole, outcome, detail);
      await this.#journal.note(withoutBytes, outcome, { ...detail, encryption: null });
    }
  }

  async #keep(id: number, selection: CaseSelection, options: CaseOptions): Promise<{ found: number; unknown: number }> {
    const { kept } = this.#options;
    let [found, unknown] = [0, 0];
    kept.begin(id, '');
    const countUnknown = (hashes: readonly string[]): void => {
      unknown += hashes.length;
    };
    for await (const keys of caseKeys(selection, this.#options, countUnknown)) {
      kept.add(id, keys);
      found += keys.length;
    }
    requireSome(found, options);
    return { found, unknown };
  }

  async *#keptKeys(id: number): AsyncGenerator<readonly string[], void, void> {
    let place = 0;
    for (
      let keys = this.#options.kept.from(id, place, keysAPage);
      keys.length > 0;
      keys = this.#options.kept.from(id, place, keysAPage)
    ) {
      place += keys.length;
      yield keys;
      await nextTurn();
    }
  }

  async #summaryOf(keys: AsyncIterable<readonly string[]>, { format }: CaseOptions): Promise<CaseSummary> {
    const sums = new CaseSums({ groups: !isCaseTable(format) });
    for await (const some of keys) for (const facts of await factsOf(some, this.#options.reader)) sums.add(facts);
    return sums.summary;
  }
}

/** Bytes go along in an event alone. Fails with `password-empty`. */
function checkedOptions(options: CaseOptions): CaseOptions {
  const samples = options.format === 'misp' ? options.samples : null;
  if (samples?.password === '') fail({ kind: 'password-empty' });
  return { ...options, samples };
}

const detailOf = (to: CaseDetail['to'], { format, samples }: CaseOptions): CaseDetail => ({
  of: 'case',
  to,
  form: format,
  encryption: samples === null ? null : 'zipcrypto',
});

/** Fails with `tlp-too-open`, `tlp-unknown`. */
const orderOf = (options: CaseOptions, summary: CaseSummary): CaseOrder => ({
  options,
  tlp: caseTlp(options, summary),
  summary,
  made: currentTime(),
});

async function* withTurns(pages: Iterable<readonly string[]>): AsyncGenerator<readonly string[], void, void> {
  for (const page of pages) {
    yield page;
    await nextTurn();
  }
}

/** Fails with `case-empty`, `case-too-large`. */
function requireSome(found: number, { format }: CaseOptions): void {
  if (found === 0) fail({ kind: 'case-empty' });
  if (!isCaseTable(format) && found > mostCaseSamples) fail({ kind: 'case-too-large', found, limit: mostCaseSamples });
}

/**
 * How a case is marked: as asked, never less strictly than a sample in it; else as its strictest sample. Fails with
 * `tlp-too-open`, `tlp-unknown`.
 */
function caseTlp({ tlp: requested, vouched }: CaseMarking, samples: Strictness): TlpLevel | null {
  const tlp = requested ?? samples.tlp;
  requireStrict({ tlp, vouched }, samples);
  return tlp;
}
