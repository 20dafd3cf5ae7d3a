import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import type { Handlers } from '../shared/contract.ts';
import { defaultTimeouts } from '../shared/domain/workspace.ts';
import { createConnect } from './api/connections.ts';
import { createDispatcher, type Dispatch } from './dispatcher.ts';
import { EventHub } from './event-hub.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { WorkspaceSlots } from './jobs/workspace-slots.ts';
import type { Platform } from './platform/platform.ts';
import { BulkDownloads } from './services/downloads/bulk/bulk-downloads.ts';
import { Downloads } from './services/downloads/downloads.ts';
import { ExportJobs } from './services/exports/export-jobs.ts';
import { Exports } from './services/exports/exports.ts';
import { HostService } from './services/host.ts';
import { LabSupervisor } from './services/lab-supervisor.ts';
import { Samples } from './services/samples.ts';
import { Workspaces } from './services/workspaces.ts';
import { openStores, type Stores } from './storage/stores.ts';
import { openStaging, type Staging } from './vault/staging.ts';
import { openVault } from './vault/vault.ts';

export interface ComposeOptions {
  platform: Platform;
  /** Where exports go from the start; null when the person will be asked. */
  exportFolder: string | null;
}

/** Everything behind the transports. */
export interface Host {
  dispatch: Dispatch;
  events: EventHub;
  staging: Staging;
  exports: Exports;
  logDefect(id: string, operation: string, error: unknown): void;
  /** Jobs that quitting would cut off. */
  runningJobs(): number;
  close(): Promise<void>;
}

/** Builds the services, fills their ports and maps each operation to one line. Fails with the stores' failures. */
export async function compose({ platform, exportFolder }: ComposeOptions): Promise<Host> {
  const stores = await openStores(platform.dataDirectory, platform.keychain);
  try {
    return await composeOver(stores, platform, exportFolder);
  } catch (error) {
    stores.close();
    throw error;
  }
}

async function composeOver(stores: Stores, platform: Platform, exportFolder: string | null): Promise<Host> {
  const { log, settings, tokens, workspaces: workspaceStore, library, journal } = stores;
  const events = new EventHub();
  const keepOutOfLogs = (secret: string): void => log.addSecret(secret);
  const logDefect = (id: string, operation: string, error: unknown): void => log.defect(id, operation, error);
  const proxyFor = (address: string): Promise<string | null> => platform.proxyFor(address);

  const vault = await openVault(join(platform.dataDirectory, 'vault'), stores.packs);
  const staging = await openStaging(join(platform.dataDirectory, 'staging'));
  const lab = new LabSupervisor({ platform, events, dataDirectory: join(platform.dataDirectory, 'lab'), keepOutOfLogs });
  const connect = createConnect({
    workspace: (id) => workspaceStore.get(id),
    token: (name) => tokens.get(name),
    lab: () => lab.address(),
    labTimeouts: defaultTimeouts,
    proxyFor,
    keepOutOfLogs,
  });
  const host = new HostService({ platform, version: packageJson.version, exportFolder, logPath: log.path });
  const samples = new Samples({ connect, library, events });
  const downloads = new Downloads({ connect, vault, library, events, platform, logDefect });
  const exports = new Exports({ vault, library, events });
  const bulk = new BulkDownloads({
    connect, vault, library, events, slots: new WorkspaceSlots(() => settings.read().values.bulkConnections), settings: () => settings.read().values,
  });
  const exportJobs = new ExportJobs({ vault, library, events, items: stores.jobReader, downloads: exports, queue: () => jobs });
  const jobs = new JobRunner({
    store: stores.jobs,
    runs: { 'bulk-download': (work) => bulk.run(work), export: (work) => exportJobs.run(work) },
    interrupted: { export: (job) => exportJobs.cleanUp(job) },
    tell: (payload) => events.emit({ name: 'job.changed', payload }),
    forgotten: (id) => events.emit({ name: 'job.forgotten', payload: { id } }),
    keepAwake: () => platform.keepAwake(),
    logDefect,
  });
  const workspaces = new Workspaces({ workspaces: workspaceStore, settings, tokens, events, connect, proxyFor, keepOutOfLogs });
  tokens.onChange((payload) => events.emit({ name: 'secrets.changed', payload }));

  const handlers: Handlers = {
    'host.describe': async () => host.describe({ secrets: tokens.state(), lab: lab.state }),
    'host.openDataFolder': async () => (await host.openDataFolder(), {}),
    'host.openLog': async () => (await host.openLog(), {}),
    'host.chooseExportFolder': () => host.chooseExportFolder(),
    'settings.read': async () => settings.read(),
    'settings.change': async (change) => ({ values: settings.change(change) }),
    'secrets.create': ({ passphrase }) => tokens.create(passphrase),
    'secrets.unlock': ({ passphrase }) => tokens.unlock(passphrase),
    'workspaces.list': () => workspaces.list(),
    'workspaces.add': (draft) => workspaces.add(draft),
    'workspaces.edit': ({ id, draft }) => workspaces.edit(id, draft),
    'workspaces.remove': async ({ id, forgetLibrary }) => {
      await workspaces.remove(id, forgetLibrary);
      await Promise.all([downloads.cancelAllOf(id), jobs.cancelAllOf(id)]);
      return {};
    },
    'workspaces.switch': async ({ id }) => (workspaces.switch(id), {}),
    'workspaces.test': async ({ id, draft }) => ({ tests: await workspaces.test(id, draft) }),
    'samples.lookup': ({ workspaceId, hash }) => samples.lookup(workspaceId, hash),
    'samples.history': async ({ hash }) => ({ rows: samples.history(hash) }),
    'samples.exportZip': (request) => (request.to === 'folder' ? exports.toFolder(request, host.exportFolder) : exports.forBrowser(request)),
    'downloads.start': async ({ workspaceId, md5 }) => downloads.start(workspaceId, md5),
    'downloads.cancel': async ({ id }) => (downloads.cancel(id), {}),
    'downloads.list': async () => ({ downloads: downloads.list() }),
    'bulk.check': async ({ hashes }) => ({ verdicts: await bulk.check(hashes) }),
    'bulk.create': async ({ workspaceId }) => ({ id: jobs.create({ kind: 'bulk-download' }, workspaceId) }),
    'bulk.add': async ({ id, hashes }) => ({ items: await bulk.addTo(jobs, id, hashes) }),
    'bulk.start': async ({ id }) => jobs.begin(id),
    'jobs.list': async () => ({ jobs: jobs.list() }),
    'jobs.items': (request) => stores.jobReader.items(request),
    'jobs.pause': async ({ id }) => (jobs.pause(id), {}),
    'jobs.resume': async ({ id }) => (jobs.resume(id), {}),
    'jobs.cancel': async ({ id }) => (jobs.cancel(id), {}),
    'jobs.retry': async ({ id, states }) => (jobs.retry(id, states), {}),
    'jobs.forget': async ({ id }) => (jobs.forget(id), {}),
    'jobs.exportItems': ({ to, ...file }) => exportJobs.itemsFile(file, to, host.exportFolder),
    'exports.start': ({ selection, as }) => exportJobs.start(selection, as, host.exportFolder),
    'exports.prepare': ({ selection, ...protection }) => exportJobs.prepare(selection, protection),
    'library.count': async () => library.count(),
    'journal.verify': () => journal.verifyInSteps(),
    'lab.specimens': async () => ({ specimens: lab.specimens }),
  };

  events.subscribe((event) => {
    if (event.name === 'lab.changed') log.write('info', 'lab', event.payload);
  });
  log.write('info', 'started', { version: packageJson.version, platform: platform.kind });
  lab.start();
  jobs.start();
  return {
    dispatch: createDispatcher(handlers, logDefect),
    events,
    staging,
    exports,
    logDefect,
    runningJobs: () => downloads.running + exports.running + jobs.running,
    close: async () => {
      // Together: a download may be waiting for the lab to come up, which it will not any more.
      await Promise.all([jobs.close(), downloads.close(), exports.close(), lab.close()]);
      await staging.close();
      await vault.close();
      await stores.jobReader.close();
      stores.close();
    },
  };
}
