import { type DataChoice, findDataDirectory } from './data-location.ts';
import { moveData } from './move-data.ts';

export interface StartChoice extends DataChoice {
  /** Where the data is to be moved before it is opened; null: it stays. */
  moveTo: string | null;
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
  say(`The data is in ${to} from now on. The old copy in ${from} can be removed.`);
  return findDataDirectory(choice);
}
