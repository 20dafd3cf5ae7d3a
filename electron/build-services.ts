import packageJson from '../package.json' with { type: 'json' };
import { buildConnections } from './build-connections.ts';
import { buildDiagnostics } from './build-diagnostics.ts';
import { buildJobs } from './build-jobs.ts';
import { buildLibrary } from './build-library.ts';
import { buildRules } from './build-rules.ts';
import { buildTransfers } from './build-transfers.ts';
import { buildUpkeep } from './build-upkeep.ts';
import type { Foundation, Services } from './services.ts';
import { DamageNotes } from './services/damage-notes.ts';
import { Exports } from './services/exports/exports.ts';
import { FolderChoice } from './services/folder-choice.ts';
import { HostService } from './services/host.ts';
import { SampleBytes } from './services/sample-bytes/sample-bytes.ts';
import { requireUnwatched } from './services/watch/folder-check.ts';
import { Workspaces } from './services/workspaces.ts';

/** Fills the ports of every service. Nothing has started when it returns. */
export function buildServices(foundation: Foundation): Services {
  const { platform, stores, vault, staging, events, exportFolder } = foundation;
  const { library, log } = stores;
  const damage = new DamageNotes(library);
  vault.onDamage((sha256, how) => damage.note(sha256, how));
  // Services that need each other get the whole when they work: none of them calls another while it is built.
  const services = (): Services => all;
  const connections = buildConnections(foundation);
  const { connect, lab, keepOutOfLogs, proxyFor } = connections;
  const exports = new Exports({ vault, library, notes: stores.fileNotes });
  const workers = {
    stores,
    lab,
    folders: new FolderChoice(platform),
    exports,
    workspaces: new Workspaces({
      workspaces: stores.workspaces,
      settings: stores.settings,
      tokens: stores.tokens,
      events,
      connect,
      proxyFor,
      keepOutOfLogs,
    }),
    sampleBytes: new SampleBytes({ vault, staging, scanFile: (jobId, position) => stores.scans.file(jobId, position) }),
    ...buildTransfers(foundation, connections, services),
    ...buildRules(foundation, connections, exports, services),
    ...buildLibrary(foundation, connections, exports, services),
    ...buildUpkeep(foundation, services),
  };
  const { jobs, exportJobs } = buildJobs(foundation, workers);
  const host = new HostService({
    platform,
    version: packageJson.version,
    exportFolder,
    logPath: log.path,
    requireUnwatched: (folder) => requireUnwatched(folder, stores.watch.watched()),
  });
  const diagnostics = buildDiagnostics(foundation, { host, lab, scans: workers.scans, exports, jobs });
  const all: Services = { ...workers, jobs, exportJobs, host, diagnostics };
  return all;
}
