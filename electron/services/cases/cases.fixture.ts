import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseOptions, CaseSelection } from '../../../shared/domain/case.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { EventHub } from '../../event-hub.ts';
import { haltedJob } from '../../jobs/halted-job.fixture.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Vault } from '../../vault/vault.ts';
import { withReadersHere } from '../testing/readers-here.fixture.ts';
import { openTestData } from '../testing/test-data.fixture.ts';
import { createTestJobs, keepSample } from '../testing/test-host.fixture.ts';
import { Cases, type CasesOptions } from './cases.ts';

/** Cases over real stores, a real vault and real jobs. */
export interface TestCases {
  /** Where cases go. */
  folder: string;
  stores: Stores;
  vault: Vault;
  jobs: JobRunner;
  cases: Cases;
  /** What the browser was offered last. */
  offered(): { fileName: string; open(): AsyncIterable<Uint8Array> };
  /** Puts a sample into the vault and the library. @returns its SHA-256 */
  keep(bytes: Uint8Array): Promise<string>;
  /** The job when it is over or halted. */
  ended(id: number): Promise<Job>;
  /** Begins a job and waits for its end. */
  written(selection: CaseSelection, options?: Partial<CaseOptions>): Promise<Job>;
  /** The one file in the folder. */
  text(): Promise<string>;
  /** What happens while rows of the journal are written, once. */
  onNoted(happens: () => void): void;
  /** The journal's entries for exports of a hash, oldest first: `done misp folder`. */
  journalOf(hash: string): string[];
  /** Cases without bytes that were reported to the page. */
  left: EventPayload<'cases.left'>[];
  close(): Promise<void>;
}

export const asked: CaseOptions = {
  format: 'csv',
  title: 'A case',
  author: '',
  tlp: null,
  vouched: true,
  include: { notes: true, comments: true, hits: true },
  samples: null,
};
export const named = (...hashes: string[]): CaseSelection => ({ kind: 'named', hashes });
export const everything: CaseSelection = { kind: 'query', terms: [], except: [] };

/** `at`: a folder that stays. `reading` wraps the vault for cases. */
export async function createTestCases(
  at?: string,
  reading: (vault: Vault) => CasesOptions['vault'] = (vault) => vault,
): Promise<TestCases> {
  const { base, stores, vault, close } = await openTestData(at, { wrap: withReadersHere });
  const folder = join(base, 'exports');
  await mkdir(folder, { recursive: true });
  const events = new EventHub();
  const left: EventPayload<'cases.left'>[] = [];
  events.subscribe((event) => {
    if (event.name === 'cases.left') left.push(event.payload);
  });
  const offers: ReturnType<TestCases['offered']>[] = [];
  let happens = (): void => {};
  const cases: Cases = new Cases({
    computerId: stores.backups.installationId,
    vault: reading(vault),
    events,
    library: {
      sample: (hash) => stores.library.sample(hash),
      recordExports: (hashes, note) => {
        stores.library.recordExports(hashes, note);
        happens();
        happens = () => {};
      },
    },
    reader: stores.libraryReader,
    comments: stores.comments,
    items: stores.jobReader,
    kept: stores.libraryChanges,
    workspaceIds: () => ['lab'],
    previews: async (sha256s) => {
      const previews = sha256s.map((sha256) => ({ sha256, type: 'text', strip: '140280' }));
      stores.library.keepPreviews(previews);
      return previews;
    },
    offer: (prepared) => {
      offers.push(prepared);
      return { kind: 'browser', id: 'once', fileName: prepared.fileName };
    },
    jobs: () => jobs,
  });
  const { jobs, throwDefects } = createTestJobs(stores, {
    runs: { 'case-export': cases.run },
    interrupted: { 'case-export': (job) => cases.cleanUp(job) },
    forgotten: (id) => cases.jobForgotten(id),
  });
  const ended = (id: number): Promise<Job> => haltedJob(jobs, id, { interval: 2, timeout: 100_000 });
  return {
    folder,
    stores,
    vault,
    jobs,
    cases,
    ended,
    left,
    onNoted: (once) => {
      happens = once;
    },
    offered: () => offers.at(-1) ?? expect.fail('nothing was offered'),
    keep: (bytes) => keepSample(vault, stores, bytes),
    written: async (selection, options = {}) =>
      ended((await cases.start({ selection, options: { ...asked, ...options } }, folder)).id),
    text: async () => {
      const [name, ...others] = await readdir(folder);
      expect(others).toEqual([]);
      return readFile(join(folder, name ?? expect.fail('no file')), 'utf8');
    },
    journalOf: (hash) =>
      stores.library
        .history(hash)
        .filter(({ operation }) => operation === 'export')
        .map(({ outcome, detail }) =>
          [
            outcome,
            detail['form'],
            detail['to'],
            ...(typeof detail['encryption'] === 'string' ? [detail['encryption']] : []),
          ].join(' '),
        )
        .toReversed(),
    close: async () => {
      await jobs.close();
      await close();
      throwDefects();
    },
  };
}
