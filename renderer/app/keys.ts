import { assertNever } from '../../shared/assert-never.ts';
import type { KeyRow, KeyRows } from '../components/key-table.tsx';
import type { Navigation } from './navigation.tsx';
import { text } from './text.ts';

/** They work everywhere. */
const globalKeys: readonly KeyRow[] = [
  { keys: 'Ctrl K', does: 'Look up a hash, find a sample or run a command' },
  { keys: 'Ctrl 1', does: 'Open the library' },
  { keys: 'Ctrl 2', does: 'Open the look-up' },
  { keys: 'Ctrl 3', does: 'Open the bulk download' },
  { keys: 'Ctrl 4', does: 'Open the upload' },
  { keys: 'Ctrl 5', does: 'Open the comments' },
  { keys: 'Ctrl 6', does: 'Open the scan' },
  { keys: 'Ctrl 7', does: 'Open the publications' },
  { keys: 'Ctrl 8', does: 'Open the activity' },
  { keys: 'Ctrl 9', does: 'Open the journal' },
  { keys: 'Ctrl ,', does: 'Open the settings' },
  { keys: 'Ctrl B', does: 'Fold or unfold the rail, in a wide window' },
  { keys: 'Ctrl Z', does: 'Undo, while a notification offers it' },
  { keys: 'F6', does: 'Next pane' },
  { keys: 'Shift F6', does: 'Pane before' },
  { keys: '?', does: 'Show these keys' },
];

const libraryKeys: readonly KeyRow[] = [
  { keys: '/', does: 'To the query; Down leads to the list' },
  { keys: 'Ctrl Space', does: 'Show what may follow in the query' },
  { keys: 'Enter', does: 'Open the sample' },
  { keys: 'Space', does: 'Show or hide the inspector' },
  { keys: 'T', does: 'Tag the sample, or those that are ticked' },
  { keys: 'L', does: 'Set their TLP' },
  { keys: 'D', does: 'Download what is not in the vault' },
  { keys: 'E', does: 'Export…' },
  { keys: 'S', does: 'Scan them here' },
  { keys: 'C', does: 'Copy menu' },
  { keys: 'Del', does: 'Forget them, or the vault’s copy alone' },
];

const savedViewKeys: readonly KeyRow[] = [
  { keys: 'F2', does: 'Rename the view' },
  { keys: 'Alt Up', does: 'Move the view up' },
  { keys: 'Alt Down', does: 'Move the view down' },
  { keys: 'Del', does: 'Remove the view' },
];

const sampleKeys: readonly KeyRow[] = [
  { keys: 'D', does: 'Download into the vault' },
  { keys: 'E', does: 'Export…' },
  { keys: 'S', does: 'Scan the sample here' },
  { keys: 'C', does: 'Copy menu' },
  { keys: 'T', does: 'Add a tag' },
  { keys: 'L', does: 'Set the TLP of this desk' },
  { keys: 'B', does: 'Show or hide the bytes' },
  { keys: 'R', does: 'Ask again' },
  { keys: 'Ctrl S', does: 'Save the note' },
  { keys: 'Ctrl Enter', does: 'Send the comment that is being written' },
];

const samplePageKeys: readonly KeyRow[] = [...sampleKeys, { keys: 'Esc', does: 'Back to the list' }];

const lookupKeys: readonly KeyRow[] = [
  { keys: '/', does: 'To the field' },
  ...sampleKeys,
  { keys: 'Esc', does: 'Stop waiting, or back to all hashes' },
  { keys: 'J, K', does: 'Down and up in a list of hashes' },
];

const bulkKeys: readonly KeyRow[] = [
  { keys: 'Ctrl Enter', does: 'Start the download' },
  { keys: '/', does: 'To the text, before there is a job' },
];

const uploadKeys: readonly KeyRow[] = [
  { keys: 'Ctrl Enter', does: 'Send the files' },
  { keys: 'Enter, F2', does: 'Into the fields of a file; Esc leads back' },
  { keys: 'X', does: 'Tick or untick the file' },
  { keys: 'T', does: 'Add a tag to the ticked files' },
  { keys: 'L', does: 'Set the TLP of the ticked files' },
  { keys: 'Del', does: 'Remove the ticked files' },
];

const commentsKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Find comments; Down leads to the list' },
  { keys: 'J, K', does: 'Down and up, as the arrows do' },
  { keys: 'Enter', does: 'To the conversation' },
  { keys: 'Esc', does: 'Back to the list' },
  { keys: 'Ctrl Enter', does: 'Send the comment that is being written' },
];

const scanStartKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Find samples of the vault; Down leads to the list' },
  { keys: 'X', does: 'Tick or untick the sample' },
  { keys: 'Del', does: 'Take the file out of the list' },
  { keys: 'Ctrl Enter', does: 'Scan what is chosen' },
  { keys: 'Enter', does: 'Open an earlier scan' },
];

const scanResultsKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Find results; Down leads to the list' },
  { keys: 'J, K', does: 'Down and up, as the arrows do' },
  { keys: 'Enter', does: 'From a rule to its files, from a file to its rules, on to the bytes' },
  { keys: 'Esc', does: 'Back again' },
  { keys: 'N, P', does: 'Next match of the rule, match before' },
  { keys: 'G', does: 'In the bytes: go to an offset' },
  { keys: 'Ctrl F', does: 'In the bytes: find text or digits' },
  { keys: 'C', does: 'Copy menu' },
  { keys: 'T', does: 'Tag the sample, or all that are listed' },
  { keys: 'M', does: 'Mute the rule' },
  { keys: 'E', does: 'Export what is listed' },
];

const updatesKeys: readonly KeyRow[] = [
  { keys: 'U', does: 'Make the package that is shown the active one' },
  { keys: 'J, K', does: 'Down and up, as the arrows do' },
  { keys: 'Enter', does: 'From a package to its changes, from a change to its text' },
  { keys: 'Esc', does: 'From the text back to the change' },
];

const rulesKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Search rules; Down leads to the list' },
  { keys: 'J, K', does: 'Down and up, as the arrows do' },
  { keys: 'Enter', does: 'To the source of the rule' },
  { keys: 'Esc', does: 'Back to the list' },
  { keys: 'M', does: 'Mute the rule' },
  { keys: 'S', does: 'Scan the vault with the rule' },
  { keys: 'Y', does: 'Try a change of the rule' },
];

const mutesKeys: readonly KeyRow[] = [
  { keys: 'J, K', does: 'Down and up, as the arrows do' },
  { keys: 'Enter', does: 'Edit the reason or the end of the mute' },
  { keys: 'U', does: 'Unmute the rule' },
];

const tableKeys: readonly KeyRow[] = [
  { keys: 'J, K', does: 'Down and up, as the arrows do' },
  { keys: 'Up', does: 'From the first row to the column heads; Enter sorts' },
  { keys: 'X', does: 'Tick or untick the row' },
  { keys: 'Shift', does: 'With a movement or a click: tick up to there' },
  { keys: 'Ctrl A', does: 'Tick all, loaded or not' },
  { keys: 'Esc', does: 'Tick none' },
  { keys: 'Enter', does: 'Open the row' },
];

const jobKeys: readonly KeyRow[] = [
  { keys: '/', does: 'To the field that finds a hash' },
  { keys: 'R', does: 'Try again what may still succeed' },
  { keys: 'C', does: 'Copy menu' },
  { keys: 'E', does: 'Export…' },
];

const journalKeys: readonly KeyRow[] = [
  { keys: '/', does: 'Find rows; Down leads to the list' },
  { keys: 'J, K', does: 'Down and up, as the arrows do' },
  { keys: 'Enter', does: 'To the whole of the row' },
  { keys: 'Esc', does: 'Back to the list' },
  { keys: 'V', does: 'Verify the chain' },
  { keys: 'E', does: 'Export the rows that are listed' },
];

const welcomeKeys: readonly KeyRow[] = [{ keys: 'Esc', does: 'Skip the welcome' }];

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
