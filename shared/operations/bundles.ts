import { z } from 'zod';
import { bundleAuthor, bundleOpening, bundleParts, bundlePassphrase, bundleTitle } from '../domain/bundle.ts';
import { exportResult } from '../domain/export.ts';
import { folderGrant } from '../domain/host.ts';
import { job } from '../domain/job.ts';
import { librarySelection } from '../domain/library.ts';
import { stagedFile } from '../domain/upload.ts';
import { workspaceId } from '../domain/workspace.ts';
import { nothing, operation } from './operation.ts';

/** `workspaceId` is whose rules go along. */
const bundleOrder = z.object({
  selection: librarySelection,
  parts: bundleParts,
  title: bundleTitle,
  author: bundleAuthor,
  passphrase: bundlePassphrase,
  workspaceId,
});

export const bundlesOperations = {
  /** The fingerprint of the local key, made on the first request. `isDurable`: it is there again at the next start. */
  'bundles.signer': operation({
    input: nothing,
    output: z.object({ fingerprint: z.string(), isDurable: z.boolean() }),
  }),
  /**
   * One sealed, signed file in the export folder, as a job. Fails with `passphrase-short`, `nothing-selected`,
   * `no-package`, `no-export-folder`.
   */
  'bundles.start': operation({ input: bundleOrder.extend({ folder: folderGrant.optional() }), output: job }),
  /** The same file, once by the caller. Fails likewise. */
  'bundles.prepare': operation({ input: bundleOrder, output: exportResult }),
  /**
   * Begins to read a staged file from end to end; `bundles.changed` reports the progress. What was open before is
   * closed. The result lists what would change in each workspace. Fails with `cancelled` if another one is opened
   * meanwhile.
   */
  'bundles.open': operation({
    input: z.object({ stagedId: stagedFile.shape.id, passphrase: bundlePassphrase }),
    output: bundleOpening,
  }),
  'bundles.opening': operation({ input: nothing, output: z.object({ opening: bundleOpening.nullable() }) }),
  /** Forgets the opening and its file, or stops its reading. Changes nothing. */
  'bundles.close': operation({ input: z.object({ id: z.string() }), output: nothing }),
  /**
   * Takes in what is ready, as a job. Records and rules become those of the workspace. Fails with `bundle-not-ready`,
   * `workspace-missing`.
   */
  'bundles.import': operation({ input: z.object({ id: z.string(), workspaceId }), output: job }),
} as const;
