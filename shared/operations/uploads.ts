import { z } from 'zod';
import { commentText } from '../domain/comment.ts';
import { folderGrant } from '../domain/host.ts';
import { job, jobId } from '../domain/job.ts';
import { nameEncoding } from '../domain/opened-archive.ts';
import {
  stagedUpload,
  tickedFiles,
  uploadChange,
  uploadDraft,
  uploadFile,
  uploadFileId,
  uploadIntake,
  uploadOrder,
  uploadRemoval,
  uploadTarget,
} from '../domain/upload.ts';
import { watchState } from '../domain/watch.ts';
import { workspaceId } from '../domain/workspace.ts';
import { failureSchema } from '../failure-kinds.ts';
import { nothing, operation, window } from './operation.ts';

export const uploadsOperations = {
  /** Each workspace has one draft: what was dropped, with its tags and flags, until it is sent or discarded. */
  'uploads.draft': operation({ input: z.object({ workspaceId }), output: uploadDraft, reads: true }),
  /** One window of a draft, in the order the files came, members below their archive. */
  'uploads.files': operation({
    input: z.object({ workspaceId, ...window }),
    output: z.object({ files: z.array(uploadFile), total: z.number().int() }),
    reads: true,
  }),
  /**
   * Puts staged files into the draft, ticked unless `isTicked` is false. They are hashed, archives are opened (`once`
   * by default), and the repository is asked for each; `uploads.changed` reports the progress.
   */
  'uploads.add': operation({
    input: z.object({
      workspaceId,
      files: z.array(stagedUpload).min(1, 'a file').max(500, 'at most 500 files a call'),
      ...uploadIntake.shape,
    }),
    output: z.object({ ids: z.array(uploadFileId) }),
  }),
  /**
   * Opens an archive that is `locked` with one more password, which is kept nowhere. Fails with `archive-password` when
   * it opens no member.
   */
  'uploads.openArchive': operation({
    input: z.object({ id: uploadFileId, password: z.string().max(128, 'a password of at most 128 characters') }),
    output: nothing,
  }),
  /**
   * Reads the names in an open archive once more, by an encoding that a person chose. Nothing else of its members
   * changes.
   */
  'uploads.readNames': operation({ input: z.object({ id: uploadFileId, encoding: nameEncoding }), output: nothing }),
  /** `refused`: flags that were not set, because the TLP forbids it. */
  'uploads.change': operation({
    input: z.object({ workspaceId, target: uploadTarget, change: uploadChange }),
    output: z.object({ changed: z.number().int(), refused: z.number().int() }),
  }),
  /** What is ticked once all changes before are done: what `uploads.remove` may be asked for. */
  'uploads.ticked': operation({ input: z.object({ workspaceId }), output: tickedFiles }),
  /**
   * Takes files out of the draft, members with their archive; what was copied of them is removed. Fails with
   * `ticks-changed`, and then none goes.
   */
  'uploads.remove': operation({ input: z.object({ workspaceId, target: uploadRemoval }), output: nothing }),
  'uploads.comment': operation({ input: z.object({ workspaceId, text: commentText }), output: nothing }),
  /** Asks the repository again for files whose presence is `unanswered`. */
  'uploads.ask': operation({ input: z.object({ workspaceId }), output: nothing }),
  /** Local tags that begin so, or whose value does, the most used first; at most twenty. */
  'uploads.tags': operation({
    input: z.object({ beginning: z.string().max(100, 'at most 100 characters') }),
    output: z.object({ tags: z.array(z.string()) }),
    reads: true,
  }),
  /**
   * Sends what is sendable, as a job; with `only` just these files, of which those with the same bytes go once. The
   * draft keeps the rest. Fails with `draft-busy` while what it would send is not known yet, and with
   * `nothing-to-send`.
   */
  'uploads.send': operation({ input: z.object({ workspaceId, only: uploadOrder.optional() }), output: job }),
  /**
   * How many files of an upload are stored with another comment or fewer tags than were sent, and whether the
   * repository allows their records to be changed.
   */
  'uploads.altered': operation({
    input: z.object({ id: jobId }),
    output: z.object({ items: z.number().int(), canRepair: z.boolean() }),
    reads: true,
    refreshedBy: { 'job.changed': ['id'], 'servers.changed': [] },
  }),
  /**
   * Changes their records to what was sent, at most 100 a call. `failure`: why it ended before all were done. Tags that
   * came to a record meanwhile stay.
   */
  'uploads.repair': operation({
    input: z.object({ id: jobId }),
    output: z.object({ repaired: z.number().int(), left: z.number().int(), failure: failureSchema.nullable() }),
    asksAService: true,
  }),
} as const;

export const watchOperations = {
  'watch.state': operation({ input: nothing, output: watchState, refreshedBy: { 'watch.changed': [] } }),
  /**
   * Asks the person for a folder, or takes the one that was named; `isChosen` false: they chose none. What is in it is
   * left alone. Fails with `watch-refused`.
   */
  'watch.chooseFolder': operation({
    input: z.object({ folder: folderGrant.optional() }),
    output: z.object({ isChosen: z.boolean(), state: watchState }),
  }),
  /** Fails with `watch-refused` while no folder is chosen. */
  'watch.turn': operation({ input: z.object({ isOn: z.boolean(), workspaceId }), output: watchState }),
  /** Removes the found files from the list. They stay in the draft and the library. */
  'watch.clear': operation({ input: nothing, output: watchState }),
} as const;
