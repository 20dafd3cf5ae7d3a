import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The folder that `--move-data-to DIR` asks to move the data to, or null. What stands behind `--` comes from a link and is no argument. */
export function moveTarget(args: readonly string[]): string | null {
  // Electron and the system add arguments of their own.
  const { values } = parseArgs({ args: [...args], strict: false, options: { 'move-data-to': { type: 'string' } } });
  const target = values['move-data-to'];
  return typeof target === 'string' && target !== '' && !target.startsWith('--') ? resolve(target) : null;
}
