/** What a drop or a picker gives: a file, or an entry of the file system, which may be a folder. */
export type DroppedEntry = FileSystemEntry | File;

/** To be called while the drop event runs: afterwards the browser has forgotten what was dropped. */
export function entriesOf(transfer: DataTransfer): DroppedEntry[] {
  return [...transfer.items].flatMap((item) => {
    if (item.kind !== 'file') return [];
    const entry = item.webkitGetAsEntry();
    // The file itself where there is one: it is sure to have a path on the desktop.
    const dropped = entry?.isDirectory === true ? entry : (item.getAsFile() ?? entry);
    return dropped ?? [];
  });
}
