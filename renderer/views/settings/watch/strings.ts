import type { WatchedFile } from '../../../../shared/domain/watch.ts';

const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

/** English of the watched folder. */
export const text = {
  sentence:
    'New files in this folder are scanned with the active rules of a workspace and added to its upload draft. ' +
    'A file is picked up when it is completely written.',
  nothingSent:
    'Nothing is sent, and no service is contacted, before you tick a file in Upload. ' +
    'Files in the folder are never moved, changed or deleted.',
  reach: 'Includes subfolders up to 8 levels deep, without links, and at most 100,000 files.',
  reading: 'Reading…',
  folder: 'Folder',
  none: 'Not chosen',
  choose: 'Choose folder…',
  chooseAnother: 'Change folder…',
  chooseTitle: 'Choose a folder to watch',
  take: 'Choose this folder',
  workspace: 'Workspace',
  workspaceOf: (name: string) => `Workspace for the upload draft: ${name}`,
  workspaces: 'Workspace for the upload draft',
  noWorkspace: 'None',
  turnOn: 'Watch this folder',
  isOff: 'Off. New files are not scanned.',
  isOn: (leftAlone: number) =>
    leftAlone === 0
      ? 'On.'
      : `On. Ignoring ${leftAlone.toLocaleString('en')} existing ${leftAlone === 1 ? 'file' : 'files'}.`,

  found: 'New files',
  newest: (shown: number, found: number) => (shown < found ? `Newest ${shown} of ${files(found)}` : files(found)),
  nothingYet: 'No new files yet.',
  file: 'File',
  size: 'Size',
  state: 'State',
  hits: 'Hits',
  time: 'Found',
  states: {
    waiting: 'Still being written',
    hashing: 'Hashing',
    scanning: 'Scanning',
    drafted: 'In draft',
    known: 'Seen before',
    'left-out': 'Skipped',
  } satisfies Record<WatchedFile['state'], string>,
  notScanned: 'Not scanned',
  triedAgain: 'Will retry',
  openUpload: 'Open Upload',
  clear: 'Clear list',
} as const;
