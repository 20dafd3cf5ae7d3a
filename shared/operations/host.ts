import { z } from 'zod';
import { savedDiagnostics } from '../domain/diagnostics.ts';
import { folderGrant, folderListing, folderName, hostDescription, secretsState } from '../domain/host.ts';
import { job } from '../domain/job.ts';
import { labPublication, sampleFile } from '../domain/lab.ts';
import { brokenRule } from '../domain/publication.ts';
import { settings, settingsChange } from '../domain/settings.ts';
import { removedCopy, storageMove, storageState } from '../domain/storage.ts';
import { stagedUpload } from '../domain/upload.ts';
import { connectionTest } from '../domain/server-action.ts';
import { longestAuthorityBytes, workspaceDraft, workspaceId, workspaceView } from '../domain/workspace.ts';
import { nothing, operation } from './operation.ts';

const settingName = settings.keyof();

export const hostOperations = {
  'host.describe': operation({
    input: nothing,
    output: hostDescription,
    refreshedBy: { 'host.changed': [], 'lab.changed': [], 'secrets.changed': [] },
  }),
  'host.openDataFolder': operation({ input: nothing, output: nothing }),
  'host.openLog': operation({ input: nothing, output: nothing }),
  'host.chooseExportFolder': operation({ input: nothing, output: z.object({ path: z.string().nullable() }) }),

  /**
   * The folders in a listed one, or the places to begin from; none on a host with a picker. Hidden folders, links and
   * the data directory are not listed. Fails with `folder-not-named`, `folder-unreadable`.
   */
  'host.folders': operation({ input: z.object({ folder: folderGrant.nullable() }), output: folderListing }),
  /**
   * Makes a folder in a listed one, or takes the one that is there. Fails with `folder-not-named`, `not-writable`, and
   * as a disk does.
   */
  'host.makeFolder': operation({
    input: z.object({ parent: folderGrant, name: folderName }),
    output: folderListing,
  }),

  /** `damaged` names the settings whose stored value could not be read and that are back at their default. */
  'settings.read': operation({
    input: nothing,
    output: z.object({ values: settings, damaged: z.array(settingName) }),
    reads: true,
    refreshedBy: { 'workspaces.changed': [] },
  }),
  'settings.change': operation({ input: settingsChange, output: z.object({ values: settings }) }),

  'secrets.create': operation({
    input: z.object({ passphrase: z.string().max(1024, 'a passphrase of at most 1,024 characters') }),
    output: secretsState,
  }),
  'secrets.unlock': operation({
    input: z.object({ passphrase: z.string().max(1024, 'a passphrase of at most 1,024 characters') }),
    output: secretsState,
  }),
  /** Deletes a sealed file that is locked, with all that is in it; any other stays. */
  'secrets.forget': operation({ input: nothing, output: secretsState }),

  /** `damaged` are the ids of workspaces whose stored row cannot be read: they can only be removed. */
  'workspaces.list': operation({
    input: nothing,
    output: z.object({ workspaces: z.array(workspaceView), current: workspaceId, damaged: z.array(z.string()) }),
    reads: true,
    refreshedBy: { 'workspaces.changed': [], 'secrets.changed': [] },
  }),
  'workspaces.add': operation({ input: workspaceDraft, output: workspaceView }),
  /** `basedOn` is the workspace as it was read for the edit; `workspace-changed` where it was changed since. */
  'workspaces.edit': operation({
    input: z.object({ id: workspaceId, draft: workspaceDraft, basedOn: workspaceView }),
    output: workspaceView,
  }),
  'workspaces.remove': operation({ input: z.object({ id: workspaceId, forgetLibrary: z.boolean() }), output: nothing }),
  'workspaces.switch': operation({ input: z.object({ id: workspaceId }), output: nothing }),
  /**
   * Tests a stored workspace, or a draft before it is saved (`id` then selects the stored tokens that `keep` means).
   */
  'workspaces.test': operation({
    input: z.object({ id: workspaceId.nullable(), draft: workspaceDraft.nullable() }),
    output: z.object({ tests: z.array(connectionTest) }),
    asksAService: true,
  }),

  /** The certificates of a file, PEM or DER, as PEM text. Fails with `trust-file-unreadable`. */
  'workspaces.readAuthority': operation({
    input: z.object({
      base64: z.base64('a file').max(Math.ceil(longestAuthorityBytes / 3) * 4, 'a file of at most 256 KiB'),
    }),
    output: z.object({ pem: z.string() }),
    reads: true,
  }),

  'storage.state': operation({ input: nothing, output: storageState }),
  /** Reads every sample of the vault and reports which are missing or altered, as a job. Fails with `vault-empty`. */
  'storage.check': operation({ input: nothing, output: job }),
  /** Deletes unused files to free disk space. Fails with `storage-busy`. */
  'storage.cleanUp': operation({ input: nothing, output: z.object({ freedBytes: z.number().int().nonnegative() }) }),
  /**
   * Copies all local data to a folder that the person is asked for, or that was named, as a job; null: they chose none.
   * What a backup there has already is not copied again. If one should be there, a new one is begun only with
   * `startOver`: its disk may not be mounted. Fails with `backup-refused`, `storage-busy`, `not-writable`.
   */
  'storage.backUp': operation({
    input: z.object({ folder: folderGrant.optional(), startOver: z.boolean().optional() }),
    output: z.object({ job: job.nullable() }),
  }),
  /**
   * Asks the person for a folder, and reports what a move there would do; null: they chose none. Writes nothing. Fails
   * with `move-refused`, `disk-full`, `not-writable`.
   */
  'storage.planMove': operation({ input: nothing, output: z.object({ plan: storageMove.nullable() }) }),
  /**
   * Ends the host and starts it again: first of all it moves the data to the folder of the last plan. Fails with
   * `move-refused`.
   */
  'storage.move': operation({ input: nothing, output: nothing }),
  /**
   * Removes what a move left, and of that only what is as it was copied. Nothing is left: nothing is done. Fails with
   * `data-in-use`.
   */
  'storage.removeOldCopy': operation({ input: nothing, output: removedCopy }),

  /** Starts a lab that stopped. Resolves when it runs. Fails with `lab-failed`, or with why the lab cannot start. */
  'lab.start': operation({ input: nothing, output: nothing }),
  /** What the lab's rule editor has published, newest first. */
  'lab.publications': operation({ input: nothing, output: z.object({ publications: z.array(labPublication) }) }),
  /** Publishes staged `.yar` files in the lab. With broken rules nothing is published, and they are named. */
  'lab.publish': operation({
    input: z.object({
      files: z
        .array(
          z.object({ id: stagedUpload.shape.id, path: z.string().min(1).max(300, 'a path of at most 300 characters') }),
        )
        .min(1, 'a file')
        .max(1000, 'at most 1,000 files'),
      version: labPublication.shape.version,
      group: labPublication.shape.group,
    }),
    output: z.object({ published: labPublication.nullable(), broken: z.array(brokenRule) }),
  }),
  /** The lab's own sample files, so that a new installation has something to look up. */
  'lab.sampleFiles': operation({ input: nothing, output: z.object({ sampleFiles: z.array(sampleFile) }), reads: true }),
} as const;

export const diagnosticsOperations = {
  /**
   * Makes one ZIP for a bug report; nothing is sent. It goes to a folder that the host asks for or, where the host has
   * no picker and for the command line, once to the caller. `folder`: where the command line writes it. A part that
   * cannot be read is named, and the rest is saved. Fails with `export-into-watched`, `not-writable`, `disk-full`,
   * `disk-failed`.
   */
  'diagnostics.save': operation({
    input: z.object({ to: z.literal('command-line').optional(), folder: folderGrant.optional() }),
    output: savedDiagnostics,
    reads: true,
  }),
  /**
   * Opens the folder of the file that was saved last. Does nothing where none was, or where the host opens no folders.
   */
  'diagnostics.showFolder': operation({ input: nothing, output: nothing, reads: true }),
} as const;
