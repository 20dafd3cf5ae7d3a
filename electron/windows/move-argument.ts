import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * The folder that `--move-data-to DIR` asks to move the data to, or null. What stands behind `--` comes from a link and
 * is no argument.
 */
export const moveTarget = (args: readonly string[]): string | null => folderOf('move-data-to', args);

/** The same for the backup that `--restore DIR` asks to make the data of. */
export const restoreSource = (args: readonly string[]): string | null => folderOf('restore', args);

function folderOf(option: string, args: readonly string[]): string | null {
  // Electron and the system add arguments of their own.
  const { values } = parseArgs({ args: [...args], strict: false, options: { [option]: { type: 'string' } } });
  const folder = values[option];
  return typeof folder === 'string' && folder !== '' && !folder.startsWith('--') ? resolve(folder) : null;
}
