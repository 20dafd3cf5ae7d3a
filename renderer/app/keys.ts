import { assertNever } from '../../shared/assert-never.ts';
import type { KeyRow, KeyRows } from '../components/key-cap.tsx';
import type { Navigation } from './navigation.tsx';
import { text } from './text.ts';

/** They work everywhere. */
const globalKeys: readonly KeyRow[] = [
  { keys: 'Ctrl K', does: 'Look up a hash, find a sample or run a command' },
  { keys: 'Ctrl 1', does: 'Open Library' },
  { keys: 'Ctrl 2', does: 'Open Look up' },
  { keys: 'Ctrl 3', does: 'Open Bulk download' },
  { keys: 'Ctrl 4', does: 'Open Upload' },
  { keys: 'Ctrl 5', does: 'Open Comments' },
  { keys: 'Ctrl 6', does: 'Open Scan' },
  { keys: 'Ctrl 7', does: 'Open Publications' },
  { keys: 'Ctrl 8', does: 'Open Activity' },
  { keys: 'Ctrl 9', does: 'Open Journal' },
  { keys: 'Ctrl ,', does: 'Open Settings' },
  { keys: 'Ctrl B', does: 'Collapse or expand sidebar (wide windows)' },
  { keys: 'Ctrl Z', does: 'Undo, while a notification offers it' },
  { keys: 'F6', does: 'Next pane' },
  { keys: 'Shift F6', does: 'Previous pane' },
  { keys: '?', does: 'Show keyboard shortcuts' },
];

const libraryKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Search samples; Down goes to the list' },
  { keys: 'Ctrl Space', does: 'Show search suggestions' },
  { keys: 'Enter', does: 'Open sample' },
  { keys: 'Space', does: 'Show or hide inspector' },
  { keys: 'T', does: 'Tag the sample or the selected samples' },
  { keys: 'L', does: 'Set TLP' },
  { keys: 'D', does: 'Download samples not in the vault' },
  { keys: 'E', does: 'Export…' },
  { keys: 'S', does: 'Scan on this computer' },
  { keys: 'C', does: 'Copy menu' },
  { keys: 'Del', does: 'Forget samples, or only their vault copies' },
];

const savedViewKeys: readonly KeyRow[] = [
  { keys: 'F2', does: 'Rename view' },
  { keys: 'Alt Up', does: 'Move view up' },
  { keys: 'Alt Down', does: 'Move view down' },
  { keys: 'Del', does: 'Remove view' },
];

const sampleKeys: readonly KeyRow[] = [
  { keys: 'D', does: 'Download to the vault' },
  { keys: 'E', does: 'Export…' },
  { keys: 'S', does: 'Scan on this computer' },
  { keys: 'C', does: 'Copy menu' },
  { keys: 'T', does: 'Add tag' },
  { keys: 'L', does: 'Set local TLP' },
  { keys: 'B', does: 'Show or hide bytes' },
  { keys: 'R', does: 'Refresh' },
  { keys: 'Ctrl S', does: 'Save note' },
  { keys: 'Ctrl Enter', does: 'Send comment' },
];

const samplePageKeys: readonly KeyRow[] = [...sampleKeys, { keys: 'Esc', does: 'Back to the list' }];

const lookupKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Go to search field' },
  ...sampleKeys,
  { keys: 'Esc', does: 'Stop waiting, or back to all hashes' },
  { keys: 'J, K', does: 'Next and previous hash' },
];

const bulkKeys: readonly KeyRow[] = [
  { keys: 'Ctrl Enter', does: 'Start download' },
  { keys: '/', does: 'Go to the text, before the job starts' },
];

const uploadKeys: readonly KeyRow[] = [
  { keys: 'Ctrl Enter', does: 'Send files' },
  { keys: 'Enter, F2', does: 'Edit fields of a file; Esc goes back' },
  { keys: 'X', does: 'Tick or untick file' },
  { keys: 'T', does: 'Tag ticked files' },
  { keys: 'L', does: 'Set TLP of ticked files' },
  { keys: 'Del', does: 'Remove ticked files' },
];

const commentsKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Find comments; Down goes to the list' },
  { keys: 'J, K', does: 'Down and up, like the arrow keys' },
  { keys: 'Enter', does: 'Go to conversation' },
  { keys: 'Esc', does: 'Back to the list' },
  { keys: 'Ctrl Enter', does: 'Send comment' },
];

const scanStartKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Find samples in the vault; Down goes to the list' },
  { keys: 'X', does: 'Tick or untick sample' },
  { keys: 'Del', does: 'Remove file from the list' },
  { keys: 'Ctrl Enter', does: 'Start scan' },
  { keys: 'Enter', does: 'Open previous scan' },
];

const scanResultsKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Find results; Down goes to the list' },
  { keys: 'J, K', does: 'Down and up, like the arrow keys' },
  { keys: 'Enter', does: 'Go from rule to files, from file to rules, then to the bytes' },
  { keys: 'Esc', does: 'Back' },
  { keys: 'N, P', does: 'Next and previous match of the rule' },
  { keys: 'G', does: 'In the bytes: go to offset' },
  { keys: 'Ctrl F', does: 'In the bytes: find text or hex digits' },
  { keys: 'C', does: 'Copy menu' },
  { keys: 'T', does: 'Tag the sample or all listed samples' },
  { keys: 'M', does: 'Mute rule' },
  { keys: 'E', does: 'Export listed results' },
];

const updatesKeys: readonly KeyRow[] = [
  { keys: 'U', does: 'Activate the shown package' },
  { keys: 'J, K', does: 'Down and up, like the arrow keys' },
  { keys: 'Enter', does: 'Go from package to changes, from change to text' },
  { keys: 'Esc', does: 'Back from text to change' },
];

const rulesKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Search rules; Down goes to the list' },
  { keys: 'J, K', does: 'Down and up, like the arrow keys' },
  { keys: 'Enter', does: 'Go to rule source' },
  { keys: 'Esc', does: 'Back to the list' },
  { keys: 'M', does: 'Mute rule' },
  { keys: 'S', does: 'Hunt vault with rule' },
  { keys: 'Y', does: 'Try a rule change' },
];

const mutesKeys: readonly KeyRow[] = [
  { keys: 'J, K', does: 'Down and up, like the arrow keys' },
  { keys: 'Enter', does: 'Edit reason or end of mute' },
  { keys: 'U', does: 'Unmute rule' },
];

const tableKeys: readonly KeyRow[] = [
  { keys: 'J, K', does: 'Down and up, like the arrow keys' },
  { keys: 'Up', does: 'From the first row to the column headers; Enter sorts' },
  { keys: 'X', does: 'Select or deselect row' },
  { keys: 'Shift', does: 'With an arrow key or click: select the range' },
  { keys: 'Ctrl A', does: 'Select all, loaded or not' },
  { keys: 'Esc', does: 'Deselect all' },
  { keys: 'Enter', does: 'Open row' },
];

const jobKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Find a hash or name' },
  { keys: 'R', does: 'Retry failed items' },
  { keys: 'C', does: 'Copy menu' },
  { keys: 'E', does: 'Export…' },
];

const journalKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Find entries; Down goes to the list' },
  { keys: 'J, K', does: 'Down and up, like the arrow keys' },
  { keys: 'Enter', does: 'Go to entry details' },
  { keys: 'Esc', does: 'Back to the list' },
  { keys: 'V', does: 'Verify journal' },
  { keys: 'E', does: 'Export listed entries' },
];

const welcomeKeys: readonly KeyRow[] = [{ keys: 'Esc', does: 'Skip welcome' }];

const tables = {
  global: { title: text.keysGlobal, rows: globalKeys },
  library: { title: text.keysLibrary, rows: libraryKeys },
  savedViews: { title: text.keysSavedViews, rows: savedViewKeys },
  sample: { title: text.keysSample, rows: samplePageKeys },
  lookup: { title: text.keysLookup, rows: lookupKeys },
  bulk: { title: text.keysBulk, rows: bulkKeys },
  upload: { title: text.keysUpload, rows: uploadKeys },
  comments: { title: text.keysComments, rows: commentsKeys },
  scanStart: { title: text.keysScan, rows: scanStartKeys },
  scanResults: { title: text.keysScanResults, rows: scanResultsKeys },
  updates: { title: text.keysUpdates, rows: updatesKeys },
  rules: { title: text.keysRules, rows: rulesKeys },
  mutes: { title: text.keysMutes, rows: mutesKeys },
  table: { title: text.keysTable, rows: tableKeys },
  job: { title: text.keysJob, rows: jobKeys },
  journal: { title: text.keysJournal, rows: journalKeys },
  welcome: { title: text.keysWelcome, rows: welcomeKeys },
} as const satisfies Record<string, KeyRows>;

/** Of every place, in the order of the rooms. */
export const everyKeyTable: readonly KeyRows[] = Object.values(tables);

/** What `?` shows: the keys of everywhere, then those of the place one is in. */
export function keyTablesOf(
  place: Pick<Navigation, 'room' | 'publicationsTab' | 'shownScan' | 'shownSample'>,
): KeyRows[] {
  return [tables.global, ...tablesOfRoom(place)];
}

function tablesOfRoom({
  room,
  publicationsTab,
  shownScan,
  shownSample,
}: Pick<Navigation, 'room' | 'publicationsTab' | 'shownScan' | 'shownSample'>): KeyRows[] {
  switch (room) {
    case 'library':
      return shownSample === null ? [tables.savedViews, tables.library, tables.table] : [tables.sample];
    case 'lookup':
      return [tables.lookup];
    case 'bulk-download':
      return [tables.bulk, tables.table, tables.job];
    case 'upload':
      return [tables.upload, tables.table, tables.job];
    case 'comments':
      return [tables.comments];
    case 'scan':
      return [shownScan === null ? tables.scanStart : tables.scanResults];
    case 'publications':
      return publicationsTab === 'publish' ? [] : [tables[publicationsTab]];
    case 'activity':
      return [tables.table, tables.job];
    case 'journal':
      return [tables.journal];
    case 'welcome':
      return [tables.welcome];
    case 'settings':
      return [];
    default:
      return assertNever(room);
  }
}
