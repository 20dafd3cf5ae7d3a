import { type Failure, FailureError } from '../../../shared/failure.ts';
import { restoreBackup } from '../backup/backup-restore.ts';
import { type DataChoice, findDataDirectory, placeToOpen } from './data-location.ts';
import { moveData } from './move-data.ts';

export interface StartChoice extends DataChoice {
  /** Where the data is to be moved before it is opened; null: it stays. */
  moveTo: string | null;
  /** The backup that the data is to be made of; null: it is there, or an empty one begins. */
  restore?: string | null;
  /** How long the program is waited for that asked for the move and ended for it. */
  hostEndsWithinMs?: number;
}

export interface DataAtStart {
  directory: string;
  /** Why the move did not take place. */
  notMoved: Failure | null;
}

/**
 * The directory to open, after the requested move or restore, which is reported in lines for a terminal. Fails as
 * `moveData`, `restoreBackup` and `findDataDirectory` do.
 */
export async function directoryAtStart(
  { moveTo, restore = null, ...choice }: StartChoice,
  print: (line: string) => void,
): Promise<string> {
  if (restore !== null) await restoreAtStart(restore, choice, print);
  if (moveTo === null) return findDataDirectory(choice);
  const { from, to } = await moveData({
    ...choice,
    target: moveTo,
    onBegin: ({ files, bytes }) =>
      print(`Copying the data: ${files} files, ${mebibytes(bytes)} MiB. It stays in use until the copy is complete.`),
  });
  print(`The data is now in ${to}. You can remove the old copy in ${from}, in Settings or by hand.`);
  return findDataDirectory(choice);
}

async function restoreAtStart(backup: string, choice: DataChoice, print: (line: string) => void): Promise<void> {
  const { directory } = await restoreBackup({
    backup,
    target: placeToOpen(choice),
    onBegin: ({ files, bytes, made }) =>
      print(`Restoring the backup of ${made}: ${files} files, ${mebibytes(bytes)} MiB. Each file is verified.`),
  });
  print(`The backup is restored in ${directory}. Jobs in progress are paused.`);
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);

/**
 * The same for who has no terminal before their eyes: a move that failed left the data where it was, and there it is
 * opened. Fails as `findDataDirectory` does.
 */
export async function dataAtStart(choice: StartChoice, print: (line: string) => void): Promise<DataAtStart> {
  try {
    return { directory: await directoryAtStart(choice, print), notMoved: null };
  } catch (error) {
    if (choice.moveTo === null || !(error instanceof FailureError)) throw error;
    return { directory: findDataDirectory(choice), notMoved: error.failure };
  }
}
