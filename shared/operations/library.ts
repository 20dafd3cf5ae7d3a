import { z } from 'zod';
import { addedCounts, addedFile, givenAddition, mostAddedACall } from '../domain/addition.ts';
import { caseSelection } from '../domain/case.ts';
import { anyHash, sha256 } from '../domain/hash.ts';
import { job, jobId } from '../domain/job.ts';
import {
  libraryChange,
  libraryRow,
  librarySample,
  librarySelection,
  librarySort,
  libraryTotal,
  noteText,
  samplePreview,
  savedView,
  selectionMark,
  viewId,
} from '../domain/library.ts';
import { archivePasswordList } from '../domain/opened-archive.ts';
import { queryTerms, suggestedKinds } from '../domain/query-fields.ts';
import { sampleFacts } from '../domain/sample.ts';
import { workspaceId } from '../domain/workspace.ts';
import { nothing, operation, window } from './operation.ts';

export const libraryOperations = {
  /**
   * One window of what a query finds. Windows that name the same `moment` are of one list, as it was when the first of
   * them was read; a caller that learns that the library changed names another one. At most 1,000 rows. An `asker`
   * reads one list at a time: a window that waits for its turn fails with `cancelled` when its asker requests one of
   * another list.
   */
  'library.list': operation({
    input: z.object({
      asker: z.string().min(1).max(64).optional(),
      terms: queryTerms,
      sort: librarySort,
      moment: z.string().min(1).max(64),
      ...window,
    }),
    output: z.object({ rows: z.array(libraryRow), total: z.number().int(), elapsedMs: z.number().nonnegative() }),
    reads: true,
  }),
  /** One total a query, in their order. */
  'library.totals': operation({
    input: z.object({ queries: z.array(queryTerms).max(50, 'at most 50 queries') }),
    output: z.object({ totals: z.array(libraryTotal) }),
    reads: true,
    refreshedBy: { 'library.changed': [] },
    refreshEveryMs: 5000,
  }),
  /** Fails with `not-in-library`. */
  'library.sample': operation({
    input: z.object({ hash: anyHash }),
    output: librarySample,
    reads: true,
    refreshedBy: { 'library.changed': [] },
  }),
  /**
   * The facts of a selection's samples, for copying and for further actions: a page behind a mark, oldest first. `next`
   * is null at the end.
   */
  'library.facts': operation({
    input: z.object({
      selection: librarySelection,
      after: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(1000),
    }),
    output: z.object({ samples: z.array(sampleFacts), next: z.number().int().nullable() }),
    reads: true,
  }),
  /**
   * `leftOut`: samples without a known SHA-256, and those whose note would become too long. What a query finds beyond
   * 5,000 samples is changed by a `job`, which continues with those that were found at the call; the counts are 0 then.
   * A note for more than 50 samples is a job too, and one for fewer comes to all of them or to none: a retry would else
   * add it twice. `again`: the result of an earlier call for the same is unknown. A note that ends with the text then
   * counts as changed and stays; a job does not check that.
   */
  'library.change': operation({
    input: z.object({ selection: librarySelection, change: libraryChange, again: z.boolean().optional() }),
    output: z.object({ changed: z.number().int(), leftOut: z.number().int(), job: jobId.optional() }),
  }),
  /**
   * For one change of more samples than a call names: a job of none yet. Until it is begun nothing is changed, and the
   * next start removes it.
   */
  'library.draftChange': operation({ input: z.object({ change: libraryChange }), output: z.object({ job: jobId }) }),
  /**
   * Adds samples to a draft, which may have none of them already. When it fails, the draft may have some of them. Fails
   * with `job-missing`, `job-state`.
   */
  'library.addToChange': operation({ input: z.object({ job: jobId, selection: librarySelection }), output: nothing }),
  /** One that was begun stays so: it can be asked for again when the answer was lost. Fails with `job-missing`. */
  'library.beginChange': operation({ input: z.object({ job: jobId }), output: nothing }),
  /**
   * Asks the repository of a workspace for the records of samples of which none was read, as those that came in bulk: a
   * job for those that were found at the call. Fails with `nothing-selected`.
   */
  'library.readRecords': operation({ input: z.object({ selection: caseSelection, workspaceId }), output: job }),
  /**
   * Local files into the vault: a job of none yet. Until it is begun nothing is added, and the next start removes it.
   * `opensArchives`: members are stored instead of their archive. No service is asked, and nothing is sent.
   */
  'library.draftAdd': operation({ input: z.object({ opensArchives: z.boolean() }), output: z.object({ job: jobId }) }),
  /**
   * Fails with `job-missing`, `job-state`, `staged-file-missing`, `job-too-large`; no file of the call is added then.
   */
  'library.addFiles': operation({
    input: z.object({
      job: jobId,
      files: z.array(givenAddition).min(1, 'a file').max(mostAddedACall, 'at most 500 files a call'),
    }),
    output: z.object({ files: z.number().int() }),
  }),
  /** The passwords are forgotten when Vitrine ends. Fails with `job-missing`, `job-state`, `nothing-selected`. */
  'library.beginAdd': operation({ input: z.object({ job: jobId, passwords: archivePasswordList }), output: job }),
  /**
   * What became of the files of such a job, members below their archive. Only those `toSee`: what failed, and archives
   * that were stored as they are.
   */
  'library.added': operation({
    input: z.object({ job: jobId, toSee: z.boolean().optional(), ...window }),
    output: z.object({ files: z.array(addedFile), total: z.number().int(), counts: addedCounts }),
    reads: true,
  }),
  /** Replaces the note; without a text it is gone. */
  'library.note': operation({ input: z.object({ sha256, text: noteText }), output: nothing }),
  /**
   * Which samples a selection means right now, for a question that is asked about them. A million take some seconds.
   */
  'library.meant': operation({ input: z.object({ selection: librarySelection }), output: selectionMark, reads: true }),
  /**
   * `bytes`: the vault's copy alone. `all`: also the local data of the samples; the journal keeps what was done.
   * `expected` is what the person was shown of a query, by `library.meant`: fails with `selection-changed` when it
   * finds others by now. null for samples that are named. A `job` beyond 2,000, as with `library.change`.
   */
  'library.forget': operation({
    input: z.object({
      selection: librarySelection,
      what: z.enum(['bytes', 'all']),
      expected: selectionMark.nullable(),
    }),
    output: z.object({ forgotten: z.number().int(), job: jobId.optional() }),
  }),
  /**
   * Known ones, at most twenty: tags that begin so, or whose value does, the most used first; rules that contain it,
   * the shortest first; types and threats that begin so, the most frequent first among the 50,000 samples seen last;
   * names of workspaces that begin so; values of records that begin so.
   */
  'library.suggest': operation({
    input: z.object({
      kind: z.enum(suggestedKinds),
      beginning: z.string().max(100, 'at most 100 characters'),
    }),
    output: z.object({ choices: z.array(z.string()) }),
    reads: true,
  }),
  /** Byte previews of samples, in their order; made on the first request. */
  'library.previews': operation({
    input: z.object({ sha256s: z.array(sha256).min(1).max(100, 'at most 100 samples a call') }),
    output: z.object({ previews: z.array(samplePreview) }),
  }),
  'library.count': operation({
    input: nothing,
    output: z.object({ samples: z.number().int(), inVault: z.number().int(), vaultBytes: z.number() }),
    reads: true,
    refreshedBy: { 'library.changed': [], 'workspaces.changed': [] },
  }),

  'views.list': operation({
    input: nothing,
    output: z.object({ views: z.array(savedView) }),
    reads: true,
    refreshedBy: { 'views.changed': [] },
  }),
  /** Without an id a new one, at the end. Fails with `view-missing`, `view-name-taken`, `too-many-views`. */
  'views.save': operation({ input: savedView.extend({ id: viewId.nullable() }), output: savedView }),
  /** All else of it stays as it is by then. Fails with `view-missing`, `view-name-taken`. */
  'views.rename': operation({ input: savedView.pick({ id: true, name: true }), output: savedView }),
  'views.remove': operation({ input: z.object({ id: viewId }), output: nothing }),
  /** Puts a view in front of another one; null: to the end. */
  'views.move': operation({ input: z.object({ id: viewId, before: viewId.nullable() }), output: nothing }),
} as const;
