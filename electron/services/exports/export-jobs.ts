import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportAs, ExportResult, ExportSelection } from '../../../shared/domain/export.ts';
import { csvRows, itemsCsvFileHead, jsonHead, jsonRows, jsonTail } from '../../../shared/domain/job-table.ts';
import type { ItemFilter, Job, JobTask } from '../../../shared/domain/job.ts';
import { fail } from '../../../shared/failure.ts';
import { withOutcome } from '../../archive/byte-source.ts';
import type { ZipProtection } from '../../archive/encryption/zip-encryption.ts';
import type { NotedFiles } from '../../archive/export/export-file.ts';
import { unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import type { ItemOutcome, JobRun, JobRunner, JobWork } from '../../jobs/job-runner.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { BrowserExports, type PreparedExport } from './browser-exports.ts';
import {
  ExportJournal,
  ExportRun,
  type JobItemsReader,
  type SampleTargets,
  selectedSamples,
  type SelectionOptions,
} from './export-run.ts';

export interface JobItemsFile {
  id: number;
  filter: ItemFilter;
  format: 'csv' | 'json';
}

const jobItemsFileName = ({ id, format }: JobItemsFile): string => `job-${id}-outcomes.${format}`;

/** The items of a job as a file, in pages: memory does not grow with their number. */
async function* jobItemsBytes(
  { id, filter, format }: JobItemsFile,
  reader: JobItemsReader,
): AsyncGenerator<Uint8Array, void, void> {
  let isFirst = true;
  yield Buffer.from(format === 'csv' ? itemsCsvFileHead : jsonHead);
  for await (const items of reader.itemsForExport(id, filter)) {
    yield Buffer.from(format === 'csv' ? csvRows(items) : jsonRows(items, isFirst));
    isFirst = false;
  }
  if (format === 'json') yield Buffer.from(jsonTail);
}

interface ExportJobsOptions {
  /** The id of this Vitrine: others may write into the same folder. */
  computerId: string;
  vault: Pick<Vault, 'read' | 'sourceOf' | 'unreadable' | 'hashesOf'>;
  library: LibraryStore;
  libraryReader: SelectionOptions['libraryReader'];
  items: JobItemsReader;
  /** Takes what the browser may fetch, and has the places for all else. */
  exports: { offer(prepared: PreparedExport): ExportResult; targets: SampleTargets; files: Pick<NotedFiles, 'write'> };
  /** Asked for when a job is made: the runner itself needs `run`. */
  jobs(): Pick<JobRunner, 'create' | 'add' | 'begin' | 'get' | 'forget'>;
}

const outcomesATurn = 500;

/** Exports of many samples: into the host's folder as jobs, or once by the browser. */
export class ExportJobs {
  readonly #options: ExportJobsOptions;
  /** How each job is to be written. Never stored, because of the password: it is gone when the program ends. */
  readonly #orders = new Map<number, { as: ExportAs; expectedBytes: number | null }>();

  readonly #journal: ExportJournal;
  readonly #browser: BrowserExports;

  constructor(options: ExportJobsOptions) {
    this.#options = options;
    this.#journal = new ExportJournal(options.library);
    this.#browser = new BrowserExports({ ...options, journal: this.#journal });
  }

  /** @throws FailureError `password-empty`, `no-export-folder`, `nothing-selected`, `job-too-large` */
  async start(selection: ExportSelection, as: ExportAs, folder: string | null): Promise<Job> {
    if (as.form !== 'raw' && as.password === '') fail({ kind: 'password-empty' });
    const { form } = as;
    const task: JobTask = { kind: 'export', form, folder: folder ?? fail({ kind: 'no-export-folder' }), result: null };
    const jobs = this.#options.jobs();
    const id = jobs.create(task, null);
    try {
      this.#orders.set(id, { as, expectedBytes: await this.#fill(id, selection) });
      return jobs.begin(id);
    } catch (error) {
      this.#orders.delete(id);
      jobs.forget(id);
      throw error;
    }
  }

  /** The step of jobs of kind `export`. */
  readonly run: JobRun = async (work) => {
    const { task } = work;
    if (task.kind !== 'export') throw new TypeError('this is no export');
    const order = this.#orders.get(work.id) ?? fail({ kind: 'interrupted' });
    work.expect(order.expectedBytes);
    const run = new ExportRun(
      { ...this.#options, targets: this.#options.exports.targets, journal: this.#journal },
      work,
      order.as,
    );
    const placed = await run.into(task.folder);
    if (placed) work.setTask({ ...task, result: placed.fileName });
    await settleAll(work, run.outcomes);
    // Another run would be of the samples that were left out
    order.expectedBytes = null;
  };

  /** After a crash: removes what the job had begun to write. @throws the system's error */
  async cleanUp({ id, task }: Job): Promise<void> {
    if (task.kind === 'export')
      await rm(join(task.folder, unfinishedNameOf(this.#options.computerId, id)), { force: true, recursive: true });
  }

  /** One password ZIP through the browser. @throws FailureError `password-empty`, `nothing-selected`, `job-missing` */
  prepare(selection: ExportSelection, protection: ZipProtection): Promise<ExportResult> {
    return this.#browser.prepare(selection, protection);
  }

  /** The list of a job's items as a file. @throws FailureError `job-missing`, `no-export-folder`, and of the disk */
  async itemsFile(file: JobItemsFile, to: 'folder' | 'browser', folder: string | null): Promise<ExportResult> {
    this.#options.jobs().get(file.id);
    const { items, exports, library } = this.#options;
    const fileName = jobItemsFileName(file);
    const bytes = withOutcome(jobItemsBytes(file, items), (outcome) =>
      library.recordExport({ sha256: null, outcome, detail: { of: 'outcomes', job: file.id, to, form: file.format } }),
    );
    if (to === 'browser') return exports.offer({ fileName, sizeBytes: null, open: () => bytes });
    return {
      kind: 'folder',
      ...(await exports.files.write(folder ?? fail({ kind: 'no-export-folder' }), fileName, bytes)),
    };
  }

  /** @returns the bytes of all of them; null when that is not known */
  async #fill(id: number, selection: ExportSelection): Promise<number | null> {
    let expectedBytes: number | null = 0;
    let isAnyHere = false;
    for await (const page of selectedSamples(selection, this.#options)) {
      this.#options.jobs().add(
        id,
        page.map(({ sha256, md5, sizeBytes }) => ({ hash: sha256, sha256, md5, sizeBytes })),
      );
      for (const { sizeBytes, inVault } of page) {
        isAnyHere ||= inVault;
        if (inVault) expectedBytes = sizeBytes === null || expectedBytes === null ? null : expectedBytes + sizeBytes;
      }
    }
    return isAnyHere ? expectedBytes : fail({ kind: 'nothing-selected' });
  }
}

async function settleAll(work: JobWork, outcomes: readonly ItemOutcome[]): Promise<void> {
  for (let at = 0; at < outcomes.length; at += outcomesATurn) {
    work.settle(outcomes.slice(at, at + outcomesATurn));
    await nextTurn();
  }
}
