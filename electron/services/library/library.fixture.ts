import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { OperationRequest } from '../../../shared/contract.ts';
import { isFinalJob, type Job } from '../../../shared/domain/job.ts';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import { latestFirst, type LibrarySelection } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { EventHub } from '../../event-hub.ts';
import { haltedJob } from '../../jobs/halted-job.fixture.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import type { Stores } from '../../storage/stores.ts';
import type { StoredSample, Vault } from '../../vault/vault.ts';
import { withReadersHere } from '../testing/readers-here.fixture.ts';
import { noteSamples, openTestData } from '../testing/test-data.fixture.ts';
import { connectTo, createTestJobs, keepSample } from '../testing/test-host.fixture.ts';
import { Library } from './library.ts';
import { RecordReading } from './record-reading.ts';

/** A library over real stores, a real vault and real jobs. */
export interface TestLibrary {
  stores: Stores;
  vault: Vault;
  library: Library;
  jobs: JobRunner;
  /** Names of the events that the page received. */
  reported: string[];
  /** Whether a clean-up is reported as running. */
  cleaning: { is: boolean };
  /** One whose vault refuses to remove some. */
  over(vault: Pick<Vault, 'remove'>): Library;
  received(bytes: Uint8Array): Promise<StoredSample>;
  /** Samples of random bytes in the vault, under a tag. @returns their SHA-256s */
  keep(tag: string, count?: number): Promise<string[]>;
  /** So many samples under a tag whose bytes are not here. @returns their SHA-256s */
  know(tag: string, count: number): string[];
  listed(text: string): Promise<string[]>;
  total(text: string): Promise<number>;
  /** A request to forget everything a query finds, with the mark of the samples it finds now. */
  allOf(text: string): Promise<OperationRequest<'library.forget'>>;
  /** Resolves when a job no longer runs, with its state then. */
  ended(id: number | undefined): Promise<Job>;
  /**
   * Does it while another connection keeps the database from writing the local facts of a sample, or, null, anything.
   */
  unwritable(sha256: string | null, work: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

export const termsOf = (text: string): QueryTerm[] => {
  const read = readLibraryQuery(text, new Date());
  return read.kind === 'terms' ? read.terms : expect.fail(`not a query: ${text}`);
};
export const found = (text: string): LibrarySelection => ({ kind: 'query', terms: termsOf(text), except: [] });
export const named = (...hashes: string[]): LibrarySelection => ({ kind: 'named', hashes });

/** As the program has it, but for a test that makes the samples itself. */
export const testLimits = { change: 500, forget: 100, note: 50 };

/** `at`: a data directory that stays; else one of its own. `baseUrl`: of the repository that every workspace has. */
export async function createTestLibrary(at?: string, baseUrl = 'http://127.0.0.1:9'): Promise<TestLibrary> {
  const { data, stores, vault, close } = await openTestData(at, { inside: '', wrap: withReadersHere });
  const events = new EventHub();
  const reported: string[] = [];
  const cleaning = { is: false };
  events.subscribe(({ name }) => void reported.push(name));
  const over = (removing: Pick<Vault, 'remove'>): Library =>
    new Library({
      store: stores.library,
      reader: stores.libraryReader,
      changes: stores.libraryChanges,
      views: stores.views,
      vault: removing,
      events,
      records: new RecordReading({
        store: stores.library,
        connect: connectTo(baseUrl),
        slots: new WorkspaceSlots(() => 2),
      }),
      known: (hash) => stores.triages.known(hash),
      items: stores.jobReader,
      isCleaningUp: () => cleaning.is,
      jobs: () => jobs,
      most: testLimits,
    });
  const library = over(vault);
  const { jobs, throwDefects } = createTestJobs(stores, {
    runs: { 'library-change': (work) => library.run(work) },
  });
  const received = async (bytes: Uint8Array): Promise<StoredSample> => {
    const receiver = vault.receive();
    await receiver.write(bytes);
    return receiver.finish({ md5: null, sha256: null });
  };
  jobs.start();
  return {
    stores,
    vault,
    library,
    jobs,
    reported,
    cleaning,
    over,
    received,
    async keep(tag, count = 1) {
      const kept: string[] = [];
      for (let made = 0; made < count; made++) kept.push(await keepSample(vault, stores, randomBytes(64)));
      stores.library.tagSamples(kept, [tag], []);
      return kept;
    },
    know(tag, count) {
      const known = noteSamples(stores, count);
      stores.library.tagSamples(known, [tag], []);
      return known;
    },
    async listed(text) {
      const { rows } = await library.list({
        terms: termsOf(text),
        sort: latestFirst,
        moment: randomUUID(),
        offset: 0,
        limit: 1000,
      });
      return rows.map(({ hash }) => hash);
    },
    total: async (text) => (await library.totals({ queries: [termsOf(text)] })).totals[0]?.samples ?? 0,
    allOf: async (text) => ({
      selection: found(text),
      what: 'all',
      expected: await library.meant({ selection: found(text) }),
    }),
    async ended(id) {
      const job = await haltedJob(jobs, id ?? expect.fail('it is no job'));
      expect(job.counts.waiting).toEqual(isFinalJob(job) ? 0 : expect.anything());
      return job;
    },
    unwritable: (sha256, work) => unwritableIn(join(data, 'vitrine.db'), sha256, work),
    async close() {
      await jobs.close();
      await library.close();
      await close();
      throwDefects();
    },
  };
}

async function unwritableIn(path: string, sha256: string | null, work: () => Promise<unknown>): Promise<void> {
  const other = new DatabaseSync(path, { timeout: 5_000 });
  try {
    other.exec(
      sha256 === null
        ? 'BEGIN IMMEDIATE'
        : `CREATE TRIGGER refusing BEFORE UPDATE ON sample_own WHEN NEW.sha256 = '${sha256}' BEGIN
          SELECT raise(ABORT, 'refused'); END`,
    );
    await work();
    other.exec(sha256 === null ? 'ROLLBACK' : 'DROP TRIGGER refusing');
  } finally {
    other.close();
  }
}
