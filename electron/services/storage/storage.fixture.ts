import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Job, JobItem } from '../../../shared/domain/job.ts';
import { EventHub } from '../../event-hub.ts';
import { haltedJob } from '../../jobs/halted-job.fixture.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Vault } from '../../vault/vault.ts';
import { DamageNotes } from '../damage-notes.ts';
import { jobItems } from '../testing/job-items.fixture.ts';
import { Library } from '../library/library.ts';
import { RecordReading } from '../library/record-reading.ts';
import { SamplePreviews } from '../previews/sample-previews.ts';
import { openTestData } from '../testing/test-data.fixture.ts';
import { createTestJobs } from '../testing/test-host.fixture.ts';
import { Backups } from './backups.ts';
import { StorageUpkeep } from './storage-upkeep.ts';

/** The upkeep of local storage, over real stores, a real vault and real jobs. */
export interface TestStorage {
  /** The data directory. */
  data: string;
  stores: Stores;
  vault: Vault;
  jobs: JobRunner;
  storage: StorageUpkeep;
  backups: Backups;
  library: Library;
  /** What the person chooses, or was said at the start where there is no picker. */
  backupFolder: { path: string | null; hasPicker: boolean };
  watchedFolder: { path: string | null };
  previews: SamplePreviews;
  /** How often a change of the library was reported to the page. */
  changes(): number;
  /** What a test reports as busy. */
  busy: { is: boolean };
  /** Puts samples into the vault and the library, small ones together in packs. @returns their SHA-256s */
  keep(samples: readonly Uint8Array[]): Promise<string[]>;
  alter(sha256: string): Promise<void>;
  over(id: number): Promise<Job>;
  items(id: number): Promise<JobItem[]>;
  close(): Promise<void>;
}

export async function createTestStorage(at?: string): Promise<TestStorage> {
  const { data, stores, vault, close } = await openTestData(at, { inside: '' });
  const events = new EventHub();
  const { library } = stores;
  let changes = 0;
  stores.watchLibrary(() => {
    changes += 1;
  });
  const damage = new DamageNotes(library);
  vault.onDamage((sha256, how) => damage.note(sha256, how));
  const busy = { is: false };
  const knowing: Library = new Library({
    store: library,
    reader: stores.libraryReader,
    changes: stores.libraryChanges,
    views: stores.views,
    vault,
    events,
    records: new RecordReading({
      store: library,
      connect: () => Promise.reject(new TypeError('nobody is asked')),
      slots: new WorkspaceSlots(() => 1),
    }),
    known: (hash) => stores.triages.known(hash),
    items: stores.jobReader,
    isCleaningUp: () => storage.isCleaningUp || backups.isRunning,
    jobs: () => jobs,
  });
  const backupFolder = { path: null, hasPicker: true };
  const watchedFolder: { path: string | null } = { path: null };
  const storage: StorageUpkeep = new StorageUpkeep({
    dataDirectory: data,
    vault,
    library,
    checks: stores.vaultChecks,
    finishForgetting: () => knowing.finishForgetting(),
    isBusy: () => busy.is || jobs.running > 0,
    jobs: () => jobs,
  });
  const backups: Backups = new Backups({
    platform: {
      dataDirectory: data,
      chooseFolder: async () => backupFolder.path,
      get capabilities() {
        return {
          chooseFolder: backupFolder.hasPicker,
          openFolders: false,
          browserDownload: true,
          windowControls: false,
          notifications: false,
          staysInTray: false,
          restarts: false,
        };
      },
    },
    version: '1.0.0',
    store: stores.backups,
    vault,
    watchedFolder: () => watchedFolder.path,
    areBytesGoing: () => storage.isCleaningUp || knowing.forgetting > 0,
    jobs: () => jobs,
  });
  const previews = new SamplePreviews({ vault, library });
  const { jobs, throwDefects } = createTestJobs(stores, {
    runs: {
      'vault-check': (work) => storage.run(work),
      'library-change': (work) => knowing.run(work),
      backup: (work) => backups.run(work),
    },
  });
  jobs.start();
  return {
    data,
    stores,
    vault,
    jobs,
    storage,
    backups,
    library: knowing,
    backupFolder,
    watchedFolder,
    previews,
    busy,
    changes: () => changes,
    keep: (samples) => keepIn(vault, stores, samples),
    alter: async (sha256) => {
      const { packed, path } = vault.sourceOf(sha256);
      await flipByte(packed?.path ?? path, (packed?.at ?? 0) + 70);
    },
    over: (id) => haltedJob(jobs, id),
    items: async (id) => jobItems(stores, id),
    close: async () => {
      await jobs.close();
      await previews.close();
      await storage.close();
      await close();
      throwDefects();
    },
  };
}

async function keepIn(vault: Vault, { library }: Stores, samples: readonly Uint8Array[]): Promise<string[]> {
  const batch = vault.batch();
  const stored = await Promise.all(
    samples.map((bytes) =>
      batch.add(
        { bytes: new Uint8Array(bytes), encoding: 'identity', sizeBytes: bytes.length, crc32: null },
        { md5: null, sha256: null },
      ),
    ),
  );
  await batch.commit((kept) =>
    library.recordDownloads(
      kept.map(({ md5, sha1, sha256, sizeBytes }) => ({
        workspaceId: 'team',
        md5,
        hashes: { md5, sha1, sha256 },
        sizeBytes,
        outcome: 'done',
      })),
    ),
  );
  await nextTurn();
  return stored.map(({ sha256 }) => sha256);
}

async function flipByte(path: string, position: number): Promise<void> {
  const file = await open(path, 'r+');
  const one = Buffer.alloc(1);
  await file.read(one, 0, 1, position);
  await file.write(Buffer.from([(one[0] ?? 0) ^ 1]), 0, 1, position);
  await file.close();
}
