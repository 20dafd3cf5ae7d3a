import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { arch, platform } from 'node:process';

/**
 * Finds a Node of version 24 or newer: the pinned one from the optional packages, else the one this process runs on.
 * The registry has none for macOS at this version, so there it must be the machine's own.
 *
 * @param {{ root: string, execPath: string, version: string, system?: string }} machine
 * @returns {string | null} the executable's path; null where there is none
 */
export function findNode24({ root, execPath, version, system = `${platform}-${arch}` }) {
  const packaged = join(root, 'node_modules', `node-${system.replace('win32', 'win')}`, 'bin', 'node');
  for (const path of [packaged, `${packaged}.exe`]) if (existsSync(path)) return path;
  return Number.parseInt(version, 10) >= 24 ? execPath : null;
}
