import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether `node_modules` holds what `package-lock.json` pins. npm writes what it installed to
 * `node_modules/.package-lock.json`; packages for other systems are rightly missing from it.
 * Plain JavaScript without packages: it runs before there are any, on any Node from 20 on.
 *
 * @param {string} root
 * @returns {{ ready: true } | { ready: false, reason: string }}
 */
export function installState(root) {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (installed.size === 0) return { ready: false, reason: 'The packages are not installed.' };
  for (const [path, pinned] of readPackages(join(root, 'package-lock.json'))) {
    if (path === '' || (isOptional(pinned) && !installed.has(path))) continue;
    if (field(installed.get(path), 'version') !== field(pinned, 'version')) {
      return { ready: false, reason: `The installed packages differ from package-lock.json (${path}).` };
    }
  }
  return { ready: true };
}

/** @param {unknown} entry */
function isOptional(entry) {
  return ['optional', 'devOptional', 'peer'].some((name) => field(entry, name) === true);
}

/** @param {string} path @returns {Map<string, unknown>} empty where the file is missing or is no lockfile */
function readPackages(path) {
  try {
    /** @type {unknown} */
    const lock = JSON.parse(readFileSync(path, 'utf8'));
    return new Map(Object.entries(field(lock, 'packages') ?? {}));
  } catch {
    return new Map();
  }
}

/** @param {unknown} value @param {string} name @returns {unknown} */
function field(value, name) {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}
