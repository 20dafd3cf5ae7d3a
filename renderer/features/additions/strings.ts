const many = (count: number): string => count.toLocaleString('en');
const files = (count: number): string => (count === 1 ? '1 file' : `${many(count)} files`);

/** English of adding local files to the vault. */
export const text = {
  button: 'Add files…',
  words: 'import local vault store upload',
  title: 'Add files to the vault',
  sentence: 'Files are copied to the vault and stored encrypted. Nothing is sent, and no service is contacted.',
  none: 'No files chosen',
  chosen: (count: number, size: string) => `${files(count)}, ${size}`,
  reading: (read: number, found: number) => `Reading: ${many(read)} of ${many(found)}`,
  pickFiles: 'Choose files…',
  pickFolder: 'Choose folder…',
  clear: 'Clear',
  opensArchives: 'Open ZIP archives and store their contents',
  passwords: 'Passwords for archives',
  passwordsHint: 'One per line. Optional: common passwords are always tried. Never stored.',
  passwordTooLong: 'At most 1,000 passwords of 128 characters',
  cancel: 'Cancel',
  add: (count: number) => (count === 0 ? 'Add' : `Add ${files(count)}`),
  adding: 'Adding…',
  begun: (count: number, job: number) => `Adding ${files(count)} (job ${job})`,
  show: 'Show',
  halted: 'Not all files were read',
  haltedAfter: (notTaken: number) => `${files(notTaken)} not read. The others are listed.`,

  dropTitle: 'Drop to add to the vault',
  dropThen: 'Files and folders are stored encrypted. Nothing is sent.',

  table: (job: number) => `Files of job ${job}`,
  columns: { name: 'File', outcome: 'Status', reason: 'Reason', type: 'Type', size: 'Bytes', sha256: 'SHA-256' },
  all: 'all',
  toSee: 'to review',
  narrow: 'Filter files',
  noFile: 'No files',
  noFileYet: (state: string) => `No file yet: ${state}`,
  outcomes: {
    stored: 'Stored',
    'already-here': 'Already here',
    opened: 'Opened',
    empty: 'Empty',
    failed: 'Failed',
    waiting: 'Waiting',
  },
  closed: {
    open: 'Stored with its contents',
    partly: 'Stored with the contents that could be opened',
    locked: 'Stored as is: no known password opens it',
    refused: 'Stored as is: it cannot be opened',
  },
  members: (count: number) => (count === 1 ? '1 member' : `${many(count)} members`),

  names: 'Names',
  nameIn: (place: string) => `in ${place}`,
  allNames: (count: number) => `Show all ${many(count)} names`,
} as const;
