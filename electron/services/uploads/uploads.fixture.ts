import { join } from 'node:path';
import { isAtRest, type Job, type JobItem } from '../../../shared/domain/job.ts';
import type { ArchiveLimits } from '../../../shared/domain/opened-archive.ts';
import { defaultSettings, type Settings } from '../../../shared/domain/settings.ts';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { defaultRepositoryOptions, type RepositoryOptions } from '../../../shared/domain/workspace.ts';
import { type Failure, FailureError, type FailureKind } from '../../../shared/failure.ts';
import type { Timing } from '../../api/limits.ts';
import { EventHub } from '../../event-hub.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import { openStores, type Stores } from '../../storage/stores.ts';
import { migratedData } from '../../storage/testing/migrated-data.fixture.ts';
import { openStagedFacts, type StagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import { openStaging, type Staging } from '../../vault/staging.ts';
import { jobItems } from '../testing/job-items.fixture.ts';
import { connectTo, createTestJobs } from '../testing/test-host.fixture.ts';
import { Uploads } from './uploads.ts';

export const team = 'team';

export interface TestUploadsOptions {
  folder: string;
  baseUrl: string;
  settings?: Partial<Settings>;
  repository?: Partial<RepositoryOptions>;
  token?: string;
  /** Wrappers between the services and the real parts. */
  staging?(real: Staging): Staging;
  facts?(real: StagedFacts): StagedFacts;
  jobs?(real: JobRunner): Pick<JobRunner, 'create' | 'add' | 'begin' | 'forget'>;
  connectFailure?: Failure;
  archiveLimits?: ArchiveLimits;
  /** Workspaces there are; all, where it is left out. */
  workspaces?: readonly string[];
  /** What records showed of how comments are decoded. */
  learnt?: boolean[];
}

/** Uploads over real stores, real staged files, real threads and real jobs. */
export interface TestUploads {
  options: TestUploadsOptions;
  stores: Stores;
  staging: Staging;
  uploads: Uploads;
  jobs: JobRunner;
  slept: number[];
  defects: unknown[];
  /** How often it reported that the draft changed. */
  reported: number;
  /** What it reported of the repository that was asked about files of the draft: why it did not answer, or null. */
  heard: (FailureKind | null)[];
  add(files: Record<string, Uint8Array | string>, workspaceId?: string): Promise<number[]>;
  files(): UploadFile[];
  itemsOf(id: number): Promise<JobItem[]>;
  /** The journal's entries for a hash, oldest first. */
  journalOf(hash: string): { operation: string; outcome: string; detail: unknown }[];
  close(): Promise<void>;
}

/** Threads take a moment to start: one pair of them reads for every set-up of a process. */
const stagings = new Set<Staging>();
const anyStaging: Pick<Staging, 'sourceOf'> = {
  sourceOf: (id) => [...stagings].map((staging) => staging.sourceOf(id)).find((source) => source !== null) ?? null,
};
const sharedFacts = openStagedFacts(anyStaging);
const sharedLargeFacts = openStagedFacts(anyStaging, { threads: 1 });

/** Pauses are written down and take no time, but that others have their turn. */
function quickTiming(slept: number[]): Timing {
  return {
    now: () => performance.now(),
    date: () => Date.now(),
    random: () => 1,
    sleep: async (milliseconds, signal) => {
      slept.push(milliseconds);
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
  };
}

export async function createTestUploads(options: TestUploadsOptions): Promise<TestUploads> {
  const { folder } = options;
  const stores = await openStores(migratedData(join(folder, 'data')), null);
  const realStaging = await openStaging(join(folder, 'data', 'staging'));
  const staging = options.staging?.(realStaging) ?? realStaging;
  stagings.add(staging);
  const factsOf = (real: StagedFacts): StagedFacts => options.facts?.(real) ?? real;
  const events = new EventHub();
  const defects: unknown[] = [];
  const slept: number[] = [];
  const uploads = uploadsOver({
    options,
    stores,
    staging,
    facts: factsOf(sharedFacts),
    largeFacts: factsOf(sharedLargeFacts),
    events,
    slept,
    defects,
    jobs: () => options.jobs?.(jobs) ?? jobs,
  });
  const { jobs } = createTestJobs(stores, {
    runs: { upload: (work) => uploads.run(work) },
    forgotten: (id) => void uploads.jobForgotten(id).catch((error: unknown) => defects.push(error)),
    logDefect: (_id, _operation, error) => void defects.push(error),
  });
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await Promise.all([jobs.close(), uploads.close()]);
    stagings.delete(staging);
    await staging.close();
    await stores.jobReader.close();
    stores.close();
  };
  const setup: TestUploads = {
    options,
    stores,
    staging,
    uploads,
    jobs,
    defects,
    slept,
    reported: 0,
    heard: [],
    add: async (files, workspaceId = team) => {
      const staged: { id: string; path: string }[] = [];
      for (const [path, bytes] of Object.entries(files))
        staged.push({ id: (await staging.stageStream(nameIn(path), once(bytes))).id, path: folderIn(path) });
      return uploads.add(workspaceId, staged);
    },
    files: () => uploads.files(team, 0, 10_000).files,
    itemsOf: async (id) => jobItems(stores, id),
    journalOf: (hash) =>
      stores.library
        .history(hash)
        .map(({ operation, outcome, detail }) => ({ operation, outcome, detail }))
        .toReversed(),
    close: () => (closing ??= close()),
  };
  events.subscribe((event) => {
    setup.reported += Number(event.name === 'uploads.changed');
    if (event.name === 'uploads.asked') setup.heard.push(event.payload.failure?.kind ?? null);
  });
  await uploads.start();
  jobs.start();
  return setup;
}

interface Parts {
  options: TestUploadsOptions;
  stores: Stores;
  staging: Staging;
  facts: StagedFacts;
  largeFacts: StagedFacts;
  events: EventHub;
  slept: number[];
  defects: unknown[];
  jobs(): Pick<JobRunner, 'create' | 'add' | 'begin' | 'forget'>;
}

function uploadsOver({ options, stores, slept, defects, ...parts }: Parts): Uploads {
  const settings = { ...defaultSettings, ...options.settings };
  return new Uploads({
    ...parts,
    store: stores.uploads,
    library: stores.library,
    slots: new WorkspaceSlots(() => settings.bulkConnections),
    settings: () => settings,
    connect: async (...asked) => {
      if (options.connectFailure) throw new FailureError(options.connectFailure);
      return connectTo(options.baseUrl, { token: options.token ?? 'token-of-tests' })(...asked);
    },
    repositoryOptions: (id) =>
      options.workspaces?.includes(id) === false ? null : { ...defaultRepositoryOptions, ...options.repository },
    decodingLearnt: (_, decodes) => options.learnt?.push(decodes),
    logDefect: (error) => void defects.push(error),
    timing: quickTiming(slept),
    ...(options.archiveLimits && { archiveLimits: options.archiveLimits }),
  });
}

async function* once(bytes: Uint8Array | string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(bytes);
}

const nameIn = (path: string): string => path.split('/').at(-1) ?? path;
const folderIn = (path: string): string => path.split('/').slice(0, -1).join('/');

/** The job when nothing of it runs any more. */
export async function ended(setup: TestUploads, id: number): Promise<Job> {
  for (;;) {
    const job = setup.jobs.get(id);
    if (isAtRest(job) && setup.jobs.running === 0) return job;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
