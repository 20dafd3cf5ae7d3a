const number = (count: number): string => count.toLocaleString('en');
const rows = (count: number): string => `${number(count)} ${count === 1 ? 'row' : 'rows'}`;

/** English of the journal. */
export const text = {
  title: 'Journal',
  line: (count: number, isSearched: boolean) => (isSearched ? `${rows(count)} found, newest first` : `${rows(count)}, newest first`),
  reading: 'Reading',
  newRows: (count: number) => `${number(count)} new ${count === 1 ? 'row' : 'rows'}`,
  verify: 'Verify',
  list: 'Rows of the journal',
  columns: { number: 'No.', time: 'Time', operation: 'Operation', hash: 'Hash', workspace: 'Workspace', outcome: 'Outcome', detail: 'Detail' },
  noRow: 'no row any more',
  noRowMeaning: 'What is stored under this number is no row any more: it was changed by something else than this desk. A file of the rows has it as it is.',
  broken: 'broken',
  goneAfter: 'rows are gone after this one',

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
  fromLabel: 'From, a day or a minute in UTC',
  beforeLabel: 'Before, a day or a minute in UTC',
  notATime: 'No day or minute: write it like 2026-11-18 or 2026-11-18 14:21',
  beforeFrom: 'Not behind From: no row is in between',
  showAll: 'Show all rows',

  row: (numberOf: number) => `Row ${number(numberOf)}`,
  close: 'Close the row',
  openSample: 'Open the sample',
  facts: { time: 'Time', operation: 'Operation', outcome: 'Outcome', workspace: 'Workspace', hash: 'Hash' },
  detail: 'Detail',
  noDetail: 'There is none.',
  yes: 'yes',
  no: 'no',
  none: 'none',
  fields: {
    job: 'job', archive: 'archive', sizeBytes: 'size', bytes: 'size', files: 'files', folder: 'folder', to: 'to', form: 'as', of: 'of', rows: 'rows', encryption: 'encryption',
    receiver: 'receiver', service: 'rule editor', local: 'this desk', virusTotal: 'VirusTotal', sandbox: 'sandbox', tlp: 'TLP', withComment: 'with a comment', tags: 'tags', scope: 'scope', version: 'version',
    group: 'group', rules: 'rules', broken: 'broken rules', step: 'step', from: 'from', offered: 'offered', samples: 'samples', failed: 'failed', name: 'name',
    repository: 'repository', ruleEditor: 'rule editor', forgetLibrary: 'library forgotten', key: 'key', package: 'package', sha256: 'SHA-256', comment: 'comment', remoteId: 'number at the service',
    rule: 'rule', sample: 'sample', reason: 'reason', expires: 'ends', leftAlone: 'left alone', parts: 'with', title: 'title', written: 'written', made: 'backup of', restored: 'restored',
    allowHttp: 'unencrypted', trust: 'trusted certificates', repositoryToken: 'repository token', ruleEditorToken: 'rule editor token',
  },

  export: { verb: 'Export', menu: 'Export the rows that are listed', ready: 'The journal is ready', readySentence: 'The rows as they are stored, with what chains them. The link works once.', save: 'Save the file' },

  emptyTitle: 'Nothing done yet',
  emptySentence: 'Each look-up, download, upload, comment, scan, export and rule update is written here, with its time and outcome.',
  emptyAction: 'Look up a sample',
  noneTitle: 'No row found',
  noneSentence: 'None of the rows is of these operations, workspaces and times, and has these words in it.',
} as const;
