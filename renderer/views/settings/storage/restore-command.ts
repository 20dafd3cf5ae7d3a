/**
 * What a person puts into a terminal to have a backup restored; the place of the new folder is theirs to fill in. A
 * packaged desktop is started with it; where it runs from its sources, that is in their folder.
 */
export function restoreCommand(backup: string, { isPackaged }: { isPackaged: boolean }): string {
  return isPackaged
    ? `vitrine --restore ${quoted(backup)} --data NEW_FOLDER`
    : `npm run -s vitrine -- restore ${quoted(backup)} --data NEW_FOLDER`;
}

/** As the shells of the system take it whose path it is. */
const quoted = (path: string): string =>
  /^(?:[A-Za-z]:|\\\\)/.test(path) ? quotedOnWindows(path) : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/**
 * A path there has no quotation mark in it. What PowerShell would read something into between two of them stands in its
 * single ones; else the command prompt takes it too, where a backslash at the end would take the mark with it.
 */
function quotedOnWindows(path: string): string {
  return /[$`\u201c-\u201e]/.test(path)
    ? `'${path.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`
    : `"${path.replace(/\\+$/, '$&$&')}"`;
}
