import { randomUUID } from 'node:crypto';
import type { Failure } from '../shared/failure.ts';
import type { EventHub } from './event-hub.ts';
import type { JobRunner } from './jobs/job-runner.ts';
import type { Platform } from './platform/platform.ts';
import type { RuleLibrary } from './rules/rule-library.ts';
import type { Additions } from './services/additions/additions.ts';
import type { Bundles } from './services/bundles/bundles.ts';
import type { Cases } from './services/cases/cases.ts';
import type { Comments } from './services/comments/comments.ts';
import type { DiagnosticsService, RecentFailures } from './services/diagnostics/diagnostics.ts';
import type { BulkDownloads } from './services/downloads/bulk/bulk-downloads.ts';
import type { Downloads } from './services/downloads/downloads.ts';
import type { ExportJobs } from './services/exports/export-jobs.ts';
import type { Exports } from './services/exports/exports.ts';
import type { FolderChoice } from './services/folder-choice.ts';
import type { HostService } from './services/host.ts';
import type { JournalService } from './services/journal/journal-service.ts';
import type { LabSupervisor } from './services/lab-supervisor.ts';
import type { Library } from './services/library/library.ts';
import type { Triages } from './services/library/triages.ts';
import type { WordPass } from './services/library/word-pass.ts';
import type { SamplePreviews } from './services/previews/sample-previews.ts';
import type { Mutes } from './services/publications/mutes.ts';
import type { PackageReading } from './services/publications/package-reading.ts';
import type { Publications } from './services/publications/publications.ts';
import type { Publishing } from './services/publishing.ts';
import type { SampleBytes } from './services/sample-bytes/sample-bytes.ts';
import type { Samples } from './services/samples.ts';
import type { ReadyWorkers } from './services/scans/ready-workers.ts';
import type { RuleCosts, RuleTrials, Scans } from './services/scans/scans.ts';
import type { Trials } from './services/scans/trials.ts';
import type { Servers } from './services/servers.ts';
import type { Backups } from './services/storage/backups.ts';
import type { DataMoves } from './services/storage/data-moves.ts';
import type { StorageUpkeep } from './services/storage/storage-upkeep.ts';
import type { UploadRepairs } from './services/uploads/upload-repairs.ts';
import type { Uploads } from './services/uploads/uploads.ts';
import type { Watch } from './services/watch/watch.ts';
import type { Workspaces } from './services/workspaces.ts';
import type { Stores } from './storage/stores.ts';
import type { Packages } from './vault/packages.ts';
import type { StagedFacts } from './vault/staged-facts/staged-facts.ts';
import type { Staging } from './vault/staging.ts';
import type { Vault } from './vault/vault.ts';

/** What every service is built over. */
export interface Foundation {
  platform: Platform;
  stores: Stores;
  vault: Vault;
  staging: Staging;
  facts: StagedFacts;
  /** Threads of their own, for large files. */
  largeFacts: StagedFacts;
  packages: Packages;
  ruleLibrary: RuleLibrary;
  events: EventHub;
  exportFolder: string | null;
  failures: RecentFailures;
  logDefect(id: string, operation: string, error: unknown): void;
}

/** What a person can do, by who does it; and the stores that a few operations read as they are. */
export interface Services {
  host: HostService;
  folders: FolderChoice;
  stores: Stores;
  lab: LabSupervisor;
  workspaces: Workspaces;
  samples: Samples;
  servers: Servers;
  triages: Triages;
  downloads: Downloads;
  bulk: BulkDownloads;
  exports: Exports;
  exportJobs: ExportJobs;
  cases: Cases;
  bundles: Bundles;
  uploads: Uploads;
  uploadRepairs: UploadRepairs;
  additions: Additions;
  comments: Comments;
  publications: Publications;
  packageReading: PackageReading;
  mutes: Mutes;
  publishing: Publishing;
  scans: Scans;
  ruleTrials: RuleTrials;
  ruleCosts: RuleCosts;
  trials: Trials;
  scanWorkers: ReadyWorkers;
  sampleBytes: SampleBytes;
  library: Library;
  journal: JournalService;
  wordPass: WordPass;
  previews: SamplePreviews;
  storage: StorageUpkeep;
  dataMoves: DataMoves;
  watch: Watch;
  backups: Backups;
  jobs: JobRunner;
  diagnostics: DiagnosticsService;
}

/** Logs what no operation reports. @returns the failure under whose id the log has it */
export const defectLog =
  ({ logDefect }: Pick<Foundation, 'logDefect'>, operation: string) =>
  (error: unknown): Failure => {
    const id = randomUUID();
    logDefect(id, operation, error);
    return { kind: 'unexpected', id };
  };
