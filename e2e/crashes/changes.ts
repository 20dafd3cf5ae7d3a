import { backup } from './changes/backup.ts';
import { bulk } from './changes/bulk.ts';
import { bundleExport, bundleImport } from './changes/bundle.ts';
import { comment } from './changes/comment.ts';
import { download } from './changes/download.ts';
import { exportZip } from './changes/export.ts';
import { firstStart } from './changes/first-start.ts';
import { forget } from './changes/forget.ts';
import { journalFile } from './changes/journal-file.ts';
import { lookUp } from './changes/look-up.ts';
import { libraryAdd } from './changes/library-add.ts';
import { longThread } from './changes/long-thread.ts';
import { migration } from './changes/migration.ts';
import { packageCheck, packageSwap } from './changes/package-swap.ts';
import { restore } from './changes/restore.ts';
import { sealing, token } from './changes/token.ts';
import { upload } from './changes/upload.ts';
import type { DurableChange } from './durable-change.ts';

/** In the order of the table. */
export const changes: readonly DurableChange[] = [
  download,
  bulk,
  upload,
  packageCheck,
  packageSwap,
  firstStart,
  migration,
  lookUp,
  longThread,
  libraryAdd,
  exportZip,
  journalFile,
  sealing,
  token,
  bundleExport,
  bundleImport,
  backup,
  restore,
  forget,
  comment,
];
