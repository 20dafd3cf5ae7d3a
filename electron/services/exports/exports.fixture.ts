import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExportSelection } from '../../../shared/domain/export.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { EventHub } from '../../event-hub.ts';
import { haltedJob } from '../../jobs/halted-job.fixture.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Vault } from '../../vault/vault.ts';
import { withReadersHere } from '../testing/readers-here.fixture.ts';
import { openTestData } from '../testing/test-data.fixture.ts';
import { createTestJobs, keepSample } from '../testing/test-host.fixture.ts';
import { ExportJobs } from './export-jobs.ts';
import { Exports } from './exports.ts';

/** Exports over real stores, a real vault and real jobs. */
export interface TestExports {
  /** Where the samples go. */
  folder: string;
  stores: Stores;
  vault: Vault;
  jobs: JobRunner;
  exports: Exports;
  exportJobs: ExportJobs;
  /** Puts a sample into the vault and the library. @returns its SHA-256 */
  keep(bytes: Uint8Array): Promise<string>;
  /** The job when it is over or halted. */
  ended(id: number): Promise<Job>;
  /** The journal's entries for a hash, oldest first: `export done one-zip`. */
  journalOf(hash: string): string[];
  close(): Promise<void>;
}

type ReadableVault = ConstructorParameters<typeof ExportJobs>[0]['vault'];

/** `reading` wraps the vault for the jobs. */
export async function createTestExports(
  at?: string,
  reading: (vault: Vault) => ReadableVault = (vault) => vault,
): Promise<TestExports> {
  const { base, stores, vault, close } = await openTestData(at, { wrap: withReadersHere });
  const folder = join(base, 'exports');
  await mkdir(folder, { recursive: true });
  const events = new EventHub();
  const { library } = stores;
  const exports = new Exports({ vault, library, notes: stores.fileNotes });
  const exportJobs: ExportJobs = new ExportJobs({
    computerId: stores.backups.installationId,
    vault: reading(vault),
    library,
    libraryReader: stores.libraryReader,
    items: stores.jobReader,
    exports,
    jobs: () => jobs,
  });
  const { jobs, throwDefects } = createTestJobs(stores, {
    runs: { export: exportJobs.run },
    interrupted: { export: (job) => exportJobs.cleanUp(job) },
    report: (payload) => events.emit({ name: 'job.changed', payload }),
  });
  return {
    folder,
    stores,
    vault,
    jobs,
    exports,
    exportJobs,
    keep: (bytes) => keepSample(vault, stores, bytes),
    ended: (id) => endedIn(jobs, id),
    journalOf: (hash) =>
      library
        .history(hash)
        .filter(({ operation }) => operation === 'export')
        .map(({ outcome, detail }) => `${outcome} ${detail['form']}`)
        .toReversed(),
    close: async () => {
      await jobs.close();
      await exports.close();
      await close();
      throwDefects();
    },
  };
}

/** Polls more often than a job is reported, which is ten times a second. */
const endedIn = (jobs: JobRunner, id: number): Promise<Job> => haltedJob(jobs, id, { interval: 2, timeout: 50_000 });

export const samples = (...sha256s: string[]): ExportSelection => ({ kind: 'samples', sha256s });

const run = promisify(execFile);
export async function unzipped(path: string, name: string, password = 'infected'): Promise<Buffer> {
  const { stdout } = await run('7z', ['e', '-so', `-p${password}`, path, name], {
    encoding: 'buffer',
    maxBuffer: 2 ** 28,
  });
  return stdout;
}

export async function testedBy7z(path: string, password = 'infected'): Promise<string> {
  return (await run('7z', ['t', `-p${password}`, path], { maxBuffer: 2 ** 26 })).stdout;
}
