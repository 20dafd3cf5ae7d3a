import { z } from 'zod';
import { byteMap, bytePattern, byteSource, byteWindow, readBytes } from '../domain/byte-view.ts';
import { caseFolder, caseRequest, caseTaker, preparedCase } from '../domain/case.ts';
import { exportResult, zipProtection } from '../domain/export.ts';
import { anyHash, md5, sha256 } from '../domain/hash.ts';
import { job, jobId } from '../domain/job.ts';
import { journalRow } from '../domain/journal.ts';
import { download, downloadId, lookupResult } from '../domain/sample.ts';
import { knownBesides, lastScan, sampleHit, scanFilter, vaultSample } from '../domain/scan.ts';
import { tag } from '../domain/tag.ts';
import {
  triageCounts,
  triageFilter,
  triageRow,
  triageSelected,
  triageSort,
  triageTicked,
  triageTicks,
} from '../domain/triage.ts';
import { workspaceId } from '../domain/workspace.ts';
import { destination, hashPage, nothing, operation, window } from './operation.ts';

/** What would become of a hash: fetched, here already, or not to be asked for because its MD5 is not known. */
const bulkVerdict = z.enum(['fetch', 'already-here', 'needs-md5']);
export type BulkVerdict = z.infer<typeof bulkVerdict>;

/** Rows of a triage: a job, what is shown of it, and when. */
const triageList = { id: jobId, filter: triageFilter, sort: triageSort, moment: z.string().min(1).max(64) };
/** As many as page and host read of an answer without a standstill. */
export const mostTickedRows = 2_000;

export const samplesOperations = {
  /**
   * A SHA-1 or SHA-256 is resolved through the library, else the failure is `needs-md5`. The record has at most
   * `firstComments`, and all of them where that is left out; `comments.thread` has them too.
   */
  'samples.lookup': operation({
    input: z.object({ workspaceId, hash: anyHash, firstComments: z.number().int().nonnegative().optional() }),
    output: lookupResult,
    asksAService: true,
  }),
  /** What Vitrine did with a sample, newest first, at most 100 rows. */
  'samples.history': operation({
    input: z.object({ hash: anyHash }),
    output: z.object({ rows: z.array(journalRow) }),
    reads: true,
    refreshedBy: { 'journal.changed': [] },
  }),
  /**
   * Rule hits of the sample, by its last scan, by name, and what is known besides these; null: nothing. `lastScan`: by
   * this computer; null: none.
   */
  'samples.hits': operation({
    input: z.object({ workspaceId, sha256 }),
    output: z.object({ hits: z.array(sampleHit), known: knownBesides.nullable(), lastScan: lastScan.nullable() }),
    reads: true,
    refreshedBy: { 'scans.changed': ['workspaceId'], 'mutes.changed': ['workspaceId'] },
  }),
  /**
   * Local tags only; a library's selection is tagged by `library.change`.
   *
   * @returns how many samples have changed
   */
  'samples.tag': operation({
    input: z.object({
      samples: z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('named'),
          sha256s: z.array(sha256).min(1, 'a sample').max(5000, 'at most 5,000 samples a call'),
        }),
        /** Of a scan or a hunt: the files that are meant. */
        z.object({ kind: z.literal('scan'), jobId, filter: scanFilter }),
      ]),
      add: z.array(tag).max(50, 'at most 50 tags'),
      remove: z.array(tag).max(50, 'at most 50 tags'),
    }),
    output: z.object({ changed: z.number().int() }),
  }),
  /** Samples in the vault that have every word of `find` in a name, hash, tag, comment or threat; seen last first. */
  'samples.inVault': operation({
    input: z.object({ find: z.string().max(200, 'at most 200 characters'), ...window }),
    output: z.object({ samples: z.array(vaultSample), total: z.number().int() }),
    reads: true,
    refreshedBy: { 'library.changed': [] },
  }),
  'samples.exportZip': operation({
    input: z.object({ sha256, ...zipProtection, to: destination }),
    output: exportResult,
  }),

  /** Answers at once; `download.progress` events follow until a final state. */
  'downloads.start': operation({ input: z.object({ workspaceId, md5 }), output: download }),
  'downloads.cancel': operation({ input: z.object({ id: downloadId }), output: nothing }),
  'downloads.list': operation({ input: nothing, output: z.object({ downloads: z.array(download) }), reads: true }),

  /** What would become of each hash, in the order of the hashes. Asks no service. */
  'bulk.check': operation({
    input: z.object({ hashes: hashPage }),
    output: z.object({ verdicts: z.array(bulkVerdict) }),
    reads: true,
  }),
  /**
   * A draft of a bulk download: filled by `bulk.add`, shown and run from `bulk.start` on, gone when it is never
   * started. `records`: another job fetches the missing records of its samples when it is done.
   */
  'bulk.create': operation({
    input: z.object({ workspaceId, records: z.boolean().optional() }),
    output: z.object({ id: jobId }),
  }),
  /** Hashes the draft has already are not added again. */
  'bulk.add': operation({
    input: z.object({ id: jobId, hashes: hashPage }),
    output: z.object({ items: z.number().int() }),
  }),
  'bulk.start': operation({ input: z.object({ id: jobId }), output: job }),

  /**
   * A draft of a triage: the records of many hashes are fetched and no file is downloaded. Filled by `triage.add`,
   * shown and run from `triage.start` on, gone when it is never started.
   */
  'triage.create': operation({ input: z.object({ workspaceId }), output: z.object({ id: jobId }) }),
  /**
   * What is known here has its answer at once. Hashes that it has already are not added again. One that was started
   * takes more: its table grows, and it runs again where it was over.
   */
  'triage.add': operation({
    input: z.object({ id: jobId, hashes: hashPage }),
    output: z.object({ items: z.number().int() }),
  }),
  'triage.start': operation({ input: z.object({ id: jobId }), output: job }),
  /**
   * One window of a triage's rows. Which rows there are and in which order was found when the `moment` was named first:
   * later changes fill their rows and move none. No two orders have one moment: a caller names a new one to renew them.
   * In the order of the text without a filter, all are there. `answered`: how many rows had their answer at that
   * moment. `isStale`: by now the rows or their order would be others; found for what is sorted only.
   */
  'triage.rows': operation({
    input: z.object({ ...triageList, ...window }),
    output: z.object({
      rows: z.array(triageRow),
      total: z.number().int(),
      answered: z.number().int(),
      isStale: z.boolean(),
    }),
    reads: true,
    refreshedBy: { 'job.changed': ['id'], 'library.changed': [] },
    refreshEveryMs: 500,
  }),
  /** What an action needs of the ticked rows of such a list, in its order. `total`: how many are ticked. */
  'triage.ticked': operation({
    input: z.object({
      ...triageList,
      only: triageTicks,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(mostTickedRows),
    }),
    output: z.object({ rows: z.array(triageTicked), total: z.number().int() }),
    reads: true,
  }),
  'triage.counts': operation({
    input: z.object({ id: jobId }),
    output: triageCounts,
    reads: true,
    refreshedBy: { 'job.changed': ['id'], 'library.changed': [] },
    refreshEveryMs: 500,
  }),
  'triage.selected': operation({
    input: z.object({ id: jobId, filter: triageFilter, only: triageTicks }),
    output: triageSelected,
    reads: true,
    refreshedBy: { 'job.changed': ['id'], 'library.changed': [] },
    refreshEveryMs: 500,
  }),

  'bytes.read': operation({ input: z.object({ source: byteSource, window: byteWindow }), output: readBytes }),
  /**
   * The first place from `from` on (backwards: before it); null when there is none up to the end (the beginning).
   * `search` names it, so that it can be given up.
   */
  'bytes.find': operation({
    input: z.object({
      source: byteSource,
      pattern: bytePattern,
      from: z.number().int().nonnegative(),
      backwards: z.boolean(),
      search: z.string().min(1).max(64),
    }),
    output: z.object({ offset: z.number().int().nonnegative().nullable() }),
  }),
  'bytes.stopFind': operation({ input: z.object({ search: z.string().min(1).max(64) }), output: nothing }),
  'bytes.map': operation({ input: z.object({ source: byteSource }), output: byteMap }),
} as const;

export const casesOperations = {
  /**
   * One file in the export folder, as a job. Fails with `case-empty`, `case-too-large`, `tlp-too-open`, `tlp-unknown`,
   * `password-empty`, `job-missing`, `no-export-folder`.
   */
  'cases.start': operation({ input: caseRequest.extend(caseFolder), output: job }),
  /**
   * The same file, once by the caller: the browser, if `to` is left out. `folder`: where they write it. Fails likewise,
   * and with `export-into-watched`.
   */
  'cases.prepare': operation({
    input: caseRequest.extend({ ...caseFolder, to: caseTaker.optional() }),
    output: preparedCase,
  }),
} as const;
