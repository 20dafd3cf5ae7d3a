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
import { tlpLevel } from '../domain/tlp.ts';
import { trialFilesAtMost, trialState } from '../domain/trial.ts';
import { stagedUpload } from '../domain/upload.ts';
import { workspaceId } from '../domain/workspace.ts';
import { destination, nothing, operation, window } from './operation.ts';

export const scansOperations = {
  /** What can scan here and now. */
  /** `isAhead`: the person is about to scan, so that the active rules are compiled meanwhile. */
  'scans.plan': operation(z.object({ workspaceId, isAhead: z.boolean().optional() }), scanPlan),
  /**
   * Staged files, and samples of the vault, as a job. Each file is scanned once, however often it is named. `tlp` is
   * that of the staged files, as the person says it. Fails with `nothing-selected`, `no-package` where the local side
   * is asked for, `service-not-set`, `native-engine-missing`.
   */
  'scans.start': operation(
    z.object({
      workspaceId,
      engines: scanEngines,
      files: z.array(stagedUpload.pick({ id: true })).max(500, 'at most 500 files a call'),
      samples: z.array(sha256).max(5000, 'at most 5,000 samples a call'),
      tlp: tlpLevel.nullable(),
    }),
    job,
  ),
  'scans.summary': operation(z.object({ jobId }), scanSummary),
  /** Rules and families: the most files first. Files: by position, those with new hits first, then those with hits. */
  'scans.groups': operation(
    z.object({ jobId, by: z.enum(['file', 'rule', 'family']), filter: scanFilter, ...window }),
    z.object({ groups: z.array(scanGroup), total: z.number().int() }),
  ),
  'scans.file': operation(z.object({ jobId, position: z.number().int().positive() }), scannedFile),
  /**
   * The same for many, in the order asked for, without the service's own words (`raw` is null). Fewer where they are
   * long, but at least one: the rest is for the next call.
   */
  'scans.files': operation(
    z.object({
      jobId,
      positions: z.array(z.number().int().positive()).min(1, 'a position').max(200, 'at most 200 files a call'),
    }),
    z.object({ files: z.array(scannedFile).min(1) }),
  ),
  /** One row a file and rule, with every match in JSON; one row a match in CSV. Muted hits are marked. */
  'scans.export': operation(
    z.object({ jobId, filter: scanFilter, format: z.enum(['csv', 'json']), to: destination }),
    exportResult,
  ),

  /**
   * Tries a package that is kept here on staged files, with the rules that are new or changed against the active one.
   * Nothing is installed or stored; how it goes is in its state. Fails with `check-busy` while another is under way,
   * `package-missing`, `nothing-selected`.
   */
  'trials.start': operation(
    z.object({
      workspaceId,
      sha256: packageId,
      files: z.array(stagedUpload.pick({ id: true })).max(trialFilesAtMost, 'at most 20,000 files'),
    }),
    trialState,
  ),
  /** null: nothing was tried since the program started. */
  'trials.state': operation(z.object({ workspaceId }), z.object({ trial: trialState.nullable() })),
  'trials.cancel': operation(z.object({ workspaceId }), nothing),

  /**
   * What the next hunt is, and how much the rules have not seen; with `package`, what it would be if that one, which is
   * kept here, were active. Fails with `no-package`, `package-missing`, `no-rules`.
   */
  'hunts.estimate': operation(z.object({ workspaceId, scope: huntScope, package: packageId.optional() }), huntEstimate),
  /** Fails as the estimate does, and with `vault-empty`, `nothing-to-hunt`, `native-engine-missing`. */
  'hunts.start': operation(z.object({ workspaceId, scope: huntScope }), job),
} as const;
