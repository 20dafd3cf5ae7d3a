const number = (count: number): string => count.toLocaleString('en');
const entries = (count: number): string => `${number(count)} ${count === 1 ? 'entry' : 'entries'}`;

/** English of the journal. */
export const text = {
  title: 'Journal',
  line: (count: number, isSearched: boolean) =>
    isSearched ? `${entries(count)} found, newest first` : `${entries(count)}, newest first`,
  reading: 'Loading…',
  newRows: (count: number) => `${number(count)} new ${count === 1 ? 'entry' : 'entries'}`,
  verify: 'Verify',
  list: 'Journal entries',
  columns: {
    number: 'No.',
    time: 'Time',
    operation: 'Operation',
    hash: 'Hash',
    workspace: 'Workspace',
    outcome: 'Outcome',
    detail: 'Detail',
  },
  noRow: 'unreadable entry',
  noRowMeaning: 'Another program changed this entry, so it cannot be read. Export the entries to get its raw content.',
  broken: 'broken',
  goneAfter: 'entries are missing after this one',

  find: 'Find in hash, outcome and detail',
  operations: 'Operations',
  allOperations: 'All operations',
  someOperations: (count: number) => `${number(count)} operations`,
  workspaces: 'Workspaces',
  allWorkspaces: 'All workspaces',
  removedWorkspace: (name: string) => `Removed: ${name}`,
  from: 'From',
  before: 'Before',
  timeHint: 'YYYY-MM-DD hh:mm',
  fromLabel: 'From (UTC date or time)',
  beforeLabel: 'Before (UTC date or time)',
  notATime: 'Enter a UTC date or time, such as 2026-11-18 or 2026-11-18 14:21',
  beforeFrom: 'Must be later than From',
  showAll: 'Show all entries',

  row: (numberOf: number) => `Entry ${number(numberOf)}`,
  close: 'Close entry',
  openSample: 'Open sample',
  facts: { time: 'Time', operation: 'Operation', outcome: 'Outcome', workspace: 'Workspace', hash: 'Hash' },
  detail: 'Detail',
  noDetail: 'None',
  export: {
    verb: 'Export…',
    menu: 'Export listed entries',
    ready: 'Journal export ready',
    readySentence: 'Contains the entries as stored, with their chain. The link works once.',
    save: 'Save file',
  },

  emptyTitle: 'No entries yet',
  emptySentence:
    'Look-ups, downloads, uploads, comments, scans, exports and rule updates are logged here with time and outcome.',
  emptyAction: 'Look up a sample',
  noneTitle: 'No entries found',
  noneSentence: 'No entry matches these filters.',
} as const;
