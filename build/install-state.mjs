import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether `node_modules` holds what `package-lock.json` pins. npm writes what it installed to
 * `node_modules/.package-lock.json`; packages for other systems are rightly missing from it.
 *
 * @param {string} root
 * @returns {{ ready: true } | { ready: false, reason: string }}
 */
export function installState(root) {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (installed === null) return { ready: false, reason: 'The packages are not installed.' };
  const pinned = readPackages(join(root, 'package-lock.json')) ?? {};
  for (const [path, entry] of Object.entries(pinned)) {
    if (path === '' || entry.link === true) continue;
    const found = installed[path];
    if (found === undefined && (entry.optional === true || entry.devOptional === true || entry.peer === true)) continue;
    if (found?.version !== entry.version) return { ready: false, reason: `The installed packages differ from package-lock.json (${path}).` };
  }
  return { ready: true };
}

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean, link?: boolean }} LockEntry
 * @param {string} path
 * @returns {Record<string, LockEntry> | null}
 */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}
