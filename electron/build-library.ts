import { labWorkspaceId } from '../shared/domain/workspace.ts';
import type { Connections } from './build-connections.ts';
import { defectLog, type Foundation, type Services } from './services.ts';
import { Additions } from './services/additions/additions.ts';
import { Bundles } from './services/bundles/bundles.ts';
import { Cases } from './services/cases/cases.ts';
import type { Exports } from './services/exports/exports.ts';
import { JournalService } from './services/journal/journal-service.ts';
import { Library } from './services/library/library.ts';
import { RecordReading } from './services/library/record-reading.ts';
import { Triages } from './services/library/triages.ts';
import { SamplePreviews } from './services/previews/sample-previews.ts';
import { Samples } from './services/samples.ts';
import { Servers } from './services/servers.ts';

/** What reads and changes the samples of this computer, and writes them to files. */
export function buildLibrary(
  foundation: Foundation,
  { connect, recordSlots, keepOutOfLogs }: Connections,
  exports: Exports,
  services: () => Services,
): Pick<
  Services,
  'library' | 'previews' | 'additions' | 'cases' | 'bundles' | 'samples' | 'servers' | 'triages' | 'journal'
> {
  const { stores, vault, staging, facts, events } = foundation;
  const { library, libraryReader } = stores;
  const previews = new SamplePreviews({ vault, library });
  const workspaceIds = (): string[] => [labWorkspaceId, ...stores.workspaces.list().map(({ id }) => id)];
  const servers = new Servers({
    connect,
    store: stores.serverActions,
    library,
    journal: stores.journal,
    workspace: (id) => stores.workspaces.get(id),
  });
  const records = new RecordReading({ store: library, connect, slots: recordSlots });
  const offer: Exports['offer'] = (prepared) => exports.offer(prepared);
  return {
    previews,
    additions: new Additions({
      vault,
      library,
      staging,
      facts,
      store: stores.additions,
      settings: () => stores.settings.read().values,
      makePreviews: (sha256s) => previews.previews(sha256s),
      jobs: () => services().jobs,
    }),
    library: new Library({
      store: library,
      reader: libraryReader,
      changes: stores.libraryChanges,
      views: stores.views,
      vault,
      events,
      records,
      known: (hash) => stores.triages.known(hash),
      items: stores.jobReader,
      isCleaningUp: () => services().storage.isCleaningUp || services().backups.isRunning,
      jobs: () => services().jobs,
    }),
    cases: new Cases({
      computerId: stores.backups.installationId,
      vault,
      library,
      events,
      reader: libraryReader,
      comments: stores.comments,
      items: stores.jobReader,
      kept: stores.libraryChanges,
      workspaceIds,
      previews: (sha256s) => previews.previews(sha256s),
      offer,
      jobs: () => services().jobs,
    }),
    bundles: buildBundles(foundation, { keepOutOfLogs, workspaceIds, offer }, services),
    samples: buildSamples(foundation, connect, servers),
    servers,
    triages: buildTriages(foundation, records, servers),
    journal: new JournalService({ journal: stores.journal, reader: stores.journalReader, files: exports.files, offer }),
  };
}

function buildBundles(
  foundation: Foundation,
  parts: { keepOutOfLogs(secret: string): void; workspaceIds(): string[]; offer: Exports['offer'] },
  services: () => Services,
): Bundles {
  const { stores, vault, staging, events, packages } = foundation;
  return new Bundles({
    ...parts,
    computerId: stores.backups.installationId,
    vault,
    library: stores.library,
    staging,
    events,
    tokens: stores.tokens,
    path: stores.databasePath,
    store: stores.bundles,
    libraryReader: stores.libraryReader,
    packages,
    packageStore: stores.packages,
    addRules: (id, stagedId, bundled) => services().publications.bringFile(id, stagedId, bundled),
    jobs: () => services().jobs,
    logDefect: defectLog(foundation, 'bundles'),
  });
}

function buildTriages({ stores }: Foundation, records: RecordReading, servers: Servers): Triages {
  return new Triages({
    store: stores.triages,
    library: stores.library,
    records,
    mayAskForMd5: (id) => servers.mayAskForMd5(id),
    md5AtServer: (id, sha256, signal) => servers.md5Of(id, sha256, signal),
  });
}

function buildSamples({ stores }: Foundation, connect: Connections['connect'], servers: Servers): Samples {
  return new Samples({
    connect,
    library: stores.library,
    libraryReader: stores.libraryReader,
    scans: stores.scans,
    scanReader: stores.scanReader,
    lastScan: (id, sha256) => stores.coverage.lastScan(id, sha256),
    md5AtServer: (id, sha256) => servers.md5Of(id, sha256),
  });
}
