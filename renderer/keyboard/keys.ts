import { assertNever } from '../../shared/assert-never.ts';
import type { KeyRow, KeyRows } from '../components/key-cap.tsx';
import { type Navigation, sidebarViews } from '../state/navigation.tsx';

/** `keys` as they are shown. */
const key = (keys: string, does: string): KeyRow => ({ keys, does });

/** Ctrl 1 for the first view of the sidebar, and so on; by the name of the view. */
export const viewKeys: Readonly<Record<string, KeyRow>> = Object.fromEntries(
  sidebarViews.map(({ name, title }, at) => [name, key(`Ctrl ${at + 1}`, `Open ${title}`)]),
);

const sampleKeys = {
  download: key('D', 'Download to the vault'),
  export: key('E', 'Export…'),
  scan: key('S', 'Scan on this computer'),
  copy: key('C', 'Copy menu'),
  tag: key('T', 'Add tag'),
  tlp: key('L', 'Set local TLP'),
  note: key('W', 'Write note'),
  bytes: key('B', 'Show or hide bytes'),
  refresh: key('R', 'Refresh'),
  saveNote: key('Ctrl S', 'Save note'),
  sendComment: key('Ctrl Enter', 'Send comment'),
};

/**
 * Every shortcut of the page, by the place it works in. The help, the hints on buttons and in the palette, and the
 * shortcuts that work everywhere are read from here.
 */
export const keys = {
  global: {
    palette: key('Ctrl K', 'Look up a hash, find a sample or run a command'),
    ...viewKeys,
    settings: key('Ctrl ,', 'Open Settings'),
    sidebar: key('Ctrl B', 'Collapse or expand sidebar (wide windows)'),
    undo: key('Ctrl Z', 'Undo, while a notification offers it'),
    nextPane: key('F6', 'Next pane'),
    previousPane: key('Shift F6', 'Previous pane'),
    help: key('?', 'Show keyboard shortcuts'),
  },
  savedViews: {
    rename: key('F2', 'Rename view'),
    up: key('Alt Up', 'Move view up'),
    down: key('Alt Down', 'Move view down'),
    remove: key('Del', 'Remove view'),
  },
  library: {
    search: key('/', 'Search samples; Down goes to the list'),
    suggest: key('Ctrl Space', 'Show search suggestions'),
    open: key('Enter', 'Open sample'),
    inspector: key('Space', 'Show or hide inspector'),
    tag: key('T', 'Tag the sample or the selected samples'),
    tlp: key('L', 'Set TLP'),
    download: key('D', 'Download samples not in the vault'),
    export: key('E', 'Export…'),
    scan: key('S', 'Scan on this computer'),
    copy: key('C', 'Copy menu'),
    compare: key('O', 'Compare 2 to 4 selected samples'),
    forget: key('Del', 'Forget samples, or only their vault copies'),
  },
  sample: { ...sampleKeys, back: key('Esc', 'Back to the list') },
  lookup: {
    search: key('/', 'Go to search field'),
    ...sampleKeys,
    compare: key('O', 'In the table of hashes: compare 2 to 4 selected samples'),
    stop: key('Esc', 'Stop waiting, or back to all hashes'),
    move: key('J, K', 'Next and previous hash'),
  },
  bulk: {
    start: key('Ctrl Enter', 'Start download'),
    text: key('/', 'Go to the text, before the job starts'),
  },
  upload: {
    send: key('Ctrl Enter', 'Send files'),
    edit: key('Enter, F2', 'Edit fields of a file; Esc goes back'),
    tick: key('X', 'Tick or untick file'),
    tag: key('T', 'Tag ticked files'),
    tlp: key('L', 'Set TLP of ticked files'),
    remove: key('Del', 'Remove ticked files'),
  },
  comments: {
    find: key('/', 'Find comments; Down goes to the list'),
    move: key('J, K', 'Down and up, like the arrow keys'),
    open: key('Enter', 'Go to conversation'),
    back: key('Esc', 'Back to the list'),
    send: key('Ctrl Enter', 'Send comment'),
  },
  scanStart: {
    find: key('/', 'Find samples in the vault; Down goes to the list'),
    tick: key('X', 'Tick or untick sample'),
    remove: key('Del', 'Remove file from the list'),
    start: key('Ctrl Enter', 'Start scan'),
    openPrevious: key('Enter', 'Open previous scan'),
  },
  scanResults: {
    find: key('/', 'Find results; Down goes to the list'),
    move: key('J, K', 'Down and up, like the arrow keys'),
    open: key('Enter', 'Go from rule to files, from file to rules, then to the bytes'),
    back: key('Esc', 'Back'),
    nextMatch: key('N, P', 'Next and previous match of the rule'),
    goToOffset: key('G', 'In the bytes: go to offset'),
    findBytes: key('Ctrl F', 'In the bytes: find text or hex digits'),
    copy: key('C', 'Copy menu'),
    tag: key('T', 'Tag the sample or all listed samples'),
    mute: key('M', 'Mute rule'),
    export: key('E', 'Export listed results'),
  },
  updates: {
    activate: key('U', 'Activate the shown package'),
    move: key('J, K', 'Down and up, like the arrow keys'),
    open: key('Enter', 'Go from package to changes, from change to text'),
    nextChange: key('N, P', 'Next and previous change'),
    wrap: key('W', 'Wrap long lines of the shown text'),
    back: key('Esc', 'Back from text to change'),
  },
  rules: {
    search: key('/', 'Search rules; Down goes to the list'),
    move: key('J, K', 'Down and up, like the arrow keys'),
    open: key('Enter', 'Go to rule source'),
    back: key('Esc', 'Back to the list'),
    mute: key('M', 'Mute rule'),
    hunt: key('S', 'Hunt vault with rule'),
    try: key('Y', 'Try a rule change'),
  },
  mutes: {
    move: key('J, K', 'Down and up, like the arrow keys'),
    edit: key('Enter', 'Edit reason or end of mute'),
    unmute: key('U', 'Unmute rule'),
  },
  table: {
    move: key('J, K', 'Down and up, like the arrow keys'),
    headers: key('Up', 'From the first row to the column headers; Enter sorts'),
    select: key('X', 'Select or deselect row'),
    range: key('Shift', 'With an arrow key or click: select the range'),
    selectAll: key('Ctrl A', 'Select all, loaded or not'),
    deselect: key('Esc', 'Deselect all'),
    open: key('Enter', 'Open row'),
    menu: key('Shift F10', 'Actions for the row, as with a right click'),
  },
  job: {
    find: key('/', 'Find a hash or name'),
    retry: key('R', 'Retry failed items'),
    copy: key('C', 'Copy menu'),
    export: key('E', 'Export…'),
  },
  journal: {
    find: key('/', 'Find entries; Down goes to the list'),
    move: key('J, K', 'Down and up, like the arrow keys'),
    open: key('Enter', 'Go to entry details'),
    back: key('Esc', 'Back to the list'),
    verify: key('V', 'Verify journal'),
    export: key('E', 'Export listed entries'),
  },
  welcome: {
    skip: key('Esc', 'Skip welcome'),
  },
};

const tables = {
  global: table('Everywhere', keys.global),
  library: table('Library', keys.library),
  savedViews: table('Saved views', keys.savedViews),
  sample: table('Sample', keys.sample),
  lookup: table('Look up', keys.lookup),
  bulk: table('Bulk download', keys.bulk),
  upload: table('Upload', keys.upload),
  comments: table('Comments', keys.comments),
  scanStart: table('New scan', keys.scanStart),
  scanResults: table('Scan results', keys.scanResults),
  updates: table('Updates', keys.updates),
  rules: table('Rules', keys.rules),
  mutes: table('Mutes', keys.mutes),
  table: table('Tables', keys.table),
  job: table('Job', keys.job),
  journal: table('Journal', keys.journal),
  welcome: table('Welcome', keys.welcome),
} as const satisfies Record<string, KeyRows>;

function table(title: string, rows: Readonly<Record<string, KeyRow>>): KeyRows {
  return { title, rows: Object.values(rows) };
}

/** Of every place, in the order of the views. */
export const everyKeyTable: readonly KeyRows[] = Object.values(tables);

const withCtrl = new Map(
  Object.entries(keys.global).flatMap(([id, row]) =>
    row.keys.startsWith('Ctrl ') ? [[row.keys.slice('Ctrl '.length).toLowerCase(), id] as const] : [],
  ),
);

/** The global shortcut of a key that is pressed with Ctrl; for a view its name. */
export const globalShortcut = (pressed: string): string | undefined => withCtrl.get(pressed);

/** As `aria-keyshortcuts` names them: https://www.w3.org/TR/wai-aria-1.2/#aria-keyshortcuts */
export const spokenKeys = (shown: string): string =>
  shown.replaceAll('Ctrl ', 'Control+').replace(/^Del$/, 'Delete').replace(/^Esc$/, 'Escape');

/** What `?` shows: the keys of everywhere, then those of the place one is in. */
export function keyTablesOf(
  place: Pick<Navigation, 'currentView' | 'publicationsTab' | 'shownScan' | 'shownSample'>,
): KeyRows[] {
  return [tables.global, ...tablesOfView(place)];
}

function tablesOfView({
  currentView,
  publicationsTab,
  shownScan,
  shownSample,
}: Pick<Navigation, 'currentView' | 'publicationsTab' | 'shownScan' | 'shownSample'>): KeyRows[] {
  switch (currentView) {
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
      return assertNever(currentView);
  }
}
