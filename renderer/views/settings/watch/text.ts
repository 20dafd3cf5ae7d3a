import type { WatchedFile } from '../../../../shared/domain/watch.ts';

const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

/** English of the watched folder. */
export const text = {
  sentence:
    'What comes into this folder is put into the upload draft of a workspace as soon as it is whole, and scanned on this computer with its active rules.',
  nothingSent:
    'Nothing is sent, and no service is asked about it, before you tick it in Upload. The files stay where they are and are never moved, changed or deleted.',
  reach: 'Folders in it count, up to eight deep; links are not followed. It may hold 100,000 files.',
  reading: 'Reading…',
  folder: 'Folder',
  none: 'None was chosen',
  choose: 'Choose a folder…',
  chooseAnother: 'Choose another folder…',
  startOption:
    'Here the folder is named at the start: end Vitrine, start it with --watch and the folder, and choose it then.',
  notNamed: 'None was named when this one was started.',
  workspace: 'Workspace',
  workspaceOf: (name: string) => `Workspace whose draft gets the files: ${name}`,
  workspaces: 'Workspace whose draft gets the files',
  noWorkspace: 'None',
  turnOn: 'Watch this folder',
  isOff: 'It is off. What comes into it is not looked at.',
  isOn: (leftAlone: number) =>
    leftAlone === 0
      ? 'It is on.'
      : `It is on. ${files(leftAlone)} that ${leftAlone === 1 ? 'was' : 'were'} there before ${leftAlone === 1 ? 'is' : 'are'} left alone.`,

  found: 'What came',
  newest: (shown: number, found: number) => (shown < found ? `The newest ${shown} of ${files(found)}` : files(found)),
  nothingYet: 'Nothing has come into it yet.',
  file: 'File',
  size: 'Size',
  state: 'State',
  hits: 'Hits',
  time: 'Found',
  states: {
    waiting: 'Waiting for its end',
    hashing: 'Hashing',
    scanning: 'Scanning',
    drafted: 'In the draft',
    known: 'Came before',
    'left-out': 'Left out',
  } satisfies Record<WatchedFile['state'], string>,
  notScanned: 'Not scanned',
  triedAgain: 'Tried again later',
  openUpload: 'Open Upload',
  clear: 'Clear the list',
} as const;
