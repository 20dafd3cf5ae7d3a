import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { operations } from '../shared/contract.ts';
import type { Theme, WhenClosed } from '../shared/domain/settings.ts';
import type { ServiceName } from '../shared/failure.ts';
import { tokenName } from './api/connections.ts';
import { buildServices } from './build-services.ts';
import { createDispatcher, type Dispatch } from './dispatcher.ts';
import { EventHub } from './event-hub.ts';
import { handlersOf } from './handlers.ts';
import type { Platform } from './platform/platform.ts';
import { openRuleLibrary } from './rules/rule-library.ts';
import type { Foundation, Services } from './services.ts';
import { RecentFailures } from './services/diagnostics/diagnostics.ts';
import type { Exports } from './services/exports/exports.ts';
import { DataPlace } from './storage/directory/data-lock.ts';
import { openStores, type Stores } from './storage/stores.ts';
import { openPackages } from './vault/packages.ts';
import { openStagedFacts } from './vault/staged-facts/staged-facts.ts';
import { openStaging, type Staging } from './vault/staging.ts';
import { openVault } from './vault/vault.ts';

export interface ComposeOptions {
  platform: Platform;
  /** Where exports go from the start; null when the person will be asked. */
  exportFolder: string | null;
  /**
   * false: for one command. Only requested work is done: no job of an earlier run continues, nothing is checked by
   * itself, and the lab is started at its first request.
   */
  background?: boolean;
}

/** Everything behind the transports. */
export interface Host {
  dispatch: Dispatch;
  events: EventHub;
  staging: Staging;
  exports: Exports;
  /** Of this program. */
  version: string;
  logDefect(id: string, operation: string, error: unknown): void;
  /** Whether the person wants notifications of what ended out of view. */
  wantsNotifications(): boolean;
  theme(): Theme;
  /** What closing the window comes to. */
  whenClosed(): WhenClosed;
  /** A token as if it were stored, until this host ends. It is in no log. */
  lendToken(workspaceId: string, service: ServiceName, token: string): void;
  /**
   * A folder that a person at a terminal named.
   *
   * @returns what operations name it by
   */
  nameFolder(path: string): string;
  /** Jobs that quitting would cut off. */
  runningJobs(): number;
  /**
   * What quitting would end: jobs, the path of the folder that is watched, and the automatic checks for rule updates.
   */
  backgroundWork(): { jobs: number; watchedFolder: string | null; checksRules: boolean };
  close(): Promise<void>;
}

/** Opens what lasts, builds the services over it and starts them. Fails with the stores' failures. */
export async function compose(options: ComposeOptions): Promise<Host> {
  const { dataDirectory, keychain } = options.platform;
  const stores = await openStores(dataDirectory, keychain);
  try {
    return await composeOver(stores, options);
  } catch (error) {
    stores.close();
    throw error;
  }
}

async function composeOver(
  stores: Stores,
  { platform, exportFolder, background = true }: ComposeOptions,
): Promise<Host> {
  const foundation = await openFoundation(stores, platform, exportFolder);
  const services = buildServices(foundation);
  const { events, failures, logDefect } = foundation;
  const place = new DataPlace({
    directory: platform.dataDirectory,
    file: stores.databasePath,
    lockFile: stores.lockPath,
    onChange: () => events.emit({ name: 'host.changed', payload: {} }),
    onLost: () => void endWork(services).catch((error: unknown) => logDefect(randomUUID(), 'data.lost', error)),
  });
  emitChanges(foundation);
  stores.log.write('info', 'started', { version: packageJson.version, platform: platform.kind });
  await startServices(services, background, logDefect);
  const { downloads, exports, library, jobs, watch, publications } = services;
  const runningJobs = (): number =>
    downloads.running + exports.running + library.forgetting + jobs.running + jobs.sleeping;
  return {
    dispatch: createDispatcher(handlersOf(services), logDefect, {
      requireReady: (name) => void (operations[name].reads || place.requireThere()),
      onFailure: (name, failure) => failures.note(name, failure),
    }),
    events,
    staging: foundation.staging,
    exports,
    version: packageJson.version,
    logDefect,
    wantsNotifications: () => stores.settings.read().values.notifications,
    theme: () => stores.settings.read().values.theme,
    whenClosed: () => stores.settings.read().values.whenClosed,
    lendToken: (workspaceId, service, token) => {
      stores.log.addSecret(token);
      stores.tokens.lend(tokenName(workspaceId, service), token);
    },
    nameFolder: (path) => services.host.nameFolder(path),
    runningJobs,
    backgroundWork: () => ({
      jobs: runningJobs(),
      watchedFolder: watch.watchedFolder,
      checksRules: publications.checksByItself,
    }),
    close: async () => {
      place.close();
      await endWork(services);
      await closeAll(foundation, services);
    },
  };
}

async function openFoundation(stores: Stores, platform: Platform, exportFolder: string | null): Promise<Foundation> {
  const vault = await openVault(join(platform.dataDirectory, 'vault'), stores.packs);
  const staging = await openStaging(join(platform.dataDirectory, 'staging'));
  return {
    platform,
    stores,
    vault,
    staging,
    facts: openStagedFacts(staging),
    largeFacts: openStagedFacts(staging, { threads: 1 }),
    packages: await openPackages(join(platform.dataDirectory, 'packages')),
    ruleLibrary: openRuleLibrary(),
    events: new EventHub(),
    exportFolder,
    failures: new RecentFailures(),
    logDefect: (id, operation, error) => stores.log.defect(id, operation, error),
  };
}

function emitChanges({ stores, events }: Foundation): void {
  stores.watchLibrary(() => events.emit({ name: 'library.changed', payload: {} }));
  stores.watchJournal(() => events.emit({ name: 'journal.changed', payload: {} }));
  stores.tokens.onChange((payload) => events.emit({ name: 'secrets.changed', payload }));
  events.subscribe((event) => {
    if (event.name === 'lab.changed') stores.log.write('info', 'lab', event.payload);
  });
}

/** Finishes what an earlier run left, then starts the services in the order in which they depend on each other. */
async function startServices(
  { library, lab, comments, scans, additions, uploads, publications, jobs, watch, wordPass, exports }: Services,
  background: boolean,
  logDefect: Foundation['logDefect'],
): Promise<void> {
  if (background)
    await library.finishForgetting().catch((error: unknown) => logDefect(randomUUID(), 'library.forget', error));
  if (background) lab.start();
  comments.start();
  scans.restore();
  additions.restore();
  await uploads.start({ resumesUnfinished: background });
  await publications.start({ resumesUnfinished: background });
  jobs.start({ resumesUnfinished: background });
  watch.start({ resumesUnfinished: background });
  if (background) void wordPass.start();
  void exports.files.removeLeft().catch((error: unknown) => logDefect(randomUUID(), 'exports', error));
}

/** Together: a download may be waiting for the lab to start, which it no longer will. */
const endWork = (services: Services): Promise<unknown> =>
  Promise.all([
    services.watch.close(),
    services.bundles.close(),
    services.jobs.close(),
    services.downloads.close(),
    services.exports.close(),
    services.uploads.close(),
    services.comments.close(),
    services.publications.close(),
    services.trials.close(),
    services.ruleCosts.close(),
    services.library.close(),
    services.wordPass.close(),
    services.lab.close(),
  ]);

/** What reads files and the database is closed before them. */
async function closeAll(
  { stores, staging, vault, facts, largeFacts, ruleLibrary, packages }: Foundation,
  { scans, ruleTrials, scanWorkers, sampleBytes, previews, storage, dataMoves }: Services,
): Promise<void> {
  scans.close();
  await ruleTrials.close();
  await scanWorkers.close();
  await sampleBytes.close();
  await previews.close();
  await Promise.all([storage.close(), dataMoves.close()]);
  await Promise.all([facts.close(), largeFacts.close(), ruleLibrary.close(), packages.close()]);
  await staging.close();
  await vault.close();
  await Promise.all([stores.jobReader.close(), stores.libraryReader.close(), stores.journalReader.close()]);
  stores.close();
}
