import { type Failure, FailureError } from '../../shared/failure.ts';
import { type DataChoice, findDataDirectory } from './data-location.ts';
import { moveData } from './move-data.ts';

export interface StartChoice extends DataChoice {
  /** Where the data is to be moved before it is opened; null: it stays. */
  moveTo: string | null;
  /** How long the desk is waited for that asked for the move and ended for it. */
  deskEndsWithinMs?: number;
}

export interface DeskAtStart {
  directory: string;
  /** Why the move did not take place. */
  notMoved: Failure | null;
}

/**
 * The directory to open, after the move that was asked for, which is told of in lines for a terminal.
 * Fails as `moveData` and `findDataDirectory` do.
 */
export async function directoryAtStart({ moveTo, ...choice }: StartChoice, say: (line: string) => void): Promise<string> {
  if (moveTo === null) return findDataDirectory(choice);
  const { from, to } = await moveData({
    ...choice,
    target: moveTo,
    onBegin: ({ files, bytes }) => say(`Copying the data: ${files} files, ${Math.ceil(bytes / 1024 ** 2)} MiB. Until its end it is used where it was.`),
  });
  say(`The data is in ${to} from now on. The old copy in ${from} can be removed, in the settings or by hand.`);
  return findDataDirectory(choice);
}

/**
 * The same for who has no terminal before their eyes: a move that failed left the data where it was, and there it is opened.
 * Fails as `findDataDirectory` does.
 */
export async function deskAtStart(choice: StartChoice, say: (line: string) => void): Promise<DeskAtStart> {
  try {
    return { directory: await directoryAtStart(choice, say), notMoved: null };
  } catch (error) {
    if (choice.moveTo === null || !(error instanceof FailureError)) throw error;
    return { directory: findDataDirectory(choice), notMoved: error.failure };
  }
}
