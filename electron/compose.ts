import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import type { Theme, WhenClosed } from '../shared/domain/settings.ts';
import type { ServiceName } from '../shared/failure.ts';
import { tokenName } from './api/connections.ts';
import { buildServices } from './build-services.ts';
import { createDispatcher, type Dispatch } from './dispatcher.ts';
import { EventHub } from './event-hub.ts';
import { handlersOf } from './handlers.ts';
import type { Platform } from './platform/platform.ts';
import { openRuleLibrary } from './rules/rule-library.ts';
import { readingOperations } from './reading-operations.ts';
import { RecentFailures } from './services/diagnostics/recent-failures.ts';
import type { Exports } from './services/exports/exports.ts';
import { DataPlace } from './storage/data-place.ts';
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
   * false: for one command. Only what is asked for is done: no job of an earlier run goes on, nothing is checked by
   * itself, and the lab is started when it is first asked.
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
  /** Whether the person wants to be told of what ended while they did not look. */
  wantsNotifications(): boolean;
  theme(): Theme;
  /** What closing the window comes to. */
  whenClosed(): WhenClosed;
  /** A token as if it were stored, until this host ends. It is in no log. */
  lendToken(workspaceId: string, service: ServiceName, token: string): void;
  /** A folder that somebody at a terminal named. @returns what operations name it by */
  nameFolder(path: string): string;
  /** Jobs that quitting would cut off. */
  runningJobs(): number;
  /**
   * What quitting would end: jobs, the path of the folder that is watched, and the checks for rule updates that nobody
   * asks for.
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
  const { log, tokens, jobReader, libraryReader, journalReader } = stores;
  const events = new EventHub();
  const logDefect = (id: string, operation: string, error: unknown): void => log.defect(id, operation, error);
  const vault = await openVault(join(platform.dataDirectory, 'vault'), stores.packs);
  const staging = await openStaging(join(platform.dataDirectory, 'staging'));
  const facts = openStagedFacts(staging);
  const largeFacts = openStagedFacts(staging, { threads: 1 });
  const packages = await openPackages(join(platform.dataDirectory, 'packages'));
  const ruleLibrary = openRuleLibrary();
  const failures = new RecentFailures();
  const services = buildServices({
    platform,
    stores,
    vault,
    staging,
    facts,
    largeFacts,
    packages,
    ruleLibrary,
    events,
    exportFolder,
    failures,
    logDefect,
  });
  const {
    lab,
    jobs,
    downloads,
    exports,
    uploads,
    comments,
    publications,
    scans,
    trials,
    ruleTrials,
    ruleCosts,
    scanLanes,
    sampleBytes,
    library,
    wordPass,
    looks,
    storage,
    dataMoves,
    watch,
    bundles,
    additions,
  } = services;

  // Together: a download may be waiting for the lab to come up, which it will not any more.
  const endWork = (): Promise<unknown> =>
    Promise.all([
      watch.close(),
      bundles.close(),
      jobs.close(),
      downloads.close(),
      exports.close(),
      uploads.close(),
      comments.close(),
      publications.close(),
      trials.close(),
      ruleCosts.close(),
      library.close(),
      wordPass.close(),
      lab.close(),
    ]);
  const place = new DataPlace({
    directory: platform.dataDirectory,
    file: stores.databasePath,
    lockFile: stores.lockPath,
    onChange: () => events.emit({ name: 'host.changed', payload: {} }),
    onLost: () => void endWork().catch((error: unknown) => logDefect(randomUUID(), 'data.lost', error)),
  });
  stores.watchLibrary(() => events.emit({ name: 'library.changed', payload: {} }));
  stores.watchJournal(() => events.emit({ name: 'journal.changed', payload: {} }));
  tokens.onChange((payload) => events.emit({ name: 'secrets.changed', payload }));
  events.subscribe((event) => {
    if (event.name === 'lab.changed') log.write('info', 'lab', event.payload);
  });
  const runningJobs = (): number => downloads.running + exports.running + library.forgetting + jobs.running;
  log.write('info', 'started', { version: packageJson.version, platform: platform.kind });
  if (background)
    await library.finishForgetting().catch((error: unknown) => logDefect(randomUUID(), 'library.forget', error));
  if (background) lab.start();
  comments.start();
  scans.restore();
  additions.restore();
  await uploads.start({ goesOn: background });
  await publications.start({ goesOn: background });
  jobs.start({ goesOn: background });
  watch.start({ goesOn: background });
  if (background) void wordPass.start();
  void exports.files.removeLeft().catch((error: unknown) => logDefect(randomUUID(), 'exports', error));
  return {
    dispatch: createDispatcher(handlersOf(services), logDefect, {
      requireReady: (name) => void (readingOperations.has(name) || place.requireThere()),
      onFailure: (name, failure) => failures.note(name, failure),
    }),
    events,
    staging,
    exports,
    version: packageJson.version,
    logDefect,
    wantsNotifications: () => stores.settings.read().values.notifications,
    theme: () => stores.settings.read().values.theme,
    whenClosed: () => stores.settings.read().values.whenClosed,
    lendToken: (workspaceId, service, token) => {
      log.addSecret(token);
      tokens.lend(tokenName(workspaceId, service), token);
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
      await endWork();
      scans.close();
      await ruleTrials.close();
      await scanLanes.close();
      await sampleBytes.close();
      await looks.close();
      await Promise.all([storage.close(), dataMoves.close()]);
      await Promise.all([facts.close(), largeFacts.close(), ruleLibrary.close(), packages.close()]);
      await staging.close();
      await vault.close();
      await Promise.all([jobReader.close(), libraryReader.close(), journalReader.close()]);
      stores.close();
    },
  };
}
