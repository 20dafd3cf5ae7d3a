export interface KeyRow {
  keys: string;
  does: string;
}

/** What `?` shows. */
export const globalKeys: readonly KeyRow[] = [
  { keys: 'Ctrl K', does: 'Look up a hash' },
  { keys: 'Ctrl 1', does: 'Open the look-up' },
  { keys: 'Ctrl ,', does: 'Open the settings' },
  { keys: 'Ctrl B', does: 'Fold or unfold the rail' },
  { keys: 'F6', does: 'Next pane' },
  { keys: 'Shift F6', does: 'Pane before' },
  { keys: '?', does: 'Show these keys' },
];

export const lookupKeys: readonly KeyRow[] = [
  { keys: '/', does: 'To the field' },
  { keys: 'D', does: 'Download into the vault' },
  { keys: 'E', does: 'Export as ZIP' },
  { keys: 'C', does: 'Copy menu' },
  { keys: 'R', does: 'Ask again' },
  { keys: 'Esc', does: 'Stop waiting, or back to all hashes' },
  { keys: 'J, K', does: 'Down and up in a list of hashes' },
];
