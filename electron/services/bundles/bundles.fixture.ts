import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { BundleFacts, BundleOpening } from '../../../shared/domain/bundle.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { EventHub } from '../../event-hub.ts';
import { haltedJob } from '../../jobs/halted-job.fixture.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { Stores } from '../../storage/stores.ts';
import { openPackages, type Packages } from '../../vault/packages.ts';
import { openStaging, type Staging } from '../../vault/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import { noteSamples, openTestData } from '../testing/test-data.fixture.ts';
import { createTestJobs, keepSample } from '../testing/test-host.fixture.ts';
import type { BundleRequest } from './bundle-exports.ts';
import { Bundles } from './bundles.ts';

/** Bundles over real stores, a real vault and real jobs. */
export interface TestBundles {
  base: string;
  /** Where bundles go. */
  folder: string;
  stores: Stores;
  vault: Vault;
  staging: Staging;
  packages: Packages;
  jobs: JobRunner;
  bundles: Bundles;
  /** Openings that were reported to the page. */
  reported: (BundleOpening | null)[];
  /** Packages that were brought, as the bundle called them: their bytes. */
  brought: Map<string, Buffer>;
  /** Those there are. */
  workspaces: Set<string>;
  /** What a browser would fetch. */
  offered: (() => AsyncIterable<Uint8Array>)[];
  /** Puts a sample into the vault and the library. @returns its SHA-256 */
  keep(bytes: Uint8Array): Promise<string>;
  /** So many samples without bytes. @returns their SHA-256s */
  know(count: number): string[];
  /** The job when it is over or halted. */
  ended(id: number): Promise<Job>;
  /** A bundle of samples in a file. @returns its path */
  written(hashes: string[], more?: Partial<BundleRequest>): Promise<string>;
  /** A bundle that was looked through. */
  opened(path: string, passphrase?: string): Promise<BundleOpening>;
  /** One that was, and was found sound. */
  looked(path: string): Promise<BundleFacts>;
  /** Looks a bundle through and takes it in. */
  takenIn(path: string): Promise<Job>;
  close(): Promise<void>;
}

export const passphrase = 'correct horse battery staple';
export const workspaceId = 'lab';
export const named = (...hashes: string[]): LibrarySelection => ({ kind: 'named', hashes });
export const requestFor = (hashes: string[], more: Partial<BundleRequest> = {}): BundleRequest => ({
  selection: named(...hashes),
  parts: { samples: true, notes: true, threads: true, rules: false },
  title: 'a title',
  author: 'Ada',
  passphrase,
  workspaceId,
  ...more,
});

/** An expectation that fails every few milliseconds takes the processor from what is waited for. */
const unfinished = new Error('a bundle is being looked through');

/** `at`: a folder that stays; else one of its own. */
export async function createTestBundles(at?: string): Promise<TestBundles> {
  const { base, data, stores, vault, close } = await openTestData(at);
  const folder = join(base, 'exports');
  await mkdir(folder, { recursive: true });
  const staging = await openStaging(join(data, 'staging'));
  const packages = await openPackages(join(data, 'packages'));
  const events = new EventHub();
  const [defects, reported, offered]: [unknown[], (BundleOpening | null)[], (() => AsyncIterable<Uint8Array>)[]] = [
    [],
    [],
    [],
  ];
  const brought = new Map<string, Buffer>();
  const workspaces = new Set([workspaceId]);
  events.subscribe((event) => {
    if (event.name === 'bundles.changed') reported.push(event.payload.opening);
  });
  const bundles: Bundles = new Bundles({
    computerId: stores.backups.installationId,
    vault,
    staging,
    packages,
    events,
    path: stores.databasePath,
    store: stores.bundles,
    library: stores.library,
    libraryReader: stores.libraryReader,
    packageStore: stores.packages,
    tokens: stores.tokens,
    cost: { rounds: 4, blocks: 8, parallelism: 1 },
    keepOutOfLogs: () => {},
    workspaceIds: () => [...workspaces],
    addRules: async (_workspace, stagedId, version) => void brought.set(version, await bytesOf(staging.open(stagedId))),
    offer: (prepared) => ({
      kind: 'browser',
      id: String(offered.push(prepared.open) - 1),
      fileName: prepared.fileName,
    }),
    jobs: () => jobs,
    logDefect: (error) => {
      defects.push(error);
      return { kind: 'unexpected', id: randomUUID() };
    },
  });
  const { jobs, throwDefects } = createTestJobs(stores, {
    runs: {
      bundle: (work) => bundles.runMaking(work),
      'bundle-import': (work) => bundles.runImport(work),
    },
    interrupted: { bundle: (job) => bundles.cleanUp(job), 'bundle-import': () => {} },
    report: (payload) => events.emit({ name: 'job.changed', payload }),
  });
  jobs.start();
  const setup: TestBundles = {
    base,
    folder,
    stores,
    vault,
    staging,
    packages,
    jobs,
    bundles,
    reported,
    brought,
    offered,
    workspaces,
    keep: (bytes) => keepSample(vault, stores, bytes),
    know: (count) => noteSamples(stores, count),
    ended: (id) => haltedJob(jobs, id),
    async written(hashes, more) {
      const job = await setup.ended((await bundles.start(requestFor(hashes, more), folder)).id);
      expect(job).toMatchObject({ state: 'done' });
      return join(folder, job.task.kind === 'bundle' ? (job.task.result ?? '') : '');
    },
    async opened(path, words = passphrase) {
      const { id } = await staging.stagePath(path);
      await bundles.open(id, words);
      return vi.waitFor(
        () => {
          if (bundles.opening?.state === 'reading') throw unfinished;
          return bundles.opening ?? expect.fail('it is closed');
        },
        { timeout: 30_000, interval: 5 },
      );
    },
    async looked(path) {
      const opening = await setup.opened(path);
      return opening.facts ?? expect.fail(JSON.stringify(opening.failure));
    },
    async takenIn(path) {
      await setup.looked(path);
      return setup.ended(bundles.import(bundles.opening?.id ?? '', workspaceId).id);
    },
    async close() {
      await bundles.close();
      await jobs.close();
      await staging.close();
      await packages.close();
      await close();
      if (defects.length > 0) throw new AggregateError(defects, 'defects');
      throwDefects();
    },
  };
  return setup;
}

export async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(new Uint8Array(piece));
  return Buffer.concat(all);
}

/** A file of these bytes in a folder of the test set-up. */
export async function fileOf(setup: TestBundles, bytes: Uint8Array): Promise<string> {
  const path = join(setup.folder, randomUUID());
  await writeFile(path, bytes);
  return path;
}
