import { z } from 'zod';
import { exportResult } from '../domain/export.ts';
import { sha256 } from '../domain/hash.ts';
import { job, jobId } from '../domain/job.ts';
import { packageId } from '../domain/publication.ts';
import {
  huntEstimate,
  huntScope,
  scanEngines,
  scanFilter,
  scanGroup,
  scannedFile,
  scanPlan,
  scanSummary,
} from '../domain/scan.ts';
import { tlpLevel } from '../domain/tag.ts';
import { trialFilesAtMost, trialState } from '../domain/trial.ts';
import { stagedUpload } from '../domain/upload.ts';
import { workspaceId } from '../domain/workspace.ts';
import { destination, nothing, operation, window } from './operation.ts';

export const scansOperations = {
  /** What can scan here and now. */
  /** `isAhead`: the person is about to scan, so that the active rules are compiled meanwhile. */
  'scans.plan': operation({
    input: z.object({ workspaceId, isAhead: z.boolean().optional() }),
    output: scanPlan,
    reads: true,
    refreshedBy: { 'workspaces.changed': [], 'servers.changed': ['workspaceId'] },
  }),
  /**
   * Staged files, and samples of the vault, as a job. Each file is scanned once, however often it is named. `tlp` is
   * that of the staged files, as set by the person. Fails with `nothing-selected`, `no-package` if the local side is
   * requested, `service-not-set`, `editor-cannot-scan`, `native-engine-missing`.
   */
  'scans.start': operation({
    input: z.object({
      workspaceId,
      engines: scanEngines,
      files: z.array(stagedUpload.pick({ id: true })).max(500, 'at most 500 files a call'),
      samples: z.array(sha256).max(5000, 'at most 5,000 samples a call'),
      tlp: tlpLevel.nullable(),
    }),
    output: job,
  }),
  'scans.summary': operation({
    input: z.object({ jobId }),
    output: scanSummary,
    reads: true,
    refreshedBy: { 'mutes.changed': [] },
  }),
  /** Rules and families: the most files first. Files: by position, those with new hits first, then those with hits. */
  'scans.groups': operation({
    input: z.object({ jobId, by: z.enum(['file', 'rule', 'family']), filter: scanFilter, ...window }),
    output: z.object({ groups: z.array(scanGroup), total: z.number().int() }),
    reads: true,
  }),
  'scans.file': operation({
    input: z.object({ jobId, position: z.number().int().positive() }),
    output: scannedFile,
    reads: true,
  }),
  /**
   * The same for many, in the order asked for, without the service's own words (`raw` is null). Fewer where they are
   * long, but at least one: the rest is for the next call.
   */
  'scans.files': operation({
    input: z.object({
      jobId,
      positions: z.array(z.number().int().positive()).min(1, 'a position').max(200, 'at most 200 files a call'),
    }),
    output: z.object({ files: z.array(scannedFile).min(1) }),
    reads: true,
  }),
  /** One row a file and rule, with every match in JSON; one row a match in CSV. Muted hits are marked. */
  'scans.export': operation({
    input: z.object({ jobId, filter: scanFilter, format: z.enum(['csv', 'json']), to: destination }),
    output: exportResult,
  }),

  /**
   * Tries a package that is kept here on staged files, with the rules that are new or changed against the active one.
   * Nothing is installed or stored; how it goes is in its state. Fails with `check-busy` while another is under way,
   * `package-missing`, `nothing-selected`.
   */
  'trials.start': operation({
    input: z.object({
      workspaceId,
      sha256: packageId,
      files: z.array(stagedUpload.pick({ id: true })).max(trialFilesAtMost, 'at most 20,000 files'),
    }),
    output: trialState,
  }),
  /** null: nothing was tried since the program started. */
  'trials.state': operation({
    input: z.object({ workspaceId }),
    output: z.object({ trial: trialState.nullable() }),
    reads: true,
    refreshedBy: { 'trials.changed': ['workspaceId'] },
  }),
  'trials.cancel': operation({ input: z.object({ workspaceId }), output: nothing }),

  /**
   * What the next hunt is, and how much the rules have not seen; with `package`, what it would be if that one, which is
   * kept here, were active. Fails with `no-package`, `package-missing`, `no-rules`.
   */
  'hunts.estimate': operation({
    input: z.object({ workspaceId, scope: huntScope, package: packageId.optional() }),
    output: huntEstimate,
    refreshedBy: { 'library.changed': [] },
    refreshEveryMs: 2000,
  }),
  /** Fails as the estimate does, and with `vault-empty`, `nothing-to-hunt`, `native-engine-missing`. */
  'hunts.start': operation({ input: z.object({ workspaceId, scope: huntScope }), output: job }),
} as const;
