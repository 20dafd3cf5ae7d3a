/**
 * What a person puts into a terminal to have a backup restored; the place of the new folder is theirs to fill in. An installed desktop is
 * started with it; where it runs from its sources, that is in their folder.
 */
export function restoreCommand(backup: string, isInstalled: boolean): string {
  return isInstalled ? `vitrine --restore ${quoted(backup)} --data NEW_FOLDER` : `npm run -s vitrine -- restore ${quoted(backup)} --data NEW_FOLDER`;
}

/** As the shells of the system take it whose path it is: a path of Windows has no quotation mark in it. */
function quoted(path: string): string {
  return /^(?:[A-Za-z]:|\\\\)/.test(path) ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
