import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { AddedFile } from '../../../shared/domain/addition.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { ArchiveLimits } from '../../../shared/domain/opened-archive.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { haltedJob } from '../../jobs/halted-job.fixture.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { Stores } from '../../storage/stores.ts';
import { openStagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import { openStaging, type Staging } from '../../vault/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import { openTestData } from '../testing/test-data.fixture.ts';
import { createTestJobs } from '../testing/test-host.fixture.ts';
import { Additions } from './additions.ts';

export interface TestAdditions {
  /** Of this set-up; files that are added are in `files` below it. */
  base: string;
  stores: Stores;
  vault: Vault;
  staging: Staging;
  jobs: JobRunner;
  additions: Additions;
  defects: unknown[];
  /** SHA-256s of samples whose type was made. */
  looked: string[];
  /** Writes files and adds them where they are. @returns the number of the job, which is begun */
  add(files: Record<string, Uint8Array>, options?: AddOptions): Promise<number>;
  ended(id: number): Promise<Job>;
  /** All rows of a job, as `name: state`; members with their archive before them. */
  outcomes(id: number): string[];
  files(id: number): AddedFile[];
  /** What was added: all rows of the journal, oldest first. */
  journal(): Promise<string[]>;
  close(): Promise<void>;
}

export interface AddOptions {
  opensArchives?: boolean;
  passwords?: readonly string[];
}

export interface SetUp {
  /** Of an earlier set-up, which is closed; it is removed by that one. */
  base?: string;
  archiveLimits?: ArchiveLimits;
  resumesUnfinished?: boolean;
}

/** Additions over real stores, a real vault and real jobs. */
export async function createTestAdditions({
  base = temporaryFolder(),
  archiveLimits,
  resumesUnfinished = true,
}: SetUp = {}): Promise<TestAdditions> {
  const { data, stores, vault, close: closeData } = await openTestData(base);
  const staging = await openStaging(join(data, 'staging'));
  const facts = openStagedFacts(staging);
  const [defects, looked]: [unknown[], string[]] = [[], []];
  const additions: Additions = new Additions({
    vault,
    staging,
    facts,
    store: stores.additions,
    library: stores.library,
    settings: () => stores.settings.read().values,
    makePreviews: async (sha256s) => void looked.push(...sha256s),
    jobs: () => jobs,
    ...(archiveLimits && { archiveLimits }),
  });
  const { jobs } = createTestJobs(stores, {
    runs: { 'library-add': (work) => additions.run(work) },
    forgotten: (id) => void additions.jobForgotten(id).catch((error: unknown) => defects.push(error)),
    logDefect: (_id, _operation, error) => void defects.push(error),
  });
  additions.restore();
  await staging.sweep();
  jobs.start({ resumesUnfinished });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await jobs.close();
    await facts.close();
    await staging.close();
    await closeData();
  };
  onTestFinished(async () => {
    await close();
    expect(defects).toEqual([]);
  });
  return {
    base,
    stores,
    vault,
    staging,
    jobs,
    additions,
    defects,
    looked,
    close,
    add: async (files, options) => begun({ base, staging, additions }, files, options),
    ended: (id) => haltedJob(jobs, id),
    files: (id) => additions.added(id, { toSee: false, offset: 0, limit: 1000 }).files,
    outcomes: (id) =>
      additions
        .added(id, { toSee: false, offset: 0, limit: 1000 })
        .files.map(
          (file) =>
            `${file.path}${file.path === '' || file.path.endsWith('!') ? '' : '/'}${file.name}: ${wordsOf(file)}`,
        ),
    journal: async () => {
      const filter = { operations: ['add' as const], workspaceId: null, find: '', from: null, before: null };
      const { lines } = await stores.journalReader.list({ filter, offset: 0, limit: 1000 });
      return lines.map(({ row }) => `${row?.outcome} ${row?.detail['name']}`).toReversed();
    },
  };
}

const wordsOf = ({ state, failure, archive }: AddedFile): string =>
  [
    state,
    failure?.kind,
    archive && `(${archive.state} ${archive.members}${archive.failure === null ? '' : ` ${archive.failure.kind}`})`,
  ]
    .filter((word) => word !== null && word !== undefined)
    .join(' ');

async function begun(
  { base, staging, additions }: Pick<TestAdditions, 'base' | 'staging' | 'additions'>,
  files: Record<string, Uint8Array>,
  { opensArchives = true, passwords = [] }: AddOptions = {},
): Promise<number> {
  const staged: { id: string; path: string }[] = [];
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(base, 'files', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    staged.push({ id: (await staging.stagePath(path)).id, path: name.includes('/') ? dirname(name) : '' });
  }
  const job = additions.draft(opensArchives);
  additions.addFiles(job, staged);
  return additions.begin(job, passwords).id;
}
